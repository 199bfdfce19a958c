// Places are called by the names of their steps.
import { expect, it } from "vitest";
import { placeName } from "./places";

const definition = {
  plan: [{ step_id: "look" }, { step_id: "tell" }, {}],
  execution: { on_failure: [{ step_id: "cry" }] },
};

it("calls a place by its step or trigger, and keeps what it does not know", () => {
  const names = {
    "/plan/1": "tell",
    "/plan/0/config/tools": "look: tools",
    "/execution/on_failure/0": "cry",
    "/triggers/1/config/cron": "trigger 2: cron",
    "/plan/2": "/plan/2",
    "/plan/9": "/plan/9",
    "/execution": "/execution",
    "": "/",
  };
  expect(Object.keys(names).map((pointer) => placeName(definition, pointer))).toEqual(Object.values(names));
});
