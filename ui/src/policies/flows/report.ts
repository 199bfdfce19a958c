// The report about flows in words.
import type { Schemas } from "../../api/client";
import { number } from "../../text/number";
import { counted } from "../words";

export type FlowReport = Schemas["FlowReport"];
export type FlowReportItem = Schemas["FlowReportItem"];

/** “In the last 14 days, flows alone would have asked 12 questions (8 in 40 runs: 0.2 per run).” */
export function flowSentence(report: FlowReport, days: number): string {
  const { questions, questions_of_runs, runs, denied, items } = report;
  const time = days === 1 ? "In the last day" : `In the last ${number(days)} days`;
  if (items.length === 0) return `${time}, no request was held because of its flow, and none would have been.`;
  const rest = denied === 0 ? "" : ` People denied ${counted(denied, "request")} that waited because of the flow.`;
  const share = runs === 0 ? "" : `: ${perRun(questions_of_runs, runs)} per run`;
  const ofRuns = `(${number(questions_of_runs)} in ${counted(runs, "run")}${share})`;
  return `${time}, flows alone ${verb(items)} ${counted(questions, "question")} ${ofRuns}.${rest}`;
}

/** Flows can be observed for a part of the time. */
function verb(items: readonly FlowReportItem[]): string {
  const asking = items.filter(({ mode, alone }) => mode === "require_approval" && alone > 0);
  const of = asking.length === 0 ? items : asking;
  if (of.every(({ observing }) => observing)) return "would have asked";
  return of.some(({ observing }) => observing) ? "asked or would have asked" : "asked";
}

function perRun(questions: number, runs: number): string {
  const share = questions / runs;
  return share > 0 && share < 0.01 ? `under ${number(0.01)}` : number(Math.round(share * 100) / 100);
}

const DEMANDS = new Map([
  ["require_approval", ["asked", "would have asked"]],
  ["deny", ["denied", "would have denied"]],
]);

/** What flows did, or would have done. A mode that is newer than this page is shown as it is. */
export function demandText({ mode, observing }: Pick<FlowReportItem, "mode" | "observing">): string {
  return DEMANDS.get(mode)?.[observing ? 1 : 0] ?? mode;
}
