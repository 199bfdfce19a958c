// Validates the definition shortly after each change.
import { useEffect, useState } from "react";
import type { DocumentProblem } from "../../form/problems";
import type { Fields } from "../definition";
import { type Outlook, type Schedule, type ValidationContext, validate } from "../queries";

const AFTER_MS = 350;

export interface Verdict {
  isChecking: boolean;
  problems: DocumentProblem[];
  steps: Outlook[];
  schedules: Schedule[];
  /** What a person would want to look at twice. `warnings` tells the values that do not fit, at their exact places. */
  worth: DocumentProblem[];
  /** Why the validation request failed. */
  error: unknown;
}

export function useValidation(definition: Fields, { automation, space }: ValidationContext): Verdict {
  const [verdict, setVerdict] = useState<Verdict>({
    isChecking: true,
    problems: [],
    steps: [],
    schedules: [],
    worth: [],
    error: null,
  });
  useEffect(() => {
    const stop = new AbortController();
    setVerdict((last) => (last.isChecking ? last : { ...last, isChecking: true }));
    const timer = setTimeout(() => {
      validate(definition, { automation, space }, stop.signal).then(
        ({ problems, steps, schedules, worth_checking: worth = [] }) =>
          setVerdict((last) => ({
            isChecking: false,
            problems,
            steps: steps ?? (problems.length > 0 ? last.steps : []),
            schedules: schedules ?? [],
            worth: worth.filter((each) => each.kind !== "value"),
            error: null,
          })),
        (error: unknown) => !stop.signal.aborted && setVerdict((last) => ({ ...last, isChecking: false, error })),
      );
    }, AFTER_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [definition, automation, space]);
  return verdict;
}
