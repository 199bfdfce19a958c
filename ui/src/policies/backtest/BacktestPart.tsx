// A backtest by itself: of a policy, a rule or a band.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Mode } from "../../catalog/queries";
import { BAND_NAMES } from "../../policy/bands";
import { spaces } from "../../policy/queries";
import { plain } from "../../text/visible";
import { Loading, ProblemCard } from "../../ui/Bits";
import { Field } from "../../ui/Form";
import { policies, policySchema } from "../queries";
import type { PolicyView } from "../types";
import { BacktestPanel } from "./BacktestPanel";
import { type ChangeKind, type Choice, FIRST, requestOf } from "./change";

const KINDS: readonly (readonly [ChangeKind, string])[] = [
  ["enforce", "Enforce an observing policy"],
  ["remove", "Delete a policy"],
  ["rule", "Set a rule"],
  ["band", "Set the band of a space"],
];

export function BacktestPart() {
  const { data, error } = useQuery(policies);
  const [change, setChange] = useState<Choice>(FIRST);
  if (data === undefined) return error === null ? <Loading what="policies" /> : <ProblemCard error={error} />;
  const set = (next: Partial<Choice>) => setChange((last) => ({ ...last, ...next }));
  const read = requestOf(change, data);
  return (
    <div className="space-y-5">
      <div className="grid gap-4 md:grid-cols-3">
        <Field name="Change to test">
          <select
            className="input"
            value={change.kind}
            onChange={(event) => set({ kind: event.target.value as ChangeKind, policy: "" })}
          >
            {KINDS.map(([id, label]) => (
              <option key={id} value={id}>
                {label}
              </option>
            ))}
          </select>
        </Field>
        <Details change={change} all={data} onChange={set} />
      </div>
      <BacktestPanel
        request={"request" in read ? read.request : {}}
        problem={"problem" in read ? read.problem : null}
      />
    </div>
  );
}

interface DetailsProps {
  change: Choice;
  all: readonly PolicyView[];
  onChange: (next: Partial<Choice>) => void;
}

function Details({ change, all, onChange }: DetailsProps) {
  const known = useQuery({ ...spaces, enabled: change.kind === "band" }).data?.items ?? [];
  const actions = useQuery({ ...policySchema, enabled: change.kind === "rule" }).data?.actions ?? [];
  switch (change.kind) {
    case "enforce":
    case "remove": {
      const state = change.kind === "enforce" ? "observing" : "enforced";
      const offered = all.filter((each) => each.state === state);
      return (
        <Field name="Policy" hint={offered.length === 0 ? `There is no ${state} policy.` : undefined}>
          <select
            className="input"
            value={change.policy}
            onChange={(event) => onChange({ policy: event.target.value })}
          >
            <option value="">Choose …</option>
            {offered.map(({ name }) => (
              <option key={name} value={name}>
                {plain(name)}
              </option>
            ))}
          </select>
        </Field>
      );
    }
    case "rule":
      return (
        <>
          <Field name="Action" hint="source.action, source.* or *">
            <input
              className="input font-mono"
              list="backtest-actions"
              value={change.action}
              onChange={(event) => onChange({ action: event.target.value })}
              spellCheck={false}
            />
          </Field>
          <datalist id="backtest-actions">
            {actions.map(({ address }) => (
              <option key={address} value={address} />
            ))}
          </datalist>
          <Field name="Mode">
            <select
              className="input"
              value={change.mode}
              onChange={(event) => onChange({ mode: event.target.value as Mode })}
            >
              <option value="allow">Allow</option>
              <option value="require_approval">Require approval</option>
              <option value="deny">Deny</option>
            </select>
          </Field>
        </>
      );
    case "band":
      return (
        <>
          <Field name="Space">
            <select
              className="input"
              value={change.space}
              onChange={(event) => onChange({ space: event.target.value })}
            >
              <option value="">Choose …</option>
              {known.map((each) => (
                <option key={each.id} value={each.id}>
                  {plain(each.name)} ({each.risk_band})
                </option>
              ))}
            </select>
          </Field>
          <Field name="Band">
            <select className="input" value={change.band} onChange={(event) => onChange({ band: event.target.value })}>
              {BAND_NAMES.map((each) => (
                <option key={each} value={each}>
                  {each}
                </option>
              ))}
            </select>
          </Field>
        </>
      );
  }
}
