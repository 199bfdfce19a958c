// A verification told step by step: what was looked at and what was found. What comes after a check that failed is not
// looked at.
import type { Signed } from "./assertion";

export interface Check {
  name: string;
  state: "ok" | "wrong" | "skipped";
  said: string;
  /** The name of the refusal, where every verifier has the same. */
  code?: string;
}

export interface Verdict {
  isGenuine: boolean;
  checks: Check[];
  /** `sha256:…` over the signed bytes, once it is known that they were signed. */
  digest: string | null;
  /** The votes that are signed with a passkey, as far as that was looked at. */
  signed: Signed[];
}

/** The name of a check, and what says what it found. */
export type Step = [string, () => string | Promise<string>];

/** What a check found wrong, in words, and by the name that every verifier has for it. */
export class Wrong extends Error {
  constructor(words: string, readonly code?: string) {
    super(words);
  }
}

export async function walk(steps: Step[]): Promise<Check[]> {
  const checks: Check[] = [];
  for (const [name, look] of steps) {
    if (checks.some((check) => check.state === "wrong")) checks.push({ name, state: "skipped", said: "not looked at" });
    else checks.push(await one(name, look));
  }
  return checks;
}

async function one(name: string, look: Step[1]): Promise<Check> {
  try {
    return { name, state: "ok", said: await look() };
  } catch (error) {
    const { message: said, code } = error instanceof Wrong ? error : new Wrong("it cannot be read");
    return { name, state: "wrong", said, ...(code !== undefined && { code }) };
  }
}
