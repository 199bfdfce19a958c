// The state of a provider says what must be mended first.
import { expect, it } from "vitest";
import type { Model, Provider } from "./queries";
import { priceFromText, stateOf, wireText } from "./words";

const TESTED = { at: "2026-11-18T10:00:00Z", model: "small", calls_tools: true, answers_in_schema: true };
const provider = (more: Partial<Provider> = {}): Provider => ({
  id: "mpv_1",
  provider: "local",
  action: "model.local",
  wire: "openai_chat",
  base_url: "http://127.0.0.1:8000/v1",
  auth: { kind: "bearer", secret: "local-key" },
  has_credential: true,
  models: [],
  may_see_private: false,
  is_free: false,
  enabled: true,
  tested: TESTED,
  created_by: "usr_1",
  created_at: "2026-11-18T09:00:00Z",
  ...more,
});

it.each([
  [{}, "ready", "good"],
  [{ tested: null }, "not tested", "plain"],
  [{ tested: { ...TESTED, calls_tools: false } }, "calls no tools", "warn"],
  [{ tested: { ...TESTED, answers_in_schema: false } }, "answers in no schema", "warn"],
  [{ tested: { ...TESTED, calls_tools: false, answers_in_schema: false } }, "calls no tools", "warn"],
  [{ tested: { ...TESTED, problem: "status 500" } }, "does not answer", "bad"],
  [{ tested: { ...TESTED, problem: "status 500" }, has_credential: false }, "no credential", "bad"],
  [{ enabled: false, has_credential: false }, "disabled", "plain"],
] as const)("%j is %s", (more, name, tone) => expect(stateOf(provider(more))).toMatchObject({ name, tone }));

it("gives the reason", () => {
  const text = (more: Partial<Provider>) => stateOf(provider(more)).text;
  expect(text({ tested: { ...TESTED, problem: "status 500" } })).toBe("status 500");
  expect(text({ has_credential: false })).toContain("The secret “local-key” does not exist");
  expect(text({ tested: { ...TESTED, calls_tools: false, answers_in_schema: false } })).toContain("did not fit");
});

it("shows what is newer than the page as it is", () => {
  const model = (price_from?: string): Model => ({ name: "small", context: 32_000, max_output: 4_096, price_from });
  expect(["openai_chat", "carrier_pigeon"].map(wireText)).toEqual(["Chat Completions", "carrier_pigeon"]);
  expect(["table", "auction", undefined].map((from) => priceFromText(model(from)))).toEqual([
    "bundled table",
    "auction",
    "",
  ]);
});
