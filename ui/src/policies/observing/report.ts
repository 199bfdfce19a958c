// The report of an observing policy in words.
import { number } from "../../text/number";
import type { Report } from "../types";
import { counted, listed } from "../words";

/** “Matched 44 calls: would have asked about 40 and denied 3. 1 was already decided at least as strictly.” */
export function reportSentence({ held, would_ask, would_deny, already_stricter }: Report): string {
  if (held === 0) return "No call matched this policy in this period.";
  const parts = [
    ...(would_ask > 0 ? [`asked about ${number(would_ask)}`] : []),
    ...(would_deny > 0 ? [`denied ${number(would_deny)}`] : []),
  ];
  const stricter =
    already_stricter === 0
      ? ""
      : ` ${number(already_stricter)} ${already_stricter === 1 ? "was" : "were"} already decided at least as strictly.`;
  const effect = parts.length === 0 ? "changed no decision" : listed(parts);
  return `Matched ${counted(held, "call")}: would have ${effect}.${stricter}`;
}
