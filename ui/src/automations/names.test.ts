// Templates are offered only the names available at their place.
import { expect, it } from "vitest";
import { namesAt, used } from "./names";

const definition = {
  inputs: { schema: { properties: { branch: { type: "string" }, "two words": { type: "integer" } } } },
  plan: [
    { step_id: "a", action: "x.y", output_as: "issue" },
    { step_id: "b", action: "x.z", output_as: "note" },
  ],
  execution: { on_failure: [{ step_id: "cry", action: "x.w" }] },
};
const written = (list: "plan" | "on_failure", index: number) =>
  namesAt(definition, { list, index }).groups.flatMap((group) => group.names.map((name) => name.write));

it("offers inputs and the results of steps before", () => {
  expect(written("plan", 0)).toEqual(expect.arrayContaining(["inputs.branch", 'inputs["two words"]', "run.id"]));
  expect(written("plan", 0)).not.toContain("issue");
  expect(written("plan", 1)).toContain("issue");
  expect(written("plan", 1)).not.toContain("run.error.class");
  expect(written("on_failure", 0)).toEqual(expect.arrayContaining(["issue", "note", "run.error.class"]));
});

it("finds what a step uses, also deep, and not what only looks like it", () => {
  const config = {
    a: "{{ inputs.branch | upper }} issue",
    b: [{ c: "{% for x in issue.all %}{{ 'note' }}{% endfor %}" }],
    d: "{% raw %}{{ note }}{% endraw %}",
  };
  expect(used(config, ["issue", "note"])).toEqual(["inputs.branch", "issue"]);
});
