// Tokens that work are told from those that do not, and a search finds both the token and its person.
import { expect, it } from "vitest";
import type { Token } from "./queries";
import { findTokens, groupTokens, usedText } from "./tokens";

const NOW = Date.parse("2026-11-18T08:00:00Z");
const token = (name: string, more: Partial<Token> = {}): Token => ({
  id: `tok_${name}`,
  user: "usr_1",
  name,
  created_at: "2026-11-01T00:00:00Z",
  expires_at: "2027-01-30T00:00:00Z",
  ...more,
});
const names = (tokens: Token[]) => tokens.map(({ name }) => name);

it("groups tokens, and has the most recently used first", () => {
  const groups = groupTokens(
    [
      token("never"),
      token("old", { expires_at: null, last_used_at: "2026-11-10T00:00:00Z" }),
      token("new", { last_used_at: "2026-11-18T07:00:00Z" }),
      token("firefox", { browser: true }),
      token("revoked", { revoked_at: "2026-11-02T00:00:00Z" }),
      token("expired", { expires_at: "2026-11-18T08:00:00Z", browser: true }),
    ],
    NOW,
  );
  expect(names(groups.programs)).toEqual(["new", "old", "never"]);
  expect(names(groups.browsers)).toEqual(["firefox"]);
  expect(names(groups.over)).toEqual(["revoked", "expired"]);
});

it("finds tokens by their name and by their person's name", () => {
  const all = [token("CI", { user: "usr_2" }), token("laptop"), token("mara's phone", { user: "usr_3" })];
  const nameOf = (user: string) => ({ usr_1: "Mara", usr_2: "deploy-bot" })[user] ?? user;
  expect(names(findTokens(all, " MARA ", nameOf))).toEqual(["laptop", "mara's phone"]);
  expect(names(findTokens(all, "deploy", nameOf))).toEqual(["CI"]);
  expect(findTokens(all, "", nameOf)).toHaveLength(3);
});

it("says when a token was last used", () => {
  expect(usedText(token("a"), NOW)).toBe("never used");
  expect(usedText(token("a", { last_used_at: "2026-11-18T06:00:00Z" }), NOW)).toBe("used 2h 00m ago");
});
