// The charts of the overview.
import { useNavigate } from "@tanstack/react-router";
import { costText } from "../models/price";
import { number, percent } from "../text/number";
import { span } from "../text/time";
import { Bars, Lines, type Point } from "./BarsAndLines";
import { Card } from "./Card";
import type { Bucket, Overview } from "./queries";
import { count, counted, OUTCOMES, success, unit, when } from "./series";

const EXECUTED = ["succeeded", "failed", "reverted", "unknown"];

export function Charts({ view, space }: { view: Overview; space: string | null }) {
  const navigate = useNavigate();
  const { buckets, bucket_s } = view;
  const name = (bucket: Bucket) => when(bucket.at, bucket_s);
  const points = (values: (bucket: Bucket) => Record<string, number | null>): Point[] =>
    buckets.map((bucket) => ({ at: bucket.at, label: name(bucket), ...values(bucket) }));
  const show = (index: number, states?: readonly string[]) => {
    const bucket = buckets[index];
    if (bucket !== undefined) void navigate({ to: "/activity", search: counted(view, space, states, bucket) });
  };
  // Empty buckets would only make the tables longer.
  const rows = (
    has: (bucket: Bucket) => boolean,
    cells: (bucket: Bucket) => { text: string; search?: ReturnType<typeof counted> }[],
  ) => buckets.filter(has).map((bucket) => ({ name: name(bucket), cells: cells(bucket) }));

  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <Card
        title="Invocations by outcome"
        about="Select a bar to see its invocations."
        isWide
        columns={OUTCOMES.map((outcome) => outcome.name)}
        rows={rows(
          (bucket) => bucket.calls > 0,
          (bucket) =>
            OUTCOMES.map(({ id, states }) => ({
              text: number(count(bucket, id)),
              search: counted(view, space, states, bucket),
            })),
        )}
      >
        <Bars
          isCount
          format={number}
          series={OUTCOMES.filter((outcome) => buckets.some((bucket) => count(bucket, outcome.id) > 0))}
          points={points((bucket) => Object.fromEntries(OUTCOMES.map(({ id }) => [id, count(bucket, id)])))}
          onPress={(index, id) => show(index, OUTCOMES.find((outcome) => outcome.id === id)?.states)}
        />
      </Card>
      <Card
        id="answers"
        title="Time to answer"
        about="From request to approval or denial: median and p95."
        columns={["median", "p95", "requested", "answered"]}
        rows={rows(
          (bucket) => bucket.asked > 0,
          (bucket) => [
            { text: secs(bucket.approval_p50_s) },
            { text: secs(bucket.approval_p95_s) },
            { text: number(bucket.asked) },
            { text: number(bucket.answered) },
          ],
        )}
      >
        <Lines
          format={span}
          short={unit}
          series={[
            { id: "p50", name: "median", colour: "var(--accent)" },
            { id: "p95", name: "p95", colour: "var(--warn)" },
          ]}
          points={points((bucket) => ({ p50: bucket.approval_p50_s ?? null, p95: bucket.approval_p95_s ?? null }))}
          onPress={(index) => show(index)}
        />
      </Card>
      <Card
        title="Success rate"
        about="Share of executed invocations that succeeded."
        columns={["success rate", "succeeded", "failed", "unknown"]}
        rows={rows(
          (bucket) => success(bucket) !== null,
          (bucket) => [
            { text: percent(success(bucket)), search: counted(view, space, EXECUTED, bucket) },
            { text: number(bucket.succeeded), search: counted(view, space, ["succeeded"], bucket) },
            {
              text: number(bucket.failed + bucket.reverted),
              search: counted(view, space, ["failed", "reverted"], bucket),
            },
            { text: number(bucket.unknown), search: counted(view, space, ["unknown"], bucket) },
          ],
        )}
      >
        <Lines
          format={(value) => percent(value)}
          series={[{ id: "rate", name: "success rate", colour: "var(--good)" }]}
          points={points((bucket) => ({ rate: success(bucket) }))}
          onPress={(index) => show(index, EXECUTED)}
        />
      </Card>
      <Card
        title="Drift"
        about="New tools, and tools changed since their review, in the whole organization."
        columns={["drift"]}
        rows={rows(
          (bucket) => bucket.drift > 0,
          (bucket) => [{ text: number(bucket.drift) }],
        )}
      >
        <Bars
          isCount
          format={number}
          series={[{ id: "drift", name: "drift", colour: "var(--warn)" }]}
          points={points((bucket) => ({ drift: bucket.drift }))}
          onPress={() => void navigate({ to: "/catalog" })}
        />
      </Card>
      {view.totals.cost_usd > 0 && (
        <Card
          title="Model cost"
          about="What models cost in runs, in USD. Calls with an unknown price are not included."
          columns={["cost"]}
          rows={rows(
            (bucket) => bucket.cost_usd > 0,
            (bucket) => [{ text: costText(bucket.cost_usd) }],
          )}
        >
          <Bars
            format={costText}
            series={[{ id: "cost", name: "cost", colour: "var(--accent)" }]}
            points={points((bucket) => ({ cost: bucket.cost_usd }))}
            onPress={() => void navigate({ to: "/runs" })}
          />
        </Card>
      )}
    </div>
  );
}

function secs(value: number | null | undefined): string {
  return value == null ? "–" : span(value);
}
