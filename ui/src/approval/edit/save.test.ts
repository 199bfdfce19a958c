// What saving sends, and when the item is loaded again.
import { createHash } from "node:crypto";
import { beforeEach, expect, it, vi } from "vitest";
import { approval, document } from "../../../tests/unit/document";
import { Digits } from "../../api/json";
import { canonical } from "../../receipt/canonical";

interface Sent {
  method: string;
  path: string;
  body: string;
}

const sent: Sent[] = [];
let answer = () => Response.json({});
vi.stubGlobal("location", { origin: "http://127.0.0.1" });
vi.stubGlobal("sessionStorage", { getItem: () => null });
vi.stubGlobal("fetch", async (request: Request) => {
  sent.push({ method: request.method, path: new URL(request.url).pathname, body: await request.text() });
  return request.method === "POST" ? answer() : Response.json(approval());
});
const { ApiError } = await import("../../api/client");
const { inboxItem, queries } = await import("../../api/queries");
const { saveEdit } = await import("./save");

const loaded = () => sent.filter(({ method, path }) => method === "GET" && path === "/v1/inbox/inv_1").length;

beforeEach(() => {
  sent.length = 0;
  queries.clear();
  answer = () => Response.json({ id: "inv_1", status: "pending" });
});

it("sends the digest of the displayed document, the exact parameters and the note, then loads the item", async () => {
  await saveEdit(document, { title: "Login works", n: new Digits("1.10") }, "a typo");
  const digest = createHash("sha256").update(canonical(document)).digest("hex");
  expect(sent[0]).toEqual({
    method: "POST",
    path: "/v1/invocations/inv_1/edit",
    body:
      `{"shown_digest":"sha256:${digest}","params":{"title":"Login works","n":1.10},` +
      '"note":"a typo","channel":"web"}',
  });
  expect(loaded()).toBe(1);
  expect(queries.getQueryData(inboxItem("inv_1").queryKey)).toMatchObject({ kind: "approval" });
});

it.each([
  [409, "shown_digest_mismatch", 1],
  [409, "subject_changed", 1],
  [409, "already_answered", 1],
  [410, "expired", 1],
  [409, "cannot_edit", 0],
  [422, "invalid_params", 0],
  [403, "forbidden", 0],
  [500, "internal", 0],
])("%i %s is reported, and the item is loaded again: %i", async (status, code, times) => {
  answer = () => Response.json({ type: code, code, status, title: "t", detail: "d", hint: "h" }, { status });
  const failed = await saveEdit(document, { title: "x" }, "").catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(ApiError);
  expect(failed).toMatchObject({ status, message: "d" });
  expect(loaded()).toBe(times);
});
