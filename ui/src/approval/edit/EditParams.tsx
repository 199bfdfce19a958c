// Lets a person who may answer correct the parameters of a pending request before they approve it.
import { type FormEvent, lazy, Suspense, useEffect, useMemo, useRef, useState } from "react";
import { ApiError } from "../../api/client";
import { useMay } from "../../api/permissions";
import { notify } from "../../frame/toasts";
import { Line } from "../../text/Visible";
import { Loading, ProblemCard } from "../../ui/Bits";
import { Button } from "../../ui/Button";
import { Field } from "../../ui/Form";
import { Section } from "../../ui/Section";
import type { ShownDocument } from "../shown";
import { type EditedParams, isSame, paramProblems, paramsText, readParams } from "./params";
import { MAX_NOTE, saveEdit } from "./save";
import type { Edit } from "./useEdit";

const JsonEditor = lazy(async () => ({ default: (await import("../../form/json/JsonEditor")).JsonEditor }));

interface Props {
  shown: ShownDocument;
  edit: Edit;
}

export function EditParams({ shown, edit }: Props) {
  const mayAnswer = useMay("admin");
  const wasOpen = useRef(false);
  if (mayAnswer !== true) return null;
  if (edit.isOpen) {
    wasOpen.current = true;
    return <EditForm shown={shown} onDone={edit.stop} />;
  }
  return (
    // After editing, the focus returns from the form to the button.
    <Button onClick={edit.start} autoFocus={wasOpen.current}>
      Edit parameters
    </Button>
  );
}

const LABEL = "Parameters as JSON";

function EditForm({ shown, onDone }: { shown: ShownDocument; onDone: () => void }) {
  const [start] = useState(shown.params);
  const [text, setText] = useState(() => paramsText(shown.params));
  const [note, setNote] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<{ error: unknown; text: string } | null>(null);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    // It may return a promise, which is no cleanup.
    void form.current?.scrollIntoView({ block: "nearest" });
  }, []);
  const edited = readParams(text, shown.params);
  // After a change, the reported places may be others.
  const reported = failure?.text === text ? failure.error : null;
  const problems = useMemo(() => (reported instanceof ApiError ? paramProblems(reported.problem) : []), [reported]);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (edited.params === null || isBusy) return;
    setBusy(true);
    setFailure(null);
    try {
      await saveEdit(shown, edited.params, note);
      notify("good", "Changes saved", "Nothing is approved yet. The corrected request is shown now.");
      onDone();
    } catch (error) {
      setFailure({ error, text });
      setBusy(false);
    }
  };

  return (
    <form ref={form} aria-label="Edit parameters" onSubmit={(event) => void submit(event)}>
      <Section title="Edit parameters">
        <div className="space-y-4 rounded-xl border border-edge bg-card p-4">
          <div className="space-y-1 text-soft">
            <p>Saving approves nothing: you are shown the corrected request next.</p>
            {shown.hidden.length > 0 && (
              <p>Hidden values are shown as placeholders; a placeholder that you leave as it is keeps its value.</p>
            )}
          </div>
          {!isBusy && !isSame(start, shown.params) && (
            <p role="alert" className="rounded-lg bg-warn-wash px-3 py-2 text-warn">
              The parameters changed while you were editing. Saving replaces those that are shown above.
            </p>
          )}
          <div className="space-y-1">
            <span aria-hidden="true" className="font-medium">
              {LABEL}
            </span>
            <div className="h-72">
              <Suspense fallback={<Loading what="the editor" />}>
                <JsonEditor
                  label={LABEL}
                  text={text}
                  broken={edited.broken}
                  problems={problems}
                  onChange={setText}
                  autoFocus
                />
              </Suspense>
            </div>
            <State edited={edited} />
          </div>
          {failure !== null && <ProblemCard error={failure.error} />}
          <Field name="Why (the agent is told)" hint={`Optional, at most ${MAX_NOTE} characters.`}>
            <textarea
              className="input min-h-20"
              maxLength={MAX_NOTE}
              value={note}
              onChange={(event) => setNote(event.target.value)}
            />
          </Field>
          <div className="flex flex-row-reverse gap-2 [&>*]:flex-1 md:[&>*]:flex-none">
            <Button type="submit" variant="primary" disabled={edited.params === null}>
              {isBusy ? "Saving …" : "Save changes"}
            </Button>
            <Button variant="quiet" onClick={onDone}>
              Cancel
            </Button>
          </div>
        </div>
      </Section>
    </form>
  );
}

/** Why the changes cannot be saved. */
function State({ edited: { params, broken } }: { edited: EditedParams }) {
  return (
    <p role="status" className={`wrap-anywhere ${broken === null ? "text-soft" : "text-bad"}`}>
      {broken !== null ? <Line text={broken} /> : params === null && "No changes yet."}
    </p>
  );
}
