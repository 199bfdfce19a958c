// A starter is added in its order, and says per part what happened.
import { expect, test, vi } from "vitest";

vi.stubGlobal("location", { origin: "http://127.0.0.1", search: "" });
const { add, outcomeText } = await import("./add");
const { ApiError, Proposed } = await import("../../api/client");

const filled = {
  policies: ['@id("cap") forbid (principal, action, resource);'],
  facts: [{ name: "spent" }],
  cases: [{ name: "over" }],
} as never;

type Parts = Awaited<ReturnType<typeof add>>;

async function outcomes(failing: Partial<Record<"fact" | "policy" | "case", unknown>>, earlier?: Parts) {
  const sent: string[] = [];
  const call = (kind: "fact" | "policy" | "case") => () => {
    sent.push(kind);
    return failing[kind] === undefined ? Promise.resolve() : Promise.reject(failing[kind]);
  };
  const save = { fact: call("fact"), policy: call("policy"), case: call("case") };
  const parts = await add({ filled, state: "observing", save, onChange: () => undefined }, earlier);
  return {
    sent,
    parts,
    outcomes: parts.map(({ name, outcome }) => `${name} ${outcome}`),
    texts: parts.map(outcomeText),
  };
}

test("facts come before the policy, and cases after it", async () => {
  expect(await outcomes({})).toMatchObject({
    sent: ["fact", "policy", "case"],
    outcomes: ["spent saved", "cap saved", "over saved"],
  });
});

test("what needs a proposed part is left for later", async () => {
  expect(await outcomes({ fact: new Proposed("pch_1") })).toMatchObject({
    sent: ["fact"],
    texts: ["waits for a second owner", "not added: its facts are missing", "not added: the policy is missing"],
  });
  expect(await outcomes({ policy: new Proposed("pch_2") })).toMatchObject({
    sent: ["fact", "policy"],
    outcomes: ["spent saved", "cap proposed", "over skipped"],
  });
});

test("a refusal is kept with its part", async () => {
  const problem = { code: "case_failed", title: "", hint: "", type: "", status: 422 };
  expect(await outcomes({ case: new ApiError(problem) })).toMatchObject({
    outcomes: ["spent saved", "cap saved", "over failed"],
  });
});

test("a second attempt sends only what is missing", async () => {
  const first = await outcomes({ policy: new Proposed("pch_2") });
  expect(await outcomes({}, first.parts)).toMatchObject({
    sent: ["policy", "case"],
    outcomes: ["spent saved", "cap saved", "over saved"],
  });
});
