// Runs the checks of a verification in order. Checks after a failed one are skipped.
import type { Signed } from "./assertion";

export interface Check {
  name: string;
  state: "ok" | "wrong" | "skipped";
  message: string;
  /** The error code that all verifiers share. */
  code?: string;
}

export interface Verdict {
  isGenuine: boolean;
  checks: Check[];
  /** `sha256:…` over the signed bytes, once verified. */
  digest: string | null;
  /** Votes with a verified passkey signature. */
  signed: Signed[];
}

/** The name of a check and the function that runs it. */
export type Step = [string, () => string | Promise<string>];

/** A failed check: the message and the error code that all verifiers share. */
export class CheckFailed extends Error {
  constructor(
    message: string,
    readonly code?: string,
  ) {
    super(message);
  }
}

export async function runChecks(steps: Step[]): Promise<Check[]> {
  const checks: Check[] = [];
  for (const [name, look] of steps) {
    if (checks.some((check) => check.state === "wrong"))
      checks.push({ name, state: "skipped", message: "not checked" });
    else checks.push(await one(name, look));
  }
  return checks;
}

async function one(name: string, look: Step[1]): Promise<Check> {
  try {
    return { name, state: "ok", message: await look() };
  } catch (error) {
    const { message, code } = error instanceof CheckFailed ? error : new CheckFailed("cannot be parsed");
    return { name, state: "wrong", message, ...(code !== undefined && { code }) };
  }
}
