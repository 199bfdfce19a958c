// The report about flows is a sentence and a table.
import { expect, test } from "vitest";
import { demandText, type FlowReport, type FlowReportItem, flowSentence } from "./report";

const item: FlowReportItem = {
  action: "slack.send_message",
  audience: "public",
  chosen_by: "model",
  mode: "require_approval",
  observing: true,
  count: 9,
  alone: 5,
  examples: [],
};
const report: FlowReport = { since: "", runs: 1_200, questions: 12, questions_of_runs: 8, denied: 0, items: [item] };
const said = (more: Partial<FlowReport>, days = 14) => flowSentence({ ...report, ...more }, days);
const held = { ...item, observing: false };

test("a report says what flows would have asked, and how often per run", () => {
  expect(said({ runs: 40 })).toBe(
    "In the last 14 days, flows alone would have asked 12 questions (8 in 40 runs: 0.2 per run).",
  );
  expect(said({}, 1)).toBe(
    "In the last day, flows alone would have asked 12 questions (8 in 1,200 runs: under 0.01 per run).",
  );
  expect(said({ questions: 1, questions_of_runs: 0, runs: 1 })).toContain("asked 1 question (0 in 1 run: 0 per run).");
  expect(said({ questions: 1, questions_of_runs: 0, runs: 0 })).toContain("asked 1 question (0 in 0 runs).");
});

test("a report tells what was asked from what would have been", () => {
  expect(said({ items: [held] })).toContain("flows alone asked 12 questions");
  expect(said({ items: [held, item] })).toContain("flows alone asked or would have asked 12 questions");
  expect(said({ items: [item, { ...held, mode: "deny" }, { ...held, alone: 0 }] })).toContain("alone would have asked");
  expect(said({ items: [{ ...held, mode: "deny" }], questions: 0 })).toContain("flows alone asked 0 questions");
});

test("a report says how many people denied", () => {
  expect(said({ denied: 3 })).toMatch(/\. People denied 3 requests that waited because of the flow\.$/);
});

test("a report without an effect says so", () => {
  expect(said({ items: [], questions: 0 })).toBe(
    "In the last 14 days, no request was held because of its flow, and none would have been.",
  );
});

test("a row says what flows did, also where the gateway is newer", () => {
  expect(demandText(item)).toBe("would have asked");
  expect(demandText(held)).toBe("asked");
  expect(demandText({ ...held, mode: "deny" })).toBe("denied");
  expect(demandText({ ...item, mode: "deny" })).toBe("would have denied");
  expect(demandText({ mode: "ponder", observing: true })).toBe("ponder");
});
