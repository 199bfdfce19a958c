// Whether a policy is enforced, and why it is changed.
import { Choice } from "../../ui/Choice";
import { ReasonField } from "../ReasonField";
import type { PolicyState } from "../types";
import type { Draft } from "./draft";

export const STATE_CHOICES: readonly (readonly [PolicyState, string, string])[] = [
  ["enforced", "Enforced", "decides about each call"],
  ["observing", "Observing", "only records what it would decide"],
];

interface Props {
  draft: Draft;
  reason: string;
  onDraft: (next: Draft) => void;
  onReason: (next: string) => void;
}

export function SaveFields({ draft, reason, onDraft, onReason }: Props) {
  return (
    <section aria-label="Saving" className="space-y-4">
      <Choice
        name="State"
        value={draft.state}
        choices={STATE_CHOICES}
        onChange={(state) => onDraft({ ...draft, state })}
      />
      <ReasonField reason={reason} onChange={onReason} />
    </section>
  );
}
