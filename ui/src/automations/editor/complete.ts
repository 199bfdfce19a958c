// Completion in the JSON editor: names and filters in templates, actions, and values of fields.
import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { isWithin } from "../../form/insert";
import { placeAt } from "../../form/json/pointers";
import { plain } from "../../text/visible";
import type { Fields } from "../definition";
import { namesAt, type Place } from "../names";
import type { Action } from "../queries";
import { AGENT_OPTION } from "./agent/agent";

const KEYWORDS: Record<string, string[]> = {
  type: ["schedule", "webhook", "event"],
  missed: ["skip", "once"],
  concurrency: ["drop_if_running", "queue", "allow_parallel"],
  retry_backoff: ["none", "linear", "exponential"],
};

export function complete(
  context: CompletionContext,
  definition: Fields,
  actions: readonly Action[],
): CompletionResult | null {
  const text = context.state.doc.toString();
  const line = context.state.doc.lineAt(context.pos);
  const place = placeAt(text, context.pos);
  if (isWithin(line.text, context.pos - line.from)) return inTemplate(context, definition, place);
  const typed = context.matchBefore(/"[^"]*$/);
  const name = place.at(-1) ?? "";
  if (typed === null || place.length < 2) return null;
  const from = typed.from + 1;
  if (name === "action")
    return {
      from,
      options: [AGENT_OPTION, ...actions].map(({ action, description }) => ({
        label: action,
        detail: plain(description).slice(0, 60),
      })),
    };
  const keywords = KEYWORDS[name];
  return keywords === undefined ? null : { from, options: keywords.map((label) => ({ label })) };
}

function inTemplate(context: CompletionContext, definition: Fields, place: readonly string[]): CompletionResult | null {
  const prefix = context.matchBefore(/[\w.[\]]*$/);
  if (prefix === null) return null;
  const { groups, filters } = namesAt(definition, stepOf(place));
  const before = context.state.sliceDoc(Math.max(0, prefix.from - 10), prefix.from);
  if (/\|\s*$/.test(before)) return { from: prefix.from, options: filters.map(option) };
  if (prefix.from === prefix.to && !context.explicit && !/\{\{\s$/.test(before)) return null;
  return { from: prefix.from, options: groups.flatMap((group) => group.names.map(option)), validFor: /^[\w.]*$/ };
}

const option = ({ write, about }: { write: string; about: string }): Completion => ({
  label: write,
  detail: plain(about),
});

/** The step at a place, or the end of the plan. */
function stepOf(place: readonly string[]): Place {
  if (place[0] === "execution") return { list: "on_failure", index: Number(place[2] ?? Infinity) };
  return { list: "plan", index: place[0] === "plan" ? Number(place[1] ?? Infinity) : Infinity };
}
