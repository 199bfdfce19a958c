// What the page read is sent with what it writes.
import { afterEach, expect, test, vi } from "vitest";

vi.stubGlobal("location", { origin: "http://127.0.0.1", search: "" });
const sent: { request: string; body: unknown; reason: string | null }[] = [];
vi.stubGlobal("fetch", async (request: Request) => {
  const text = await request.text();
  sent.push({
    request: `${request.method} ${new URL(request.url).pathname}`,
    body: text === "" ? null : JSON.parse(text),
    reason: request.headers.get("countersign-reason"),
  });
  return request.method === "DELETE"
    ? new Response(null, { status: 204 })
    : new Response("{}", { headers: { "content-type": "application/json" } });
});
const { queries } = await import("../api/queries");
const { deleteFact, deletePolicy, saveCase, savePolicy } = await import("./queries");
const { saveGates } = await import("./gates/queries");

afterEach(() => void sent.splice(0));

const request = { action: "bank.transfer", params: {} };

test("a policy is saved as the version that was read", async () => {
  await savePolicy("cap", { text: "forbid …", state: "enforced", version: 3 }, "so");
  const body = { text: "forbid …", state: "enforced", version: 3 };
  expect(sent).toEqual([{ request: "PUT /v1/policies/cap", body, reason: "so" }]);
});

test("gate settings are saved as the version that was read", async () => {
  await saveGates({ version: 0, recipients: { allow: [] } }, "");
  expect(sent).toMatchObject([{ request: "PUT /v1/gates", body: { version: 0, recipients: { allow: [] } } }]);
});

test("what is deleted has a reason", async () => {
  await deletePolicy("cap", "never held");
  await deleteFact("spent", "unused");
  expect(sent).toMatchObject([
    { request: "DELETE /v1/policies/cap", reason: "never held" },
    { request: "DELETE /v1/facts/spent", reason: "unused" },
  ]);
});

test("a case is saved without what the API adds, and with the policies that it is about", async () => {
  const stored = { name: "over", request, expect: "deny" as const, updated_at: "2026-11-18T10:00:00Z" };
  await saveCase({ ...stored, policies: null, only: ["cap"] } as never);
  await saveCase({ ...stored, only: [] } as never);
  const bare = { name: "over", request, expect: "deny" };
  expect(sent.map(({ body }) => body)).toEqual([{ ...bare, only: ["cap"] }, bare]);
});

test("a saved policy changes the matrix and the catalog", async () => {
  const invalidated = vi.spyOn(queries, "invalidateQueries");
  await savePolicy("cap", { text: "forbid …", state: "enforced", version: 0 });
  expect(invalidated.mock.calls.map(([filter]) => filter?.queryKey)).toEqual([["policy"], ["sources"]]);
  invalidated.mockRestore();
});
