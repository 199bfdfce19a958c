// A verification told step by step: what was looked at and what was found. What comes after a check that failed is not
// looked at.

export interface Check {
  name: string;
  state: "ok" | "wrong" | "skipped";
  said: string;
}

export interface Verdict {
  isGenuine: boolean;
  checks: Check[];
  /** `sha256:…` over the signed bytes, once it is known that they were signed. */
  digest: string | null;
}

/** The name of a check, and what says what it found. */
export type Step = [string, () => string | Promise<string>];

/** What a check found wrong, in words. */
export class Wrong extends Error {}

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
    return { name, state: "wrong", said: error instanceof Wrong ? error.message : "it cannot be read" };
  }
}
