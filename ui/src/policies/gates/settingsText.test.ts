// Gate settings are sent as they were written, without what the API adds to them.
import { expect, test } from "vitest";
import type { GatesView } from "./queries";
import { EXAMPLE, FIELDS, readSettings, settingsText } from "./settingsText";

const flow = { mode: "observe" as const, trusted: [], public: [], audiences: [], hosts: [], consents: [] };
const empty = { recipients: null, detectors: [], purposes: [], homes: [], crossings: [], flow };
const view: GatesView = { ...empty, version: 3, set_by: "usr_1", updated_at: "2026-11-18T10:00:00Z" };

test("settings are read as they were written", () => {
  expect(readSettings(settingsText(view))).toEqual({ value: empty });
  const { recipients: _, ...open } = view;
  expect(settingsText(open)).toBe(settingsText(view));
});

test("what the API adds is left out", () => {
  expect(readSettings(JSON.stringify({ ...view, set_by_name: "Ada" }))).toEqual({ value: empty });
});

test("what is no JSON object is named", () => {
  expect(readSettings("[]")).toEqual({ problem: "Expected a JSON object." });
  expect((readSettings("{") as { problem: string }).problem).not.toBe("");
});

test("what is unknown is left to the gateway", () => {
  expect(readSettings('{"recipient": {}}')).toEqual({ value: { recipient: {} } });
});

test("the example is written as settings are", () => {
  const read = readSettings(EXAMPLE) as { value: object };
  expect(Object.keys(read.value)).toEqual(Object.keys(empty));
  expect(read.value).toHaveProperty("flow.mode", "hold");
  expect(Object.keys((read.value as typeof empty).flow)).toEqual(Object.keys(flow));
});

test("every field is explained once, in the order of the text", () => {
  const named = [...new Set(FIELDS.map(([name]) => name.split(".")[0]))];
  expect(named).toEqual(Object.keys(empty));
  const ofFlow = FIELDS.flatMap(([name]) => (name.startsWith("flow.") ? [name.slice("flow.".length)] : []));
  expect(ofFlow).toEqual(Object.keys(flow));
});
