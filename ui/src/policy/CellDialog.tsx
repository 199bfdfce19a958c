// One cell of the matrix: how its mode came about, and a rule for it, with what that rule would change before it is saved.
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, take } from "../api/client";
import type { Mode } from "../catalog/queries";
import { Choice } from "../catalog/ConnectFields";
import { notify } from "../frame/notices";
import { inWords } from "../text/reasons";
import { plain } from "../text/visible";
import { Line } from "../text/Visible";
import { ProblemCard, RISK, RiskBadge } from "../ui/Bits";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { ModeBadge, MODES } from "../ui/Mode";
import { Forecast, useReviewed } from "./Forecast";
import { ceiling, outlook, withRule } from "./outlook";
import { RemoveRule, RuleLine } from "./Rules";
import { type Matrix, type MatrixRow, policyChanged, rules as rulesQuery } from "./queries";

interface Props {
  row: MatrixRow;
  data: Matrix;
  automation: string | null;
  onClose: () => void;
}

const CHOICES: readonly (readonly [Mode, string, string])[] = [
  ["allow", "Allow", "it is done without asking"],
  ["require_approval", "Ask", "a person says yes each time"],
  ["deny", "Deny", "it is refused"],
];

export function CellDialog(props: Props) {
  const { row, data, onClose } = props;
  const [isSetting, setSetting] = useState(false);
  const rule = useQuery(rulesQuery).data?.find((each) => each.id === row.rule);
  return (
    <Dialog title={plain(row.action)} about={<span className="flex flex-wrap items-center gap-1.5"><ModeBadge mode={row.mode} /><RiskBadge risk={row.risk} /><span>{RISK[row.risk]}</span></span>} isOpen onClose={onClose}>
      <div className="space-y-4">
        <section className="space-y-2">
          <h3 className="eyebrow">Where it comes from</h3>
          <ol className="space-y-2">
            {row.steps.filter((step) => !step.startsWith("so: ")).map((step, index) => (
              <li key={index} className="flex gap-2.5"><span className="mt-0.5 grid size-5 shrink-0 place-items-center rounded-full bg-sunk text-xs text-faint">{index + 1}</span><span className="min-w-0"><Line text={inWords(step)} /></span></li>
            ))}
            <li className="flex items-center gap-2.5"><span className="grid size-5 shrink-0 place-items-center text-faint">→</span><span>so in <Line text={data.space} /> it {MODES[row.mode]?.says}</span></li>
          </ol>
        </section>
        {rule !== undefined && !isSetting && <div className="rounded-xl border border-edge p-3"><RuleLine rule={rule} /><div className="mt-2 flex justify-end"><RemoveRule rule={rule} /></div></div>}
        {isSetting ? <RuleForm {...props} /> : <div className="flex justify-end"><Button look="primary" onClick={() => setSetting(true)}>{rule === undefined ? "Set a rule" : "Set another rule"}</Button></div>}
      </div>
    </Dialog>
  );
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
  const changes = rules === undefined || reviewed === null ? null : outlook(data.rows, { rules, band: data.band }, { rules: withRule(rules, rule), band: data.band }, automation, reviewed);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    try {
      await take(api.PUT("/v1/rules", { body: { action: key, mode, reason, ...(scope === null ? {} : { automation: scope }) } }));
      await policyChanged();
      notify("good", "The rule holds", `${plain(key)}: ${MODES[mode]?.word}. The next decision is made by it.`);
      onClose();
    } catch (refused) {
      setError(refused);
      setBusy(false);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} className="space-y-4 border-t border-edge pt-4">
      <label className="flex flex-col gap-1">
        <span className="font-medium">The rule is for</span>
        <select className="input" value={key} onChange={(event) => setKey(event.target.value)}>
          <option value={row.action}>{plain(row.action)}</option>
          <option value={`${row.source}.*`}>every action of {plain(row.source)}</option>
          <option value="*">every action of every source</option>
        </select>
      </label>
      {automation !== null && (
        <label className="flex items-center gap-2.5"><input type="checkbox" className="size-4 accent-accent" checked={isForAutomation} onChange={(event) => setForAutomation(event.target.checked)} />only for the runs of this automation</label>
      )}
      <Choice name="Mode" value={mode} choices={CHOICES} onChange={setMode} />
      {mode === "allow" && ceiling(row.risk) !== "allow" && <p className="rounded-lg bg-warn-wash px-3 py-2 text-warn">{row.risk} is the ceiling: it never happens without a person's yes. With this rule it asks; it is never done alone.</p>}
      <Forecast changes={changes} isMore={key === "*"} />
      <label className="flex flex-col gap-1">
        <span className="font-medium">Why</span>
        <textarea className="input min-h-16" maxLength={500} value={reason} onChange={(event) => setReason(event.target.value)} placeholder="For whoever reads a decision later" />
      </label>
      {error !== null && <ProblemCard error={error} />}
      <div className="flex flex-row-reverse gap-2 max-md:[&>*]:flex-1">
        <Button type="submit" look="primary" disabled={isBusy}>Set the rule</Button>
        <Button look="quiet" onClick={onClose}>Back</Button>
      </div>
    </form>
  );
}
