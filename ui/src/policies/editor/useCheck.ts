// Checks a text shortly after each change, with the cases of the organization.
import { useEffect, useState } from "react";
import { check } from "../queries";
import type { Case, CheckAnswer, CheckRequest, FactDefinition } from "../types";

const AFTER_MS = 350;

export interface Checked {
  isChecking: boolean;
  /** The last answer, also while a newer text is checked. */
  answer: CheckAnswer | null;
  /** The text that the answer is about. */
  text: string;
  /** Why the request failed. */
  error: unknown;
}

interface Asked {
  text: string;
  /** The same text, as the policies that it has. The same object while it does not change. */
  policies: readonly string[];
  cases: readonly Case[];
  facts?: readonly FactDefinition[];
}

const NO_FACTS: FactDefinition[] = [];

export function useCheck({ text, policies, cases, facts = NO_FACTS }: Asked): Checked {
  const [checked, setChecked] = useState<Checked>({ isChecking: true, answer: null, text: "", error: null });
  useEffect(() => {
    const stop = new AbortController();
    setChecked((last) => (last.isChecking ? last : { ...last, isChecking: true }));
    const timer = setTimeout(() => {
      const texts = policies.map((each) => ({ text: each }));
      const body: CheckRequest = { policies: texts, facts: [...facts], cases: [...cases] };
      check(body, stop.signal).then(
        (answer) => setChecked({ isChecking: false, answer, text, error: null }),
        (error: unknown) => !stop.signal.aborted && setChecked((last) => ({ ...last, isChecking: false, error })),
      );
    }, AFTER_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [text, policies, cases, facts]);
  return checked;
}
