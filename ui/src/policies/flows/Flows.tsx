// What was held because of where its data goes, or would have been.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { audienceText, chosenByText, OBSERVED } from "../../policy/flow";
import { number } from "../../text/number";
import { Line } from "../../text/Visible";
import { Loading, ProblemCard } from "../../ui/Bits";
import { Code, Examples, Segments } from "../Badges";
import { gates } from "../gates/queries";
import { flowReport } from "../queries";
import { demandText, type FlowReportItem, flowSentence } from "./report";

const DAYS: readonly (readonly [number, string])[] = [
  [7, "7 days"],
  [14, "14 days"],
  [30, "30 days"],
];

export function Flows() {
  const [days, setDays] = useState(14);
  const { data, error } = useQuery(flowReport(days));
  const settings = useQuery(gates).data;
  return (
    <div className="space-y-4">
      <div className="flex flex-wrap items-center gap-3">
        <p className="min-w-0 flex-1 basis-full md:basis-64 text-soft">
          A request is held if its data would go to someone who may not see it, or if someone unknown chose where it
          goes.{" "}
          <Link to="/policy" hash="gates" className="text-accent underline">
            Change the settings
          </Link>
        </p>
        <Segments name="Time" value={days} choices={DAYS} onChange={setDays} />
      </div>
      {settings !== undefined && settings.flow.mode !== "hold" && <p>{OBSERVED}</p>}
      {data === undefined && (error === null ? <Loading what="the report" /> : <ProblemCard error={error} />)}
      {data !== undefined && (
        <section aria-label="Report" className="overflow-hidden rounded-xl border border-edge bg-card">
          <p className="px-4 py-3">{flowSentence(data, days)}</p>
          {data.items.length > 0 && <ReportTable items={data.items} />}
        </section>
      )}
    </div>
  );
}

const HEADS: readonly (readonly [string, string])[] = [
  ["Action", "px-4"],
  ["Who may see it", "px-2"],
  ["Place chosen by", "px-2"],
  ["Result", "px-2"],
  ["Requests", "px-2 text-right"],
  ["Held by flows alone", "px-2 text-right"],
  ["Examples", "px-4"],
];

function ReportTable({ items }: { items: readonly FlowReportItem[] }) {
  return (
    <div className="overflow-x-auto border-t border-edge" tabIndex={0} role="region" aria-label="Report by action">
      <table className="w-full tabular-nums">
        <thead className="text-left text-xs text-faint">
          <tr>
            {HEADS.map(([name, style]) => (
              <th key={name} scope="col" className={`py-2 font-medium ${style}`}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((item, index) => (
            <tr key={index} className="border-t border-edge">
              <th scope="row" className="min-w-44 px-4 py-2 text-left font-normal">
                <Code text={item.action} />
              </th>
              <td className="min-w-32 px-2 py-2">
                <Line text={audienceText(item.audience)} />
              </td>
              <td className="min-w-32 px-2 py-2">
                <Line text={chosenByText(item.chosen_by)} />
              </td>
              <td className="px-2 py-2 whitespace-nowrap">
                <Line text={demandText(item)} />
              </td>
              <td className="px-2 py-2 text-right">{number(item.count)}</td>
              <td className="px-2 py-2 text-right">{number(item.alone)}</td>
              <td className="px-4 py-2 text-xs">
                <Examples invocations={item.examples} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
