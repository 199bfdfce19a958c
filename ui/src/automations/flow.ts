// What happens to a flow of an automation, in words.
import type { Tone } from "../ui/Bits";
import type { Flow, Outlook } from "./queries";

export interface Outcome {
  text: string;
  tone: Tone;
}

const ASKED: Record<string, Outcome> = {
  held: { text: "A person is asked each time", tone: "warn" },
  observed: { text: "A person would be asked each time", tone: "plain" },
};
const DENIED: Record<string, Outcome> = {
  held: { text: "It is denied", tone: "bad" },
  observed: { text: "It would be denied", tone: "plain" },
};

/** `holds` is whether flows are held; otherwise they are only observed. */
export function outcomeOf({ mode, consented }: Pick<Flow, "mode" | "consented">, holds: boolean): Outcome {
  const of = holds ? "held" : "observed";
  if (consented && mode === "allow") return { text: "An admin consented", tone: "good" };
  if (mode === "allow") return { text: "Nothing is asked", tone: "plain" };
  // A mode that is newer than this page is shown as it is.
  const known = mode === "deny" ? DENIED[of] : mode === "require_approval" ? ASKED[of] : undefined;
  return known ?? { text: mode, tone: "warn" };
}

const STRICT: readonly string[] = ["allow", "require_approval", "deny"];

/** What policy decides about the steps, or what their flows demand where that is stricter and flows are held. */
export function withFlows(
  outlooks: readonly Outlook[],
  found: { holds: boolean; flows: readonly Flow[] } | undefined,
): Outlook[] {
  const held = found?.holds ? found.flows : [];
  return outlooks.map((outlook) => {
    const flow = held.find((each) => each.step_id === outlook.step_id);
    const isKnown = STRICT.includes(outlook.mode);
    const isStricter = isKnown && flow !== undefined && STRICT.indexOf(flow.mode) > STRICT.indexOf(outlook.mode);
    return isStricter ? { ...outlook, mode: flow.mode, reason: flow.why } : outlook;
  });
}

/** Stands for every place. */
const EVERYWHERE = "*";
export const ANY_PLACE = "Whatever the definition or the person who starts the run says";

/** The destination that a consent names, or what stands for all of them. */
export function destinationText(destination: string): string {
  return destination === EVERYWHERE ? ANY_PLACE : destination;
}
