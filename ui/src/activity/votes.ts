// The votes in a receipt, before verification.
import { signInText } from "../policy/reasons";
import type { Receipt } from "./queries";

export interface Vote {
  user: string;
  verdict: string;
  at: string;
  isSigned: boolean;
  /** How the person was signed in. Older receipts do not say it. */
  signIn: string;
}

export function votesOf({ envelope, kept }: Receipt): Vote[] {
  try {
    const { payload } = (envelope ?? {}) as { payload?: string };
    const bytes = Uint8Array.from(atob(payload ?? ""), (letter) => letter.charCodeAt(0));
    const facts = (
      payload === undefined
        ? (kept as { facts?: unknown } | null | undefined)?.facts
        : JSON.parse(new TextDecoder().decode(bytes))
    ) as { approvals?: Record<string, unknown>[] } | undefined;
    return (facts?.approvals ?? []).map(({ user, verdict, at, assertion, known_by }) => ({
      user: String(user),
      verdict: String(verdict),
      at: String(at),
      isSigned: assertion != null,
      signIn: signIn(known_by, String(at)),
    }));
  } catch {
    return [];
  }
}

function signIn(knownBy: unknown, at: string): string {
  const { method, since } = (knownBy ?? {}) as Record<string, unknown>;
  return signInText(
    { method: typeof method === "string" ? method : null, signed_in_at: typeof since === "string" ? since : null },
    at,
  );
}
