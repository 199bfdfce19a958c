// Each item gets its own answer and its own account, a few at a time, and what was stopped was not sent.
import { expect, it } from "vitest";
import type { Approval } from "./alike";
import type { Said } from "./answer";
import { type Fate, sendTogether, tally } from "./together";

const items = Array.from({ length: 10 }, (_, n) => ({ invocation: { id: `inv_${n}` } }) as unknown as Approval);
const said = (tone: "good" | "warn"): Said => ({ tone, title: "t", action: "x.y", text: "", mayWait: false });
const deny = { kind: "deny", reason: "no" } as const;

it("sends each once, no more than four at a time, and tells how each went", async () => {
  const fates: Fate[] = items.map(() => "waits");
  const sent: string[] = [];
  let [under, most] = [0, 0];
  await sendTogether(items, deny, async (item) => {
    sent.push(item.invocation.id);
    most = Math.max(most, (under += 1));
    await new Promise((done) => setTimeout(done));
    under -= 1;
    return said(item.invocation.id === "inv_3" ? "warn" : "good");
  }, (at, fate) => { fates[at] = fate; }, new AbortController().signal);
  expect(sent.sort()).toEqual(items.map((item) => item.invocation.id));
  expect(most).toBe(4);
  expect(tally(fates)).toEqual({ done: 10, good: 9, bad: 1 });
  expect(fates[3]).toMatchObject({ tone: "warn" });
});

it("sends nothing more once it is stopped", async () => {
  const fates: Fate[] = items.map(() => "waits");
  const stop = new AbortController();
  await sendTogether(items, deny, async () => { stop.abort(); return said("good"); }, (at, fate) => { fates[at] = fate; }, stop.signal);
  expect(tally(fates).done).toBe(1);
  expect(fates.filter((fate) => fate === "left out")).toHaveLength(9);
});
