// What the observing policies would have decided, and how one is enforced.
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { notify } from "../../frame/toasts";
import { number } from "../../text/number";
import { moment } from "../../text/time";
import { Line } from "../../text/Visible";
import { plain } from "../../text/visible";
import { Empty, Loading, ProblemCard } from "../../ui/Bits";
import { Button } from "../../ui/Button";
import { FormDialog } from "../../ui/Form";
import { Code, Examples, PolicyLink, Segments } from "../Badges";
import { policies, reports, savePolicy } from "../queries";
import { ReasonField } from "../ReasonField";
import type { PolicyView, Report } from "../types";
import { reportSentence } from "./report";

const DAYS: readonly (readonly [number, string])[] = [
  [1, "1 day"],
  [7, "7 days"],
  [30, "30 days"],
];

export function Observing() {
  const [days, setDays] = useState(7);
  const { data, error } = useQuery(reports(days));
  const all = useQuery(policies).data;
  // Its name only, so that what is enforced is the text that is saved now.
  const [enforcing, setEnforcing] = useState<string | null>(null);
  const enforced = all?.find(({ name }) => name === enforcing);
  return (
    <div className="space-y-4">
      <div className="flex flex-wrap items-center gap-3">
        <p className="min-w-0 flex-1 basis-full md:basis-64 text-soft">
          An observing policy changes no decision. This is what it would have done.
        </p>
        <Segments name="Time" value={days} choices={DAYS} onChange={setDays} />
      </div>
      {data === undefined && (error === null ? <Loading what="the report" /> : <ProblemCard error={error} />)}
      {data?.length === 0 && (
        <Empty icon="search" title="No observing policies">
          <p>
            Save a policy as observing to see what it would do before it is enforced.{" "}
            <Link to="/policy" hash="policies" className="text-accent underline">
              Show the policies
            </Link>
          </p>
        </Empty>
      )}
      {data?.map((report) => (
        <ReportCard
          key={report.name}
          report={report}
          policy={all?.find((each) => each.name === report.name)}
          onEnforce={setEnforcing}
        />
      ))}
      {enforced !== undefined && <EnforceDialog policy={enforced} onClose={() => setEnforcing(null)} />}
    </div>
  );
}

interface CardProps {
  report: Report;
  policy: PolicyView | undefined;
  onEnforce: (name: string) => void;
}

function ReportCard({ report, policy, onEnforce }: CardProps) {
  const since = policy?.observing_since ?? report.since;
  return (
    <section aria-label={plain(report.name)} className="overflow-hidden rounded-xl border border-edge bg-card">
      <div className="flex flex-wrap items-center gap-3 px-4 py-3">
        <div className="min-w-0 flex-1 basis-72 space-y-0.5">
          <h2 className="font-mono">
            <PolicyLink name={report.name} />
          </h2>
          <p>{reportSentence(report)}</p>
          <p className="text-xs text-faint">
            Observing since <time dateTime={since}>{moment(since)}</time>
            {policy !== undefined && policy.why !== "" && (
              <>
                {" · "}
                <Line text={policy.why} />
              </>
            )}
          </p>
        </div>
        {policy?.state === "observing" && (
          <Button variant="primary" onClick={() => onEnforce(policy.name)}>
            Enforce<span className="sr-only"> {plain(report.name)}</span>
          </Button>
        )}
      </div>
      {report.by_action.length > 0 && (
        <div
          className="overflow-x-auto border-t border-edge"
          tabIndex={0}
          role="region"
          aria-label={`Report of ${plain(report.name)} by action`}
        >
          <table className="w-full tabular-nums">
            <thead className="text-left text-xs text-faint">
              <tr>
                <th scope="col" className="px-4 py-2 font-medium">
                  Action
                </th>
                <th scope="col" className="px-2 py-2 text-right font-medium">
                  would ask
                </th>
                <th scope="col" className="px-2 py-2 text-right font-medium">
                  would deny
                </th>
                <th scope="col" className="px-4 py-2 font-medium">
                  Examples
                </th>
              </tr>
            </thead>
            <tbody>
              {report.by_action.map((each) => (
                <tr key={each.action} className="border-t border-edge">
                  <th scope="row" className="min-w-44 px-4 py-2 text-left font-normal">
                    <Code text={each.action} />
                  </th>
                  <td className="px-2 py-2 text-right">{number(each.would_ask)}</td>
                  <td className="px-2 py-2 text-right">{number(each.would_deny)}</td>
                  <td className="px-4 py-2 text-xs">
                    <Examples invocations={each.examples} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

interface EnforceProps {
  policy: PolicyView;
  onClose: () => void;
}

function EnforceDialog({ policy: { name, text, version }, onClose }: EnforceProps) {
  const [reason, setReason] = useState("");
  const enforce = useMutation({
    mutationFn: () => savePolicy(name, { text, state: "enforced", version }, reason),
    networkMode: "always",
    onSuccess: () => {
      notify("good", "Saved", `${plain(name)} is enforced.`);
      onClose();
    },
  });
  return (
    <FormDialog
      title={`Enforce ${plain(name)}?`}
      submitLabel="Enforce"
      isBusy={enforce.isPending}
      error={enforce.error}
      onClose={onClose}
      onSubmit={() => enforce.mutate()}
    >
      <p>New calls are decided with it from now on.</p>
      <ReasonField reason={reason} onChange={setReason} />
    </FormDialog>
  );
}
