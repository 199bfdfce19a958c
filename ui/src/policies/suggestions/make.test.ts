// A suggestion is made exactly as it was suggested, with the limits that a person chose.
import { afterEach, expect, test, vi } from "vitest";
import { Digits } from "../../api/json";

vi.stubGlobal("location", { origin: "http://127.0.0.1", search: "" });
const sent: { method: string; path: string; body: string; reason: string | null }[] = [];
vi.stubGlobal("fetch", async (request: Request) => {
  sent.push({
    method: request.method,
    path: new URL(request.url).pathname,
    body: await request.text(),
    reason: request.headers.get("countersign-reason"),
  });
  return request.method === "DELETE"
    ? new Response(null, { status: 204 })
    : new Response("{}", { headers: { "content-type": "application/json" } });
});
const { keyOf, make } = await import("./make");

afterEach(() => void sent.splice(0));

const bounds = { max_calls: 25, lifetime_s: 3_600 };
const common = { action: "a.b", count: 12, words: "…", backtest: { days: 30 } };

test("a grant has the condition of the suggestion and the chosen limits", async () => {
  const where = { amount: { equals: new Digits("9007199254740993") } };
  await make({ ...common, kind: "grant", where }, bounds, "so");
  expect(sent).toMatchObject([{ method: "POST", path: "/v1/grants" }]);
  expect(sent[0]?.body).toBe(
    '{"action":"a.b","max_calls":25,"lifetime_s":3600,"reason":"so","where":{"amount":{"equals":9007199254740993}}}',
  );
});

test("a rule is deleted by its ID, with the reason", async () => {
  await make({ ...common, kind: "remove_rule", rule: "rul_1" }, bounds, "never used");
  expect(sent).toMatchObject([{ method: "DELETE", path: "/v1/rules/rul_1", reason: "never used" }]);
});

test("an action is denied for the whole organization", async () => {
  await make({ ...common, kind: "deny" }, bounds, "always denied");
  expect(sent).toMatchObject([{ method: "PUT", path: "/v1/rules" }]);
  expect(JSON.parse(sent[0]?.body ?? "")).toEqual({ action: "a.b", mode: "deny", reason: "always denied" });
});

test("suggestions about the same action differ by their condition", () => {
  const one = keyOf({ ...common, kind: "grant", where: { channel: { equals: "C1" } } });
  expect(one).not.toBe(keyOf({ ...common, kind: "grant", where: { channel: { equals: "C2" } } }));
  expect(one).toBe(keyOf({ ...common, count: 13, kind: "grant", where: { channel: { equals: "C1" } } }));
});
