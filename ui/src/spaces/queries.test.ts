// What is sent about the members of a space, and that a change that waits for a second owner is no success.
import { beforeEach, expect, it, vi } from "vitest";

vi.stubGlobal("location", { origin: "http://127.0.0.1" });
vi.stubGlobal("sessionStorage", { getItem: () => null });
let answer = (_: string) => Response.json({});
const sent: unknown[] = [];
vi.stubGlobal("fetch", async (request: Request) => {
  const { method, url } = request;
  sent.push([method, url.replace("http://127.0.0.1", ""), await request.json().catch(() => null)]);
  return answer(url);
});
const { Proposed } = await import("../api/client");
const { queries } = await import("../api/queries");
const { removeSpaceMember, sessions, setSpaceMember, spaceMembers } = await import("./queries");

const PATH = "/v1/spaces/spc_1/members/usr_1";
const saved = { user: "usr_1", name: "Ada", role: "member", kind: "person", capabilities: ["linear:read"] };

beforeEach(() => {
  sent.length = 0;
  queries.clear();
});

it("sends exactly what was chosen", async () => {
  answer = () => Response.json(saved);
  expect(await setSpaceMember("spc_1", "usr_1", ["linear:read"])).toEqual(saved);
  answer = () => new Response(null, { status: 204 });
  await removeSpaceMember("spc_1", "usr_1");
  expect(sent).toEqual([
    ["PUT", PATH, { capabilities: ["linear:read"] }],
    ["DELETE", PATH, null],
  ]);
});

it("reads every page of the members", async () => {
  answer = (url) =>
    Response.json(url.includes("cursor=2") ? { items: [{ user: "b" }] } : { items: [{ user: "a" }], next_cursor: "2" });
  expect(await queries.fetchQuery(spaceMembers("spc_1"))).toEqual([{ user: "a" }, { user: "b" }]);
});

it("has what it shows read again after a change, and only after one", async () => {
  const key = spaceMembers("spc_1").queryKey;
  const isOld = () => queries.getQueryState(key)?.isInvalidated;
  queries.setQueryData(key, []);
  const proposed = () => Response.json({ id: "pch_1" }, { status: 202, headers: { "countersign-proposed": "pch_1" } });
  answer = proposed;
  await expect(setSpaceMember("spc_1", "usr_1", ["*"])).rejects.toBeInstanceOf(Proposed);
  await expect(removeSpaceMember("spc_1", "usr_1")).rejects.toBeInstanceOf(Proposed);
  expect(isOld()).toBe(false);
  answer = () => Response.json(saved);
  await setSpaceMember("spc_1", "usr_1", ["*"]);
  expect(isOld()).toBe(true);
});

it("keeps no list of sessions for the next confirmation", () => expect(sessions.gcTime).toBe(0));
