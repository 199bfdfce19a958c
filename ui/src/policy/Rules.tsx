// The rules, and how to delete one.
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, take } from "../api/client";
import { useNames } from "../api/permissions";
import { automations } from "../api/queries";
import { notify } from "../frame/toasts";
import { useNow } from "../text/now";
import { ago } from "../text/time";
import { Line } from "../text/Visible";
import { Empty, Loading, ProblemCard } from "../ui/Bits";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { ModeBadge } from "../ui/Mode";
import { Forecast, useReviewed } from "./Forecast";
import { isBound, outlook, withoutRule } from "./outlook";
import { matrix, policyChanged, type Rule, rules } from "./queries";
import { Where } from "./Where";

export function Rules() {
  const { data, error } = useQuery(rules);
  if (data === undefined) return error === null ? <Loading what="rules" /> : <ProblemCard error={error} />;
  if (data.length === 0) {
    return (
      <Empty icon="policy" title="No rules">
        <p>
          The risk decides: reads are allowed, writes need approval, destructive actions are denied. Choose an action in
          the matrix to set a rule.
        </p>
        <pre
          className={`rounded-lg border border-edge bg-card px-4 py-3 text-left font-mono text-xs whitespace-pre-wrap`}
        >
          countersign rules set linear.create_issue allow
        </pre>
      </Empty>
    );
  }
  return (
    <ul aria-label="Rules" className="divide-y divide-edge overflow-hidden rounded-xl border border-edge bg-card">
      {data.map((rule) => (
        <li key={rule.id} className="flex flex-wrap items-center gap-3 px-4 py-3">
          <div className="min-w-0 flex-1 basis-64">
            <RuleLine rule={rule} />
          </div>
          <DeleteRule rule={rule} />
        </li>
      ))}
    </ul>
  );
}

export function RuleLine({ rule }: { rule: Rule }) {
  const now = useNow();
  const nameOf = useNames();
  const all = useInfiniteQuery(automations).data?.pages.flatMap((page) => page.items) ?? [];
  const automation =
    rule.automation == null ? null : (all.find((each) => each.id === rule.automation)?.name ?? rule.automation);
  return (
    <div className="min-w-0 space-y-0.5">
      <p className="flex flex-wrap items-center gap-2">
        <code className="font-mono font-medium wrap-anywhere">
          <Line text={rule.action} />
        </code>
        <ModeBadge mode={rule.mode} />
        {automation !== null && (
          <span className="text-xs text-faint">
            in {rule.step != null && "one step of "}runs of <Line text={automation} />
          </span>
        )}
      </p>
      {rule.where_words != null && (
        <p>
          <Where words={rule.where_words} />
        </p>
      )}
      <p className="text-soft">
        {rule.reason === "" ? <span className="text-faint">no reason given</span> : <Line text={rule.reason} />}
      </p>
      <p className="text-xs text-faint">
        Set by <Line text={nameOf(rule.set_by)} />, {ago(rule.updated_at, now)}
      </p>
    </div>
  );
}

export function DeleteRule({ rule }: { rule: Rule }) {
  const [isConfirming, setConfirming] = useState(false);
  return (
    <>
      <Button variant="bad" onClick={() => setConfirming(true)}>
        {" "}
        Delete<span className="sr-only"> the rule for {rule.action}</span>
      </Button>
      {isConfirming && <DeleteRuleDialog rule={rule} onClose={() => setConfirming(false)} />}
    </>
  );
}

/** The matrix does not show rules for certain parameters or one step, so the forecast does not either. */
function BoundRuleEffect({ rule }: { rule: Rule }) {
  return (
    <p>
      Calls {rule.step != null && "in one step of the automation "}
      <Where words={rule.where_words} /> are decided without this rule.
    </p>
  );
}

function DeleteRuleDialog({ rule, onClose }: { rule: Rule; onClose: () => void }) {
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const all = useQuery(rules).data;
  const data = useQuery(matrix("", rule.automation ?? "")).data;
  const reviewed = useReviewed();
  const changes =
    all === undefined || data === undefined || reviewed === null
      ? null
      : outlook(
          data.rows,
          { rules: all, band: data.band },
          { rules: withoutRule(all, rule), band: data.band },
          rule.automation ?? null,
          reviewed,
        );
  const remove = async () => {
    setBusy(true);
    try {
      await take(api.DELETE("/v1/rules/{rule}", { params: { path: { rule: rule.id } } }));
      await policyChanged();
      notify("good", "Rule deleted", "New requests are decided without it.");
      onClose();
    } catch (caught) {
      setError(caught);
      setBusy(false);
    }
  };
  return (
    <Dialog title="Delete this rule?" description={<Line text={rule.action} />} isOpen onClose={onClose}>
      <div className="space-y-4">
        {isBound(rule) ? <BoundRuleEffect rule={rule} /> : <Forecast changes={changes} />}
        {error !== null && <ProblemCard error={error} />}
        <div className="flex flex-row-reverse gap-2 max-md:[&>*]:flex-1">
          <Button variant="bad" disabled={isBusy} onClick={() => void remove()}>
            {" "}
            Delete rule{" "}
          </Button>
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
