// The charts of the overview: which numbers each shows, and where a press leads.
import { useNavigate } from "@tanstack/react-router";
import { span } from "../text/time";
import { Bars, Lines, type Point } from "./Draw";
import { Card } from "./Card";
import type { Bucket, Overview } from "./queries";
import { count, counted, dollars, OUTCOMES, percent, success, unit, when } from "./series";

const TRIED = ["succeeded", "failed", "reverted", "unknown"];

export function Charts({ view, space }: { view: Overview; space: string | null }) {
  const navigate = useNavigate();
  const { buckets, bucket_s } = view;
  const name = (bucket: Bucket) => when(bucket.at, bucket_s);
  const points = (values: (bucket: Bucket) => Record<string, number | null>): Point[] => buckets.map((bucket) => ({ at: bucket.at, label: name(bucket), ...values(bucket) }));
  const show = (index: number, states?: readonly string[]) => {
    const bucket = buckets[index];
    if (bucket !== undefined) void navigate({ to: "/activity", search: counted(view, space, states, bucket) });
  };
  // Empty stretches would only make the tables longer.
  const rows = (has: (bucket: Bucket) => boolean, cells: (bucket: Bucket) => { text: string; search?: ReturnType<typeof counted> }[]) =>
    buckets.filter(has).map((bucket) => ({ name: name(bucket), cells: cells(bucket) }));

  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <Card title="Invocations by outcome" about="Press a part of a bar to see what it counts." isWide columns={OUTCOMES.map((outcome) => outcome.name)}
        rows={rows((bucket) => bucket.calls > 0, (bucket) => OUTCOMES.map(({ id, states }) => ({ text: String(count(bucket, id)), search: counted(view, space, states, bucket) })))}>
        <Bars isCount format={String} series={OUTCOMES.filter((outcome) => buckets.some((bucket) => count(bucket, outcome.id) > 0))}
          points={points((bucket) => Object.fromEntries(OUTCOMES.map(({ id }) => [id, count(bucket, id)])))}
          onPress={(index, id) => show(index, OUTCOMES.find((outcome) => outcome.id === id)?.states)} />
      </Card>
      <Card id="answers" title="How long people take" about="From the question to the answer: half of them, and 95 of 100." columns={["half", "95 %", "asked", "answered"]}
        rows={rows((bucket) => bucket.asked > 0, (bucket) => [{ text: secs(bucket.approval_p50_s) }, { text: secs(bucket.approval_p95_s) }, { text: String(bucket.asked) }, { text: String(bucket.answered) }])}>
        <Lines format={span} short={unit} series={[{ id: "p50", name: "half", colour: "var(--accent)" }, { id: "p95", name: "95 %", colour: "var(--warn)" }]}
          points={points((bucket) => ({ p50: bucket.approval_p50_s ?? null, p95: bucket.approval_p95_s ?? null }))} onPress={(index) => show(index)} />
      </Card>
      <Card title="Success" about="Of what was tried, how much succeeded." columns={["success", "succeeded", "failed", "unknown"]}
        rows={rows((bucket) => success(bucket) !== null, (bucket) => [
          { text: percent(success(bucket)), search: counted(view, space, TRIED, bucket) }, { text: String(bucket.succeeded), search: counted(view, space, ["succeeded"], bucket) },
          { text: String(bucket.failed + bucket.reverted), search: counted(view, space, ["failed", "reverted"], bucket) }, { text: String(bucket.unknown), search: counted(view, space, ["unknown"], bucket) },
        ])}>
        <Lines format={(value) => `${Math.round(value * 100)} %`} series={[{ id: "rate", name: "success", colour: "var(--good)" }]} points={points((bucket) => ({ rate: success(bucket) }))} onPress={(index) => show(index, TRIED)} />
      </Card>
      <Card title="Cost" about="What models cost in runs." columns={["cost", "runs", "of these failed"]}
        rows={rows((bucket) => bucket.cost_usd > 0 || bucket.runs_succeeded + bucket.runs_failed > 0, (bucket) => [{ text: dollars(bucket.cost_usd) }, { text: String(bucket.runs_succeeded + bucket.runs_failed) }, { text: String(bucket.runs_failed) }])}>
        <Bars format={dollars} series={[{ id: "cost", name: "cost", colour: "var(--accent)" }]} points={points((bucket) => ({ cost: bucket.cost_usd }))} onPress={() => void navigate({ to: "/runs" })} />
      </Card>
      <Card title="Drift" about="Tools found to be new, or no longer what was reviewed, in the whole org." columns={["drift"]} rows={rows((bucket) => bucket.drift > 0, (bucket) => [{ text: String(bucket.drift) }])}>
        <Bars isCount format={String} series={[{ id: "drift", name: "drift", colour: "var(--warn)" }]} points={points((bucket) => ({ drift: bucket.drift }))} onPress={() => void navigate({ to: "/catalog" })} />
      </Card>
    </div>
  );
}

function secs(value: number | null | undefined): string {
  return value == null ? "–" : span(value);
}
