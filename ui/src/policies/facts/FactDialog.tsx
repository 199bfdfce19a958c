// Creates or edits a fact. Its sentence is shown while it is written.
import { useMutation, useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { notify } from "../../frame/toasts";
import { Line } from "../../text/Visible";
import { plain } from "../../text/visible";
import { ProblemCard } from "../../ui/Bits";
import { Button } from "../../ui/Button";
import { Dialog } from "../../ui/Dialog";
import { Field } from "../../ui/Form";
import { ListField } from "../ListField";
import { policySchema, saveFact } from "../queries";
import { ReasonField } from "../ReasonField";
import type { FactKind, FactScope, FactStatus, FactView } from "../types";
import { Conditions } from "./Conditions";
import { type ConditionsDraft, draftOf, filterOfDraft } from "./conditionsDraft";
import { fieldsOfActions } from "./fields";
import {
  type FullFact,
  factProblem,
  factWords,
  full,
  KINDS,
  readWindow,
  SCOPES,
  STATUSES,
  UNIT_NAMES,
  unitName,
} from "./words";

const EMPTY: FullFact = {
  name: "",
  kind: "count",
  of: [],
  field: null,
  where: null,
  same: [],
  state: "counted",
  within: "1h",
  per: "session",
};

interface Props {
  /** null for a new fact. */
  saved: FactView | null;
  names: readonly string[];
  onClose: () => void;
}

export function FactDialog({ saved, names, onClose }: Props) {
  const [fact, setFact] = useState<FullFact>(() => (saved === null ? EMPTY : full(saved)));
  const [conditions, setConditions] = useState<ConditionsDraft>(() => draftOf(saved?.where ?? null));
  const [reason, setReason] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const schema = useQuery(policySchema).data;
  const fields = fieldsOfActions(schema?.actions ?? [], fact.of);
  const set = (next: Partial<FullFact>) => setFact((last) => ({ ...last, ...next }));
  const read = filterOfDraft(conditions);
  const shown: FullFact = {
    ...fact,
    field: KINDS[fact.kind].needsField ? fact.field : null,
    where: "filter" in read ? read.filter : null,
  };
  const save = useMutation({
    mutationFn: () => saveFact(shown, reason),
    networkMode: "always",
    onSuccess: (view) => {
      const text = view.complete ? view.words : `${view.words}. Past calls are being added.`;
      notify("good", "Saved", plain(text));
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (save.isPending) return;
    const taken = saved === null && names.includes(fact.name) ? `A fact named ${fact.name} already exists.` : null;
    const wrong = taken ?? ("problem" in read ? read.problem : factProblem(shown));
    setProblem(wrong);
    if (wrong === null) save.mutate();
  };
  return (
    <Dialog title={saved === null ? "New fact" : `Edit ${plain(saved.name)}`} isOpen isWide onClose={onClose}>
      <form onSubmit={submit} className="space-y-5">
        <p role="status" className="rounded-lg bg-sunk px-3 py-2 wrap-anywhere">
          <Line text={factWords(shown)} />
        </p>
        <div className="grid gap-4 md:grid-cols-2">
          {saved === null && (
            <Field name="Name" hint="Policies read it as context.history.name.">
              <input
                className="input font-mono"
                value={fact.name}
                onChange={(event) => set({ name: event.target.value })}
                required
                autoFocus
                spellCheck={false}
                placeholder="spent"
              />
            </Field>
          )}
          <Field name="Kind" hint={KINDS[fact.kind].about}>
            <select
              className="input"
              value={fact.kind}
              onChange={(event) => set({ kind: event.target.value as FactKind })}
            >
              {Object.entries(KINDS).map(([id, { label }]) => (
                <option key={id} value={id}>
                  {label}
                </option>
              ))}
            </select>
          </Field>
          <ListField
            name="Actions"
            hint="source.action, source.* or a group such as does:reads_untrusted"
            values={fact.of}
            known={[
              ...(schema?.actions.map(({ address }) => address) ?? []),
              ...(schema?.sources.map((each) => `${each}.*`) ?? []),
              ...(schema?.groups ?? []),
            ]}
            placeholder="bank.transfer"
            onChange={(of) => set({ of })}
          />
          {KINDS[fact.kind].needsField && (
            <Field name="Field" hint="A parameter (input) or a part of the result (output).">
              <input
                className="input font-mono"
                list="fact-fields"
                value={fact.field ?? ""}
                onChange={(event) => set({ field: event.target.value === "" ? null : event.target.value })}
                spellCheck={false}
                placeholder="input.amount_cents"
              />
            </Field>
          )}
        </div>
        <datalist id="fact-fields">
          {fields.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
        <Conditions draft={conditions} onChange={setConditions} />
        <div className="grid gap-4 md:grid-cols-2">
          <ListField
            name="Same as in the present call"
            hint="Optional. Only calls where these fields have the value of the call that is decided."
            values={fact.same}
            known={fields.filter((each) => each.startsWith("input."))}
            placeholder="input.repo"
            onChange={(same) => set({ same })}
          />
          <Field name="State of the calls">
            <select
              className="input"
              value={fact.state}
              onChange={(event) => set({ state: event.target.value as FactStatus })}
            >
              {Object.entries(STATUSES).map(([id, { label }]) => (
                <option key={id} value={id}>
                  {label}
                </option>
              ))}
            </select>
          </Field>
          <WindowField within={fact.within} onChange={(within) => set({ within })} />
          <Field name="Counted for" hint={fact.per === "org" ? ORG_HINT : undefined}>
            <select
              className="input"
              value={fact.per}
              onChange={(event) => set({ per: event.target.value as FactScope })}
            >
              {Object.entries(SCOPES).map(([id, { label }]) => (
                <option key={id} value={id}>
                  {label}
                </option>
              ))}
            </select>
          </Field>
        </div>
        <ReasonField reason={reason} onChange={setReason} />
        {problem !== null && (
          <p role="alert" className="text-bad">
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

const ORG_HINT = (
  <span className="text-warn">
    Calls of these actions wait for each other in the whole organization. Choose a space or a session where that is
    enough.
  </span>
);

function WindowField({ within, onChange }: { within: string; onChange: (next: string) => void }) {
  const read = readWindow(within);
  const [, digits = "", unit = "h"] = /^(\d*)([mhd]?)$/.exec(within) ?? [];
  return (
    <div className="flex flex-col gap-1">
      <span className="font-medium" id="fact-within">
        Within the last
      </span>
      <div className="flex gap-2" role="group" aria-labelledby="fact-within">
        <input
          className="input"
          inputMode="numeric"
          aria-label="Number"
          aria-invalid={read === null}
          value={digits}
          onChange={(event) => onChange(`${event.target.value.replace(/\D/g, "")}${unit}`)}
        />
        <select
          className="input"
          aria-label="Unit"
          value={unit}
          onChange={(event) => onChange(`${digits}${event.target.value}`)}
        >
          {UNIT_NAMES.map((each) => (
            <option key={each} value={each}>
              {unitName(each)}
            </option>
          ))}
        </select>
      </div>
      <span className="text-xs text-faint">1 minute to 30 days</span>
    </div>
  );
}
