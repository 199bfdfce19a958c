// Tokens in groups: those of programs, signed-in browsers, and those that no longer work.
import { ago } from "../text/time";
import type { Token } from "./queries";

export interface TokenGroups {
  programs: Token[];
  browsers: Token[];
  over: Token[];
}

/** Each group has the most recently used first. */
export function groupTokens(tokens: readonly Token[], now: number): TokenGroups {
  const sorted = tokens.toSorted((a, b) => (b.last_used_at ?? "").localeCompare(a.last_used_at ?? ""));
  const live = sorted.filter((token) => !isOver(token, now));
  return {
    programs: live.filter((token) => !token.browser),
    browsers: live.filter((token) => token.browser),
    over: sorted.filter((token) => isOver(token, now)),
  };
}

function isOver({ revoked_at, expires_at }: Token, now: number): boolean {
  return revoked_at != null || (expires_at != null && Date.parse(expires_at) <= now);
}

/** Tokens whose name or whose person's name contains the text. */
export function findTokens(tokens: readonly Token[], text: string, nameOf: (user: string) => string): Token[] {
  const wanted = text.trim().toLowerCase();
  return tokens.filter(({ name, user }) => `${name}\n${nameOf(user)}`.toLowerCase().includes(wanted));
}

export function usedText({ last_used_at }: Token, now: number): string {
  return last_used_at == null ? "never used" : `used ${ago(last_used_at, now)}`;
}
