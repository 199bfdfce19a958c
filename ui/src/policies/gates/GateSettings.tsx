// The gate settings of the organization as JSON.
import { useMutation, useQuery } from "@tanstack/react-query";
import { useBlocker } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { Proposed } from "../../api/client";
import { useNames } from "../../api/permissions";
import { LeaveDialog } from "../../automations/editor/Dialogs";
import { notify } from "../../frame/toasts";
import { moment } from "../../text/time";
import { Line } from "../../text/Visible";
import { Loading, ProblemCard } from "../../ui/Bits";
import { Button } from "../../ui/Button";
import { NewerVersion } from "../NewerVersion";
import { ReasonField } from "../ReasonField";
import { type GatesView, gates, type GateSettings as Settings, saveGates } from "./queries";
import { EXAMPLE, FIELDS, readSettings, settingsText } from "./settingsText";

const JsonEditor = lazy(async () => ({ default: (await import("../../form/json/JsonEditor")).JsonEditor }));
const NONE: [] = [];

export function GateSettings() {
  const { data, error } = useQuery(gates);
  return (
    <section aria-label="Gate settings" className="space-y-3">
      <div>
        <h2 className="font-semibold">Settings</h2>
        {data !== undefined && <LastChange of={data} />}
      </div>
      {data === undefined && (error === null ? <Loading what="the settings" /> : <ProblemCard error={error} />)}
      {data !== undefined && <Editor saved={data} />}
    </section>
  );
}

function LastChange({ of: { set_by, set_by_name, updated_at } }: { of: GatesView }) {
  const nameOf = useNames();
  if (set_by == null || updated_at == null) return <p className="text-xs text-faint">Never changed.</p>;
  return (
    <p className="text-xs text-faint">
      Last changed by <Line text={set_by_name ?? nameOf(set_by)} />,{" "}
      <time dateTime={updated_at}>{moment(updated_at)}</time>
    </p>
  );
}

interface Draft {
  text: string;
  /** The version that the text is based on. */
  version: number;
}

function Editor({ saved }: { saved: GatesView }) {
  /** null while nothing is edited: then what is saved is shown. */
  const [draft, setDraft] = useState<Draft | null>(null);
  const [reason, setReason] = useState("");
  const text = draft?.text ?? settingsText(saved);
  const version = draft?.version ?? saved.version;
  const read = readSettings(text);
  const broken = "problem" in read ? read.problem : null;
  const isChanged = draft !== null && text !== settingsText(saved);
  const isNewer = isChanged && version !== saved.version;
  const save = useMutation({
    mutationFn: (sent: Draft & { settings: Settings }) =>
      saveGates({ ...sent.settings, version: sent.version }, reason),
    networkMode: "always",
    onSuccess: (view, sent) => {
      // What was typed meanwhile stays.
      setDraft((last) => (last === null || last.text === sent.text ? null : { ...last, version: view.version }));
      setReason("");
      notify("good", "Saved", "The gate settings apply from the next decision on.");
    },
    // The proposed change keeps the text.
    onError: (error) => error instanceof Proposed && setDraft(null),
  });
  const blocker = useBlocker({
    shouldBlockFn: () => isChanged,
    enableBeforeUnload: () => isChanged,
    withResolver: true,
  });
  const rebase = (next: Draft | null) => {
    setDraft(next);
    save.reset();
  };
  return (
    <div className="space-y-4">
      {isNewer && (
        <NewerVersion
          version={saved.version}
          onDiscard={() => rebase(null)}
          onKeep={() => rebase({ text, version: saved.version })}
        />
      )}
      <div className="h-72">
        <Suspense fallback={<Loading what="the editor" />}>
          <JsonEditor
            label="Gate settings as JSON"
            text={text}
            onChange={(next) => setDraft({ text: next, version })}
            problems={NONE}
            broken={broken}
          />
        </Suspense>
      </div>
      {broken !== null && (
        <p role="alert" className="text-bad wrap-anywhere">
          <Line text={broken} />
        </p>
      )}
      <details>
        <summary className="cursor-pointer text-soft">Fields</summary>
        <dl className="mt-2 divide-y divide-edge rounded-xl border border-edge bg-card">
          {FIELDS.map(([name, effect]) => (
            <div key={name} className="grid gap-x-4 px-4 py-2 sm:grid-cols-[10rem_minmax(0,1fr)]">
              <dt className="font-mono text-[0.8125rem]">{name}</dt>
              <dd className="text-soft">{effect}</dd>
            </div>
          ))}
        </dl>
      </details>
      <details>
        <summary className="cursor-pointer text-soft">Example</summary>
        <pre
          className="mt-2 overflow-x-auto rounded-xl border border-edge bg-card px-4 py-3 font-mono text-xs"
          tabIndex={0}
        >
          {EXAMPLE}
        </pre>
      </details>
      <ReasonField reason={reason} onChange={setReason} />
      {save.error !== null && <ProblemCard error={save.error} />}
      <div className="flex justify-end">
        <Button
          variant="primary"
          disabled={!isChanged || isNewer || broken !== null || save.isPending}
          onClick={() => "value" in read && save.mutate({ text, version, settings: read.value })}
        >
          {save.isPending ? "Saving …" : "Save"}
        </Button>
      </div>
      {blocker.status === "blocked" && <LeaveDialog onLeave={blocker.proceed} onStay={blocker.reset} />}
    </div>
  );
}
