// Passages of the parameters that stand word for word in what was read, and a flow as text.
import type { Schemas } from "../../api/client";
import { audienceText, chosenByText, NO_PLACE } from "../../policy/flow";
import { number } from "../../text/number";

export type ShownFlow = Schemas["ShownFlow"];
export type Passage = Schemas["ShownPassage"];

/** Where a passage is in the parameters. */
export function placeOf({ pointer }: Pick<Passage, "pointer">): string {
  return pointer === "" ? "the parameters" : pointer;
}

/** “ (the first 400 of 1,200 characters)”; empty if the whole passage is shown. */
export function cutText({ text, characters }: Pick<Passage, "text" | "characters">): string {
  const shown = Array.from(text).length;
  return shown < characters ? ` (the first ${number(shown)} of ${number(characters)} characters)` : "";
}

/** A flow in lines. Places and passages are quoted, because a model may have written them. */
export function flowText({ to, audience, chosen_by, why, observing, ...read }: ShownFlow): string {
  const reason = observing ? "Only recorded, would be held" : "Held";
  return [
    to.length === 0 ? NO_PLACE : to.map((place) => JSON.stringify(place)).join(", "),
    `Who may see it there: ${audienceText(audience)}`,
    `Place chosen by: ${chosenByText(chosen_by)}`,
    `Read, may contain text by strangers: ${read.untrusted.join(", ") || "nothing"}`,
    `Read, not public: ${read.private.join(", ") || "nothing"}`,
    ...(why === "" && !observing ? [] : [`${reason}: ${why}`]),
  ].join("\n");
}

/** “/text: "…" stands word for word in the result of linear.get_issue (inv_1)” */
export function passageText(passage: Passage): string {
  const quoted = JSON.stringify(passage.text);
  const from = `${passage.action} (${passage.invocation})`;
  return `${placeOf(passage)}: ${quoted}${cutText(passage)} stands word for word in the result of ${from}`;
}
