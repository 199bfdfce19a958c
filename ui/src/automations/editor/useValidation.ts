// Looks at the definition a moment after each change, and says what is wrong with it and what policy would say.
import { useEffect, useState } from "react";
import type { DocumentProblem } from "../../form/problems";
import type { Fields } from "../definition";
import { type Outlook, validate, type Where } from "../queries";

const AFTER_MS = 350;

export interface Verdict {
  isChecking: boolean;
  problems: DocumentProblem[];
  steps: Outlook[];
  /** Why it could not be looked at. */
  error: unknown;
}

export function useValidation(definition: Fields, { automation, space }: Where): Verdict {
  const [verdict, setVerdict] = useState<Verdict>({ isChecking: true, problems: [], steps: [], error: null });
  useEffect(() => {
    const stop = new AbortController();
    setVerdict((last) => (last.isChecking ? last : { ...last, isChecking: true }));
    const timer = setTimeout(() => {
      validate(definition, { automation, space }, stop.signal).then(
        ({ problems, steps }) => setVerdict((last) => ({ isChecking: false, problems, steps: steps ?? (problems.length > 0 ? last.steps : []), error: null })),
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
