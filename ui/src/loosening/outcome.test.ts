// A changing request that waits for a second owner is announced once and never counts as a success.
import { expect, it, vi } from "vitest";

vi.stubGlobal("location", { origin: "http://127.0.0.1" });
vi.stubGlobal("sessionStorage", { getItem: () => null });
let answer = () => Response.json({});
const sent: unknown[] = [];
vi.stubGlobal("fetch", async (request: Request) => {
  if (request.method === "POST") sent.push({ url: request.url, body: await request.json().catch(() => null) });
  return answer();
});
const { api, onProposed, Proposed, take } = await import("../api/client");
const { failedOutcome } = await import("../approval/answer");
const { attempt } = await import("../frame/attempt");
const { answerChange } = await import("./queries");

const setRule = () => take(api.PUT("/v1/rules", { body: { action: "linear.update_issue", mode: "allow" } }));
const proposed = () =>
  Response.json({ id: "pch_1", status: "waiting" }, { status: 202, headers: { "countersign-proposed": "pch_1" } });

it("throws a proposed change and announces it once", async () => {
  const announced: string[] = [];
  const end = onProposed((id) => announced.push(id));
  answer = proposed;
  await expect(setRule()).rejects.toMatchObject({ id: "pch_1" });
  await expect(setRule()).rejects.toBeInstanceOf(Proposed);
  end();
  await expect(setRule()).rejects.toBeInstanceOf(Proposed);
  expect(announced).toEqual(["pch_1", "pch_1"]);
});

it("takes another 202 as what it is", async () => {
  answer = () => Response.json({ id: "rul_1" }, { status: 202 });
  expect(await setRule()).toEqual({ id: "rul_1" });
});

it("does not go on after it", async () => {
  answer = proposed;
  const after = vi.fn();
  const act = async () => {
    await setRule();
    after();
  };
  expect(await attempt(act)).toBe(false);
  expect(after).not.toHaveBeenCalled();
});

it("leaves a request pending whose answer would loosen something", () => {
  expect(failedOutcome(new Proposed("pch_1"), "linear.update_issue")).toMatchObject({
    title: "Waits for a second owner",
    mayWait: true,
    isAnnounced: true,
  });
});

it("approves exactly what was shown", async () => {
  answer = () => Response.json({ id: "pch_1", status: "approved" });
  const shown = { id: "pch_1", digest: "sha256:aa" } as Parameters<typeof answerChange>[0];
  await answerChange(shown, "approve", "  ");
  await answerChange(shown, "deny", " Too broad ");
  const path = "http://127.0.0.1/v1/proposed-changes/pch_1";
  expect(sent).toEqual([
    { url: `${path}/approve`, body: { digest: "sha256:aa" } },
    { url: `${path}/deny`, body: { reason: "Too broad" } },
  ]);
});
