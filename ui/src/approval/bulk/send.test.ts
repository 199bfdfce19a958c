// Each item gets its own answer and result, a few at a time; a stopped item is not sent.
import { expect, it } from "vitest";
import type { Outcome } from "../answer";
import type { Approval } from "./groups";
import { type SendState, sendAll, tally } from "./send";

const items = Array.from({ length: 10 }, (_, n) => ({ invocation: { id: `inv_${n}` } }) as unknown as Approval);
const said = (tone: "good" | "warn"): Outcome => ({ tone, title: "t", action: "x.y", text: "", mayWait: false });
const deny = { kind: "deny", reason: "no" } as const;

it("sends each once, no more than four at a time, and tells how each went", async () => {
  const states: SendState[] = items.map(() => "waits");
  const sent: string[] = [];
  let [under, most] = [0, 0];
  await sendAll(
    items,
    deny,
    async (item) => {
      sent.push(item.invocation.id);
      under += 1;
      most = Math.max(most, under);
      await new Promise((done) => setTimeout(done));
      under -= 1;
      return said(item.invocation.id === "inv_3" ? "warn" : "good");
    },
    (at, state) => {
      states[at] = state;
    },
    new AbortController().signal,
  );
  expect(sent.sort()).toEqual(items.map((item) => item.invocation.id));
  expect(most).toBe(4);
  expect(tally(states)).toEqual({ done: 10, good: 9, bad: 1 });
  expect(states[3]).toMatchObject({ tone: "warn" });
});

it("sends nothing more once it is stopped", async () => {
  const states: SendState[] = items.map(() => "waits");
  const stop = new AbortController();
  await sendAll(
    items,
    deny,
    async () => {
      stop.abort();
      return said("good");
    },
    (at, state) => {
      states[at] = state;
    },
    stop.signal,
  );
  expect(tally(states).done).toBe(1);
  expect(states.filter((state) => state === "left out")).toHaveLength(9);
});

it("sends one after the other where the order matters", async () => {
  const log: string[] = [];
  await sendAll(
    items.slice(0, 3),
    deny,
    async ({ invocation: { id } }) => {
      log.push(id);
      await new Promise((done) => setTimeout(done));
      log.push(`${id} done`);
      return said("good");
    },
    () => {},
    new AbortController().signal,
    true,
  );
  expect(log).toEqual(["inv_0", "inv_0 done", "inv_1", "inv_1 done", "inv_2", "inv_2 done"]);
});
