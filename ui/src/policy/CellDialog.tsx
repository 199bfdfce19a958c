// One cell of the matrix: its decision, and a rule with its effect before it is saved.
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, take } from "../api/client";
import type { Mode } from "../catalog/queries";
import { notify } from "../frame/toasts";
import { PolicyLink } from "../policies/Badges";
import { dependsOf } from "../policies/explain/decision";
import { Line } from "../text/Visible";
import { plain } from "../text/visible";
import { ProblemCard, RISK, RiskBadge } from "../ui/Bits";
import { Button } from "../ui/Button";
import { Choice } from "../ui/Choice";
import { Dialog } from "../ui/Dialog";
import { MODES, ModeBadge } from "../ui/Mode";
import { BANDS } from "./bands";
import { Forecast, useReviewed } from "./Forecast";
import { ceiling, outlook, withRule } from "./outlook";
import { type Band, type Matrix, type MatrixRow, policyChanged, rules as rulesQuery } from "./queries";
import { DeleteRule, RuleLine } from "./Rules";
import { GUARDRAILS, modeReason } from "./reasons";

interface Props {
  row: MatrixRow;
  data: Matrix;
  automation: string | null;
  onClose: () => void;
}

const CHOICES: readonly (readonly [Mode, string, string])[] = [
  ["allow", "Allow", "runs without approval"],
  ["require_approval", "Require approval", "a person approves each call"],
  ["deny", "Deny", "never runs"],
];

export function CellDialog(props: Props) {
  const { row, data, onClose } = props;
  const [isSetting, setSetting] = useState(false);
  const rule = useQuery(rulesQuery).data?.find((each) => each.id === row.rule);
  return (
    <Dialog
      title={plain(row.action)}
      description={
        <span className="flex flex-wrap items-center gap-1.5">
          <ModeBadge mode={row.mode} />
          <RiskBadge risk={row.risk} />
          <span>{RISK[row.risk]}</span>
        </span>
      }
      isOpen
      onClose={onClose}
    >
      <div className="space-y-4">
        <section className="space-y-2">
          <h3 className="eyebrow">Decision</h3>
          <ol className="space-y-2">
            {steps(row, data.band).map((step, index) => (
              <li key={index} className="flex gap-2.5">
                <span
                  className={`mt-0.5 grid size-5 shrink-0 place-items-center rounded-full bg-sunk text-xs
                    text-faint`}
                >
                  {index + 1}
                </span>
                <span className="min-w-0 first-letter:uppercase">
                  <Line text={step} />
                </span>
              </li>
            ))}
            <li className="flex items-center gap-2.5">
              <span className="grid size-5 shrink-0 place-items-center text-faint">→</span>
              <span>
                In the space <Line text={data.space} />, this action {MODES[row.mode]?.description}.
              </span>
            </li>
          </ol>
          <Depends row={row} />
        </section>
        {rule !== undefined && !isSetting && (
          <div className="rounded-xl border border-edge p-3">
            <RuleLine rule={rule} />
            <div className="mt-2 flex justify-end">
              <DeleteRule rule={rule} />
            </div>
          </div>
        )}
        {isSetting ? (
          <RuleForm {...props} />
        ) : (
          <div className="flex justify-end">
            <Button variant="primary" onClick={() => setSetting(true)}>
              {rule === undefined ? "Set a rule" : "Change the rule"}
            </Button>
          </div>
        )}
      </div>
    </Dialog>
  );
}

/** Policies whose decision is known only with the parameters of a call. */
function Depends({ row }: { row: MatrixRow }) {
  const names = dependsOf(row);
  if (names.length === 0) return null;
  return (
    <p className="rounded-lg bg-sunk px-3 py-2">
      Depends on the parameters:{" "}
      {names.map((name, index) => (
        <span key={name}>
          {index > 0 && ", "}
          <PolicyLink name={name} />
        </span>
      ))}
      . {names.length === 1 ? "This policy" : "These policies"} can make the decision stricter.
    </p>
  );
}

/** The rule or default, the guardrails, and the gateway's lines about gates, which follow those two in `steps`. */
function steps(row: MatrixRow, band: Band): string[] {
  const guardrails = row.guardrails.map((name) =>
    name === "band"
      ? `The space is ${band}: ${BANDS[band].summary}.`
      : (GUARDRAILS[name]?.effect ?? `Guardrail: ${name}`),
  );
  const gates = row.steps.slice(1 + row.guardrails.length, -1);
  return [modeReason(row.mode_source, row.reason, row.risk), ...guardrails, ...gates];
}

function RuleForm({ row, data, automation, onClose }: Props) {
  const [key, setKey] = useState(row.action);
  const [mode, setMode] = useState<Mode>(row.mode === "require_approval" ? "allow" : "require_approval");
  const [isForAutomation, setForAutomation] = useState(automation !== null);
  const [reason, setReason] = useState("");
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const { data: rules } = useQuery(rulesQuery);
  const reviewed = useReviewed();
  const scope = isForAutomation ? automation : null;
  const rule = { action: key, mode, automation: scope };
  const changes =
    rules === undefined || reviewed === null
      ? null
      : outlook(
          data.rows,
          { rules, band: data.band },
          { rules: withRule(rules, rule), band: data.band },
          automation,
          reviewed,
        );
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    try {
      await take(
        api.PUT("/v1/rules", { body: { action: key, mode, reason, ...(scope === null ? {} : { automation: scope }) } }),
      );
      await policyChanged();
      notify("good", "Rule saved", `${plain(key)}: ${MODES[mode]?.label}.`);
      onClose();
    } catch (caught) {
      setError(caught);
      setBusy(false);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} className="space-y-4 border-t border-edge pt-4">
      <label className="flex flex-col gap-1">
        <span className="font-medium">Applies to</span>
        <select className="input" value={key} onChange={(event) => setKey(event.target.value)}>
          <option value={row.action}>{plain(row.action)}</option>
          <option value={`${row.source}.*`}>all actions of {plain(row.source)}</option>
          <option value="*">all actions of all sources</option>
        </select>
      </label>
      {automation !== null && (
        <label className="flex items-center gap-2.5">
          <input
            type="checkbox"
            className="size-4 accent-accent"
            checked={isForAutomation}
            onChange={(event) => setForAutomation(event.target.checked)}
          />
          Only for runs of this automation
        </label>
      )}
      <Choice name="Mode" value={mode} choices={CHOICES} onChange={setMode} />
      {mode === "allow" && ceiling(row.risk) !== "allow" && (
        <p className="rounded-lg bg-warn-wash px-3 py-2 text-warn">
          {row.risk} actions always need approval. With this rule, the action still needs approval.
        </p>
      )}
      <Forecast changes={changes} isMore={key === "*"} />
      <label className="flex flex-col gap-1">
        <span className="font-medium">Reason</span>
        <textarea
          className="input min-h-16"
          maxLength={500}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
          placeholder="Shown with each decision"
        />
      </label>
      {error !== null && <ProblemCard error={error} />}
      <div className="flex flex-row-reverse gap-2 max-md:[&>*]:flex-1">
        <Button type="submit" variant="primary" disabled={isBusy}>
          {" "}
          Save rule{" "}
        </Button>
        <Button variant="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
