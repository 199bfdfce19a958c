// Text and value stay in sync; invalid JSON changes nothing.
import { expect, it } from "vitest";
import { fromText, fromValue, ordered, stepName } from "./document";

it("follows the text while it can be read", () => {
  const first = fromValue({ name: "A" });
  expect(first.text).toBe('{\n  "name": "A"\n}\n');
  expect(fromText('{"name": "B"}', first.value)).toMatchObject({ value: { name: "B" }, broken: null });
  const broken = fromText('{"name": ', first.value);
  expect(broken.value).toEqual({ name: "A" });
  expect(broken.broken).not.toBeNull();
  expect(fromText("[1]", first.value).broken).toContain("object");
});

it("puts what says most first", () => {
  const made = ordered({
    plan: [{ config: {}, action: "x.y", step_id: "a" }],
    name: "A",
    later: 1,
    execution: { on_failure: [{ action: "x.y", step_id: "b" }] },
    schema_version: "1.0",
  });
  expect(Object.keys(made)).toEqual(["schema_version", "name", "plan", "execution", "later"]);
  expect(JSON.stringify(made)).toContain('[{"step_id":"a","action":"x.y","config":{}}]');
  expect(JSON.stringify(made)).toContain('[{"step_id":"b","action":"x.y"}]');
});

it("names a step after its action, once", () => {
  expect(stepName("linear.create_issue", [])).toBe("create_issue");
  expect(stepName("linear.create_issue", ["create_issue", "create_issue_2"])).toBe("create_issue_3");
  expect(stepName("x.9-Lives", [])).toBe("lives");
  expect(stepName("", ["step"])).toBe("step_2");
});
