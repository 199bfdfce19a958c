// The change that a backtest is about, as it is chosen.
import type { Mode } from "../../catalog/queries";
import type { Change, PolicyView } from "../types";

export type ChangeKind = "enforce" | "remove" | "rule" | "band";

/** What is chosen. */
export interface Choice {
  kind: ChangeKind;
  /** Name of a policy. */
  policy: string;
  action: string;
  mode: Mode;
  /** ID of a space. */
  space: string;
  band: string;
}

export const FIRST: Choice = { kind: "enforce", policy: "", action: "", mode: "allow", space: "", band: "amber" };

/** The request, or what is missing. */
export function requestOf(
  { kind, policy, action, mode, space, band }: Choice,
  policies: readonly PolicyView[],
): { request: Change } | { problem: string } {
  switch (kind) {
    case "enforce": {
      const text = policies.find((each) => each.name === policy)?.text;
      return text === undefined ? { problem: "Choose a policy." } : { request: { policies: [{ text }] } };
    }
    case "remove":
      return policy === "" ? { problem: "Choose a policy." } : { request: { remove: [policy] } };
    case "rule":
      return action.trim() === ""
        ? { problem: "Choose an action." }
        : { request: { rule: { action: action.trim(), mode } } };
    case "band":
      return space === "" ? { problem: "Choose a space." } : { request: { band: { space, band } } };
  }
}
