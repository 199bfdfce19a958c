// What was held because of where its data goes, or would have been.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
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

const HEADS = {
  audience: "Who may see it",
  chosenBy: "Place chosen by",
  result: "Result",
  requests: "Requests",
  alone: "Held by flows alone",
  examples: "Examples",
};
const NUMBERS: readonly string[] = [HEADS.requests, HEADS.alone];

/** On a phone, each row is a block with the names of its cells. */
function ReportTable({ items }: { items: readonly FlowReportItem[] }) {
  return (
    <div className="overflow-x-auto border-t border-edge" tabIndex={0} role="region" aria-label="Report by action">
      <table className="w-full tabular-nums max-md:block">
        <thead className="text-left text-xs text-faint max-md:sr-only">
          <tr>
            <th scope="col" className="px-4 py-2 font-medium">
              Action
            </th>
            {Object.values(HEADS).map((name) => (
              <th
                key={name}
                scope="col"
                className={`px-2 py-2 font-medium last:px-4 ${NUMBERS.includes(name) ? "text-right" : ""}`}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="max-md:block">
          {items.map((item, index) => (
            <tr key={index} className="border-edge not-first:border-t max-md:block max-md:px-4 max-md:py-2 md:border-t">
              <th scope="row" className="text-left font-normal max-md:block max-md:py-0.5 md:min-w-52 md:px-4 md:py-2">
                <Code text={item.action} />
              </th>
              <Cell head={HEADS.audience} look="md:min-w-32">
                <Line text={audienceText(item.audience)} />
              </Cell>
              <Cell head={HEADS.chosenBy} look="md:min-w-32">
                <Line text={chosenByText(item.chosen_by)} />
              </Cell>
              <Cell head={HEADS.result} look="md:whitespace-nowrap">
                <Line text={demandText(item)} />
              </Cell>
              <Cell head={HEADS.requests} look="md:text-right">
                {number(item.count)}
              </Cell>
              <Cell head={HEADS.alone} look="md:text-right">
                {number(item.alone)}
              </Cell>
              <Cell head={HEADS.examples} look="text-xs">
                <Examples invocations={item.examples} />
              </Cell>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Cell({ head, look, children }: { head: string; look: string; children: ReactNode }) {
  return (
    <td
      className={`max-md:flex max-md:justify-between max-md:gap-4 max-md:py-0.5 md:px-2 md:py-2 last:md:px-4 ${look}`}
    >
      <span className="shrink-0 text-faint md:hidden" aria-hidden="true">
        {head}
      </span>
      <span className="max-md:text-right">{children}</span>
    </td>
  );
}
