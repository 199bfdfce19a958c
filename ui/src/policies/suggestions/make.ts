// The kinds of suggestions, and how each one is made.
import { api, take } from "../../api/client";
import { write } from "../../api/write";
import type { Tone } from "../../ui/Bits";
import { changing } from "../queries";
import { because } from "../reason";
import type { PolicySuggestion } from "../types";

interface Kind {
  label: string;
  tone: Tone;
  /** What the button does. */
  make: string;
}

export const KINDS: Record<PolicySuggestion["kind"], Kind> = {
  grant: {
    label: "Grant",
    tone: "good",
    make: "Create grant",
  },
  remove_rule: {
    label: "Unused rule",
    tone: "plain",
    make: "Delete rule",
  },
  deny: {
    label: "Deny",
    tone: "bad",
    make: "Deny action",
  },
};

/** The same suggestion has the same key after the list was refetched. */
export const keyOf = ({ kind, action, where, rule }: PolicySuggestion): string =>
  [kind, action, rule ?? "", write(where ?? null)].join(" ");

export interface Bounds {
  max_calls: number;
  lifetime_s: number;
}

/** Numbers of a condition keep their digits. */
const bodySerializer = (value: unknown) => write(value);

/** Makes the change exactly as it was suggested. A grant is bounded by what the person chose. */
export function make(
  { kind, action, where, rule }: PolicySuggestion,
  bounds: Bounds,
  reason: string,
): Promise<unknown> {
  switch (kind) {
    case "grant": {
      const body = { action, ...bounds, reason, ...(where == null ? {} : { where: where as never }) };
      return changing(take(api.POST("/v1/grants", { body, bodySerializer })));
    }
    case "remove_rule": {
      const params = { path: { rule: rule ?? "" } };
      return changing(take(api.DELETE("/v1/rules/{rule}", { params, headers: because(reason) })));
    }
    case "deny":
      return changing(take(api.PUT("/v1/rules", { body: { action, mode: "deny", reason } })));
  }
}
