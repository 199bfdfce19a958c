// The result of a backtest: a sentence, totals, a chart by day, and the actions with examples.
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import type { Filters } from "../../activity/filters";
import { org } from "../../api/queries";
import { Lines } from "../../overview/BarsAndLines";
import { Card } from "../../overview/Card";
import { number } from "../../text/number";
import { Empty } from "../../ui/Bits";
import { INK, MODES } from "../../ui/Mode";
import { Segments } from "../Badges";
import type { BacktestResult } from "../types";
import { counted } from "../words";
import { ActionTable } from "./ActionTable";
import { boundsOf, everyDay } from "./days";
import { difference, MODE_NAMES, mostChanged, sentence } from "./result";

const COLOURS: Record<string, string> = {
  allow: "var(--good)",
  require_approval: "var(--warn)",
  deny: "var(--bad)",
};
const CALLS: Record<string, string> = {
  allow: "run without asking",
  require_approval: "need approval",
  deny: "are denied",
};
const DAY = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric", timeZone: "UTC" });
const dayText = (date: string) => DAY.format(new Date(`${date}T00:00:00Z`));

/** The activity of a day. */
function searchOf(date: string, zone: string): Pick<Filters, "since" | "until"> {
  const [since, until] = boundsOf(date, zone);
  return { since: since.toISOString(), until: until.toISOString() };
}

export function BacktestView({ result, days }: { result: BacktestResult; days: number }) {
  if (result.invocations === 0)
    return (
      <Empty icon="activity" title="No calls to test">
        <p>{sentence(result, days)} Choose more days.</p>
      </Empty>
    );
  return (
    <div className="space-y-4">
      <p role="status" className="rounded-xl border border-edge bg-card px-4 py-3 text-base">
        {sentence(result, days)}
      </p>
      {result.incomplete > 0 && (
        <p className="text-xs text-faint">
          {number(result.incomplete)} of {counted(result.invocations, "call")}{" "}
          {result.incomplete === 1 ? "was" : "were"} decided with incomplete data, for example because parameters were
          erased.
        </p>
      )}
      <Totals result={result} />
      <DayChart result={result} />
      <ActionTable actions={result.actions} />
    </div>
  );
}

function Totals({ result: { before, after } }: { result: BacktestResult }) {
  return (
    <dl className="grid gap-3 sm:grid-cols-3">
      {MODE_NAMES.map((mode) => (
        <div key={mode} className="rounded-xl border border-edge bg-card px-4 py-3">
          <dt className="text-xs font-medium text-faint first-letter:uppercase">{MODES[mode]?.label}</dt>
          <dd className="flex flex-wrap items-baseline gap-x-2">
            <span className={`text-2xl font-semibold tabular-nums ${INK[mode]}`}>{number(after[mode])}</span>
            <span className="text-xs text-faint">
              before {number(before[mode])} ({difference(before[mode], after[mode])})
            </span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function DayChart({ result }: { result: BacktestResult }) {
  const navigate = useNavigate();
  const [mode, setMode] = useState(() => mostChanged(result.before, result.after));
  const zone = useQuery(org).data?.time_zone ?? "UTC";
  const days = useMemo(
    () => everyDay(result, zone).map((day) => ({ ...day, search: searchOf(day.date, zone) })),
    [result, zone],
  );
  const show = (index: number) => {
    const search = days[index]?.search;
    if (search !== undefined) void navigate({ to: "/activity", search });
  };
  return (
    <div className="space-y-2">
      <Segments
        name="Decision"
        value={mode}
        choices={MODE_NAMES.map((each) => [each, MODES[each]?.label ?? each] as const)}
        onChange={setMode}
      />
      <Card
        title="Calls by day"
        about={`Calls that ${CALLS[mode]}, before and with the change.`}
        columns={["before", "with the change", "difference"]}
        rows={days.map(({ date, before, after, search }) => ({
          name: dayText(date),
          cells: [
            { text: number(before[mode]), search },
            { text: number(after[mode]), search },
            { text: difference(before[mode], after[mode]) },
          ],
        }))}
      >
        <Lines
          isCount
          format={number}
          series={[
            { id: "before", name: "before", colour: "var(--faint)" },
            { id: "after", name: "with the change", colour: COLOURS[mode] ?? "var(--accent)" },
          ]}
          points={days.map(({ date, before, after }) => ({
            at: date,
            label: dayText(date),
            before: before[mode],
            after: after[mode],
          }))}
          onPress={show}
        />
      </Card>
    </div>
  );
}
