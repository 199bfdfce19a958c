// What is typed in the form of a provider becomes the request that the API takes, or is refused before.
import { expect, it } from "vitest";
import {
  changesOf,
  draftError,
  draftFrom,
  draftOf,
  hasMorePrices,
  isLooser,
  type ModelDraft,
  NO_MODEL,
  renamed,
  requestOf,
} from "./draft";
import type { Preset, Provider } from "./queries";

const ANTHROPIC: Preset = {
  name: "anthropic",
  title: "Anthropic",
  wire: "anthropic_messages",
  base_url: "https://api.anthropic.com/v1",
  header: "x-api-key",
  needs_secret: true,
  is_free: false,
  hint: "Create an API key.",
};
const VLLM: Preset = {
  name: "vllm",
  title: "vLLM",
  wire: "openai_chat",
  needs_secret: false,
  is_free: true,
  hint: "Start it.",
};
const OWN = {
  input: 3_000,
  output: 15_000,
  cache_read: 300,
  tiers: [{ above: 200_000, input: 6_000, output: 22_500 }],
};
const SAVED: Provider = {
  id: "mpv_1",
  provider: "anthropic",
  action: "model.anthropic",
  wire: "anthropic_messages",
  base_url: "https://api.anthropic.com/v1",
  auth: { kind: "header", header: "x-api-key", secret: "anthropic-key" },
  has_credential: true,
  models: [
    { name: "large", context: 200_000, max_output: 16_000, price: OWN, price_from: "organization" },
    { name: "small", context: 32_000, max_output: 4_096, price: { input: 50, output: 400 }, price_from: "table" },
  ],
  may_see_private: true,
  is_free: false,
  enabled: true,
  created_by: "usr_1",
  created_at: "2026-11-18T09:00:00Z",
};
const model = (more: Partial<ModelDraft> = {}): ModelDraft => ({ ...NO_MODEL, name: "large", ...more });
const withModels = (...models: ModelDraft[]) => draftOf(ANTHROPIC, models);

it("fills the form from a preset", () => {
  expect(requestOf(withModels(model()))).toEqual({
    preset: "anthropic",
    base_url: "https://api.anthropic.com/v1",
    auth: { kind: "header", header: "x-api-key", secret: "anthropic-key" },
    models: [{ name: "large" }],
    may_see_private: false,
    is_free: false,
  });
  expect(requestOf(draftOf({ ...ANTHROPIC, header: null }, [model()])).auth).toEqual({
    kind: "bearer",
    secret: "anthropic-key",
  });
  expect(requestOf(draftOf(VLLM, [model()]))).toMatchObject({ base_url: "", auth: { kind: "none" }, is_free: true });
});

it("sends sizes and prices as whole numbers", () => {
  const typed = model({ name: " large ", context: "200000", max_output: "8000", input: "3", output: "0.075" });
  expect(requestOf(withModels(typed)).models).toEqual([
    { name: "large", context: 200_000, max_output: 8_000, price: { input: 3_000, output: 75 } },
  ]);
});

it("names the secret after the provider until it has another name", () => {
  const team = renamed(withModels(model()), "team");
  expect(team.authentication.secret).toBe("team-key");
  const shared = { ...team, authentication: { ...team.authentication, secret: "shared" } };
  expect(renamed(shared, "other").authentication.secret).toBe("shared");
});

it.each([
  ["", "name must start"],
  ["Local", "name must start"],
  ["1st", "name must start"],
  ["a".repeat(65), "name must start"],
  ["used", "already exists: used"],
])("refuses the provider name %s", (name, error) =>
  expect(draftError({ ...withModels(model()), name }, ["used"])).toContain(error),
);

it.each([
  [[model({ name: " " })], "needs a name"],
  [[model({ name: "two words" })], "without spaces"],
  [[model(), model()], "named twice"],
  [[model({ context: "many" })], "context"],
  [[model({ context: "999" })], "context"],
  [[model({ context: "2000", max_output: "2001" })], "output"],
  [[model({ max_output: "15" })], "output"],
  [[model({ input: "3" })], "input and output"],
  [[model({ input: "3", output: "0.0001" })], "three decimals"],
  [[model({ input: "3,5", output: "4" })], "three decimals"],
])("refuses models %#", (models, error) => expect(draftError(withModels(...models), [])).toContain(error));

it("refuses another URL than one of the web, and a bad name of a secret", () => {
  expect(draftError(draftOf(VLLM, [model()]), [])).toContain("URL");
  expect(draftError({ ...withModels(model()), base_url: "javascript:alert(1)" }, [])).toContain("URL");
  const authentication = { method: "bearer", header: "", secret: "1 key" } as const;
  expect(draftError({ ...withModels(model()), authentication }, [])).toContain("secret name");
});

it("accepts what the gateway accepts", () => {
  const all = [
    model({ context: "1000", max_output: "16" }),
    model({ name: "qwen3:8b", input: "0", output: "0" }),
    model({ name: "meta/llama-4_70b.v2" }),
  ];
  for (const name of ["a", "azure_claude", "a".repeat(64)])
    expect(draftError({ ...withModels(...all), name }, ["anthropic"])).toBeNull();
});

it("sends only what was changed", () => {
  const before = draftFrom(SAVED);
  expect(draftError(before, [])).toBeNull();
  expect(changesOf(before, before)).toEqual({});
  expect(changesOf(before, { ...before, may_see_private: false })).toEqual({ may_see_private: false });
  const authentication = { ...before.authentication, secret: "other-key" };
  expect(changesOf(before, { ...before, authentication })).toEqual({
    auth: { kind: "header", header: "x-api-key", secret: "other-key" },
  });
});

it("keeps the parts of a price that the form does not show, and takes none from the table", () => {
  const before = draftFrom(SAVED);
  const [large, small] = before.models as [ModelDraft, ModelDraft];
  expect([hasMorePrices(large), hasMorePrices(small)]).toEqual([true, false]);
  const { models } = changesOf(before, {
    ...before,
    models: [{ ...large, output: "12.5" }, small, model({ name: "x" })],
  });
  expect(models).toEqual([
    { name: "large", context: 200_000, max_output: 16_000, price: { ...OWN, output: 12_500 } },
    { name: "small", context: 32_000, max_output: 4_096 },
    { name: "x" },
  ]);
});

it("is looser where more can be read, also by another server", () => {
  const open = draftFrom(SAVED);
  const closed = { ...open, may_see_private: false };
  const moved = { ...open, base_url: "https://models.example/v1" };
  const longer = { ...open, base_url: "https://api.anthropic.com/v2" };
  expect([isLooser(null, open), isLooser(closed, open), isLooser(open, moved)]).toEqual([true, true, true]);
  expect([null, closed, open].map((before) => isLooser(before, closed))).toEqual([false, false, false]);
  expect([isLooser(open, open), isLooser(open, longer)]).toEqual([false, false]);
});
