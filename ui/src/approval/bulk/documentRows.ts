// What a document says besides its parameters, as rows. Every document has the same rows, so that they can be compared.
import type { Schemas } from "../../api/client";
import { rows, type ValueRow } from "../../text/rows";
import { moment } from "../../text/time";
import { flowText, passageText } from "../flow/passages";
import { hiddenBecause } from "../hidden/revealed";
import type { ShownDocument } from "../shown";
import { isRepeat, NO_UNDO, openedByLabel, STAYS } from "../wording";

export function documentRows(shown: ShownDocument): ValueRow[] {
  const { proposer, undo, why, only_once, changed, diff, reason, flow } = shown;
  return [
    fact("Hidden values", shown.hidden.map(hiddenPlace).join("\n")),
    quoted("Edited", shown.edits.map(edit).join("\n")),
    fact("Goes to", shown.destinations.map(destination).join("\n") || "Not recorded"),
    fact("Where the data goes", flow == null ? "" : flowText(flow)),
    quoted("Passages that were read", flow == null ? "" : flow.passages.map(passageText).join("\n")),
    quoted("Preview", preview(shown)),
    fact("Undo", undo ?? NO_UNDO),
    quoted("Reason given by the agent", reason),
    fact("Changed since it was first asked", changed.join(", ")),
    fact("Changed definition", diff ?? ""),
    fact("Why approval is needed", [...why, ...(only_once === null ? [] : [`Only once: ${only_once}`])].join("\n")),
    fact(openedByLabel(proposer), proposer.opened_by),
    fact("Run started by", proposer.started_by ?? ""),
    fact("Automation", proposer.automation ?? ""),
    fact("Read before by this session", shown.read_before.map(read).join("\n") || "Nothing"),
    fact("Previous decisions", earlier(shown.earlier)),
  ];
}

/** A fact that the gateway states. */
const fact = (path: string, value: string): ValueRow => ({ path, type: "word", value, isLabel: true });
/** A text by the agent, the source or another person. An empty one is left out. */
const quoted = (path: string, value: string): ValueRow => ({
  path,
  type: value === "" ? "word" : "text",
  value,
  isLabel: true,
});

function destination({ source, address, account }: ShownDocument["destinations"][number]): string {
  return `${source}: ${address ?? STAYS}${account === null ? "" : ` as ${account}`}`;
}

function hiddenPlace(place: ShownDocument["hidden"][number]): string {
  return `${place.pointer === "" ? "all parameters" : place.pointer}: ${hiddenBecause(place)}${place.rule}`;
}

function read({ action, times, untrusted }: ShownDocument["read_before"][number]): string {
  return `${action}${times > 1 ? ` × ${times}` : ""}${untrusted ? " (may contain text by strangers)" : ""}`;
}

function preview({ preview: found, params }: ShownDocument): string {
  if (found === null) return "";
  const changes = isRepeat(found.changes, params)
    ? [`(${found.changes.length} set from the parameters)`]
    : found.changes.map(change);
  const basis = found.basis.map(({ name, value }) => `counts only while ${name} is ${written(value)}`);
  return [found.summary, ...changes, ...basis].join("\n");
}

function edit({ by, at, note, changes }: ShownDocument["edits"][number]): string {
  return [`${by} on ${moment(at)}${note === "" ? "" : `: ${note}`}`, ...changes.map(change)].join("\n");
}

function change({ field, before, after }: Schemas["PreviewChange"]): string {
  return `${field}: ${written(before)} → ${written(after)}`;
}

function written(value: unknown): string {
  if (value == null) return "none";
  const parts = rows(value).map((row) => {
    const literal = row.type === "text" ? JSON.stringify(row.value) : row.value;
    return row.path === "" ? literal : `${row.path} ${literal}`;
  });
  return parts.join(", ");
}

function earlier({ approved, denied, last }: ShownDocument["earlier"]): string {
  if (last === null) return "None";
  const note = last.note === "" ? "" : `: ${last.note}`;
  return `${approved} approved, ${denied} denied\n${last.name} ${last.verdict} on ${moment(last.at)}${note}`;
}
