// The draft of a policy: its name, and whether it can be saved.
import type { Change, CheckAnswer, ComparisonRequest, PolicyProblem, PolicyState, PolicyView } from "../types";
import { annotation } from "./cedar";

export const FIRST_TEXT = `// A policy denies a call, or asks a person, when its conditions hold.
@id("my-policy")
@mode("ask")
@why("Unattended session")
forbid (principal, action in Action::"risk:R2", resource)
when { principal.unattended };
`;

export interface Draft {
  text: string;
  state: PolicyState;
}

export const draftOf = (saved: PolicyView | null): Draft =>
  saved === null ? { text: FIRST_TEXT, state: "observing" } : { text: saved.text, state: saved.state };

export const nameOf = (text: string): string => annotation(text, "id") ?? "";

/** What is wrong with the name; null if nothing is. */
export function nameProblem(text: string, saved: PolicyView | null, names: readonly string[]): string | null {
  const name = nameOf(text);
  if (name === "") return 'The policy has no name. Add @id("name") before forbid.';
  if (saved !== null && name !== saved.name)
    return `This policy is named ${saved.name}. To rename it, create a new policy and delete this one.`;
  if (saved === null && names.includes(name)) return `A policy named ${name} already exists. Choose another name.`;
  return null;
}

/** Whether something else is stored by now than what was opened: another version, or another policy with its name. */
export const hasNewer = (opened: PolicyView | null, stored: PolicyView | null): boolean =>
  stored !== null && (stored.id !== opened?.id || stored.version !== opened.version);

export const errorsOf = (answer: CheckAnswer | null): PolicyProblem[] =>
  answer?.problems.filter(({ severity }) => severity === "error") ?? [];

/** “3 problems”, “1 warning”, “valid”. */
export function checkText(problems: readonly PolicyProblem[]): string {
  const errors = problems.filter(({ severity }) => severity === "error").length;
  const [count, word] = errors > 0 ? [errors, "problem"] : [problems.length, "warning"];
  return count === 0 ? "valid" : `${count} ${word}${count === 1 ? "" : "s"}`;
}

interface Tests {
  backtest: Change;
  about: string;
  compare: ComparisonRequest;
}

/** How the draft is tested: as it would be saved. A policy that is new or observes is tried as if it were enforced. */
export function testsOfDraft({ text, state }: Draft, saved: PolicyView | null): Tests {
  if (state === "observing" && saved?.state === "enforced") {
    const backtest = { remove: [saved.name] };
    const about = "Decides past calls again without this policy, because an observing policy decides nothing.";
    return { backtest, about, compare: { text: "", remove: saved.name } };
  }
  const about =
    state === "observing"
      ? "Decides past calls again as if this policy were enforced. Nothing is executed."
      : "Decides past calls again with this policy. Nothing is executed.";
  return { backtest: { policies: [{ text }] }, about, compare: { text } };
}
