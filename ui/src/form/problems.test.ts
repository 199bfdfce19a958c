// Problems come to the field they are about.
import { expect, it } from "vitest";
import { at, below, errorsOf } from "./problems";

const problems = [
  { pointer: "/plan/0/action", message: "no such action", suggestion: "linear.create_issue" },
  { pointer: "/plan/0/config/labels/1", message: "too long" },
  { pointer: "/plan/0/config", message: "team_id is needed", suggestion: null },
  { pointer: "/plan/01/config", message: "of another step" },
];

it("finds those of a place", () => {
  expect(at(problems, "/plan/0/action")).toEqual(["no such action; did you mean linear.create_issue?"]);
  expect(below(problems, "/plan/0")).toHaveLength(3);
  expect(errorsOf(problems, "/plan/0/config")).toEqual({
    __errors: ["team_id is needed"],
    labels: { 1: { __errors: ["too long"] } },
  });
});
