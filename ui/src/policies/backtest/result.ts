// A backtest: its stream, and its result in words and numbers.
import { type Json, numeric, parse } from "../../api/json";
import { number } from "../../text/number";
import type { BacktestResult, Totals } from "../types";
import { counted } from "../words";

export interface Progress {
  done: number;
  of: number;
}

export type Piece = { progress: Progress } | { result: BacktestResult } | { problem: unknown };

/** Reads JSON objects, one a line, however the stream is cut into pieces. */
export class LineReader {
  private rest = "";

  read(piece: string): Piece[] {
    const lines = (this.rest + piece).split("\n");
    this.rest = lines.pop() ?? "";
    return lines.filter((line) => line.trim() !== "").map((line) => numeric(parse(line)) as Json as unknown as Piece);
  }

  /** What is left when the stream ends. */
  end(): Piece[] {
    return this.read("\n");
  }
}

export const MODE_NAMES = ["allow", "require_approval", "deny"] as const;
type ModeName = (typeof MODE_NAMES)[number];

/** 0 to 1. */
export const share = ({ done, of }: Progress): number => (of <= 0 ? 0 : Math.min(1, done / of));

/** “In the last 30 days this would have let 412 run without asking, denied 3 more, and asked 57 times …” */
export function sentence(result: BacktestResult, days: number): string {
  const when = days === 1 ? "In the last day" : `In the last ${number(days)} days`;
  const { before, after } = result;
  if (result.invocations === 0) return `${when} there were no calls to test this on.`;
  if (result.newly_allowed + result.newly_asked + result.newly_denied === 0)
    return `${when} this would have changed none of ${counted(result.invocations, "decision")}.`;
  const parts = [
    ...(result.newly_allowed > 0 ? [`let ${number(result.newly_allowed)} run without asking`] : []),
    ...(result.newly_denied > 0 ? [`denied ${number(result.newly_denied)} more`] : []),
    ...(before.require_approval !== after.require_approval
      ? [`asked ${times(after.require_approval)} instead of ${number(before.require_approval)}`]
      : []),
  ];
  if (parts.length === 0) return `${when} this would have asked about ${number(result.newly_asked)} other calls.`;
  const [last = "", ...others] = parts.reverse();
  const beginning = others.reverse().join(", ");
  const joined = others.length === 0 ? last : `${beginning}${others.length > 1 ? "," : ""} and ${last}`;
  return `${when} this would have ${joined}.`;
}

const times = (count: number) => (count === 0 ? "never" : count === 1 ? "once" : `${number(count)} times`);

/** The mode whose number changes most, which the chart shows first. */
export function mostChanged(before: Totals, after: Totals): ModeName {
  const change = (mode: ModeName) => Math.abs(after[mode] - before[mode]);
  const order: ModeName[] = ["require_approval", "allow", "deny"];
  return order.reduce((best, each) => (change(each) > change(best) ? each : best));
}

/** “+3”, “−12” or “0”. */
export function difference(before: number, after: number): string {
  const by = after - before;
  return by > 0 ? `+${number(by)}` : by < 0 ? `−${number(-by)}` : "0";
}
