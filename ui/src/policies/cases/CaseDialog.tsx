// Creates or edits a case, as a form or as JSON.
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, lazy, Suspense, useEffect, useRef, useState } from "react";
import { notify } from "../../frame/toasts";
import { plain } from "../../text/visible";
import { Loading, ProblemCard } from "../../ui/Bits";
import { Button } from "../../ui/Button";
import { Dialog } from "../../ui/Dialog";
import { Segments } from "../Badges";
import { bare, saveCase } from "../queries";
import type { Case, CaseView } from "../types";
import { CaseForm } from "./CaseForm";
import { caseProblem, caseText, EMPTY, readCase } from "./caseText";

const JsonEditor = lazy(async () => ({ default: (await import("../../form/json/JsonEditor")).JsonEditor }));

interface Props {
  /** null for a new case. */
  saved: CaseView | null;
  names: readonly string[];
  onClose: () => void;
}

const NONE: [] = [];

export function CaseDialog({ saved, names, onClose }: Props) {
  const [side, setSide] = useState<"form" | "json">("form");
  const [one, setOne] = useState<Case>(() => (saved === null ? EMPTY : bare(saved)));
  const [text, setText] = useState(() => caseText(one));
  const [problem, setProblem] = useState<string | null>(null);
  /** What is invalid as typed in the form, and so not in the case. */
  const [broken, setBroken] = useState<string | null>(null);
  const alert = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    // The switch is at the other end of a long form.
    if (problem !== null) alert.current?.scrollIntoView({ block: "nearest" });
  }, [problem]);
  const read = side === "json" ? readCase(text) : { value: one };
  const show = (next: "form" | "json") => {
    if (next === side) return;
    if (next === "json" && broken !== null) return setProblem(broken);
    if (next === "json") setText(caseText(one));
    else if ("problem" in read) return setProblem(read.problem);
    else setOne(read.value);
    setProblem(null);
    setBroken(null);
    return setSide(next);
  };
  const report = (next: string | null) => {
    setBroken(next);
    setProblem(null);
  };
  const save = useMutation({
    mutationFn: (next: Case) => saveCase(next),
    networkMode: "always",
    onSuccess: (_, next) => {
      notify("good", "Saved", plain(next.name));
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (save.isPending) return;
    const wrong = "problem" in read ? read.problem : (broken ?? caseProblem(read.value) ?? renamed(read.value));
    setProblem(wrong);
    if (wrong === null && "value" in read) save.mutate(read.value);
  };
  const renamed = ({ name }: Case): string | null => {
    if (saved !== null && name !== saved.name) return "A case keeps its name. To rename it, create a new case.";
    return saved === null && names.includes(name) ? `A case named ${name} already exists.` : null;
  };
  return (
    <Dialog
      title={saved === null ? "New case" : "Edit case"}
      description={
        saved === null ? "A request, and the decision that the policies alone must give." : plain(saved.name)
      }
      isOpen
      isWide
      onClose={onClose}
    >
      <form onSubmit={submit} className="space-y-4">
        <Segments
          name="View"
          value={side}
          choices={[
            ["form", "Form"],
            ["json", "JSON"],
          ]}
          onChange={show}
        />
        {side === "form" ? (
          <CaseForm one={one} isNew={saved === null} onChange={setOne} onBroken={report} />
        ) : (
          <div className="h-[50dvh]">
            <Suspense fallback={<Loading what="the editor" />}>
              <JsonEditor
                label="Case as JSON"
                text={text}
                onChange={setText}
                problems={NONE}
                broken={"problem" in read ? read.problem : null}
              />
            </Suspense>
          </div>
        )}
        {problem !== null && (
          <p ref={alert} role="alert" className="text-bad">
            {plain(problem)}
          </p>
        )}
        {save.error !== null && <ProblemCard error={save.error} />}
        <div className="flex flex-row-reverse gap-2 max-md:[&>*]:flex-1">
          <Button type="submit" variant="primary" disabled={save.isPending}>
            {save.isPending ? "Saving …" : "Save"}
          </Button>
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
