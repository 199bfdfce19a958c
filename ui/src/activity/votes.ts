// The votes in a receipt, before verification.
import type { Receipt } from "./queries";

export interface Vote {
  user: string;
  verdict: string;
  at: string;
  isSigned: boolean;
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
    return (facts?.approvals ?? []).map(({ user, verdict, at, assertion }) => ({
      user: String(user),
      verdict: String(verdict),
      at: String(at),
      isSigned: assertion != null,
    }));
  } catch {
    return [];
  }
}
