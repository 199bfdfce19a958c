// The place of a problem in a text.
import type { PolicyProblem } from "../types";

export interface Range {
  from: number;
  to: number;
}

/** Never empty, and always within the text. A problem without a place is at the beginning. */
export function rangeOf(text: string, problem: Pick<PolicyProblem, "line" | "column" | "length">): Range {
  const [line, column, length] = [problem.line ?? 1, problem.column ?? 1, problem.length ?? 1];
  let from = 0;
  for (let left = line; left > 1; left -= 1) {
    const end = text.indexOf("\n", from);
    if (end < 0) return last(text);
    from = end + 1;
  }
  from += Math.max(0, column - 1);
  if (from >= text.length) return last(text);
  return { from, to: Math.min(text.length, from + Math.max(1, length)) };
}

const last = (text: string): Range => ({ from: Math.max(0, text.length - 1), to: text.length });
