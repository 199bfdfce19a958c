// The report of an observing policy is a sentence.
import { expect, test } from "vitest";
import { reportSentence } from "./report";

const report = {
  name: "cap",
  since: "",
  held: 1_200,
  would_ask: 40,
  would_deny: 3,
  already_stricter: 1,
  by_action: [],
};

test("a report says what would have been asked and denied", () => {
  expect(reportSentence(report)).toBe(
    "Matched 1,200 calls: would have asked about 40 and denied 3. 1 was already decided at least as strictly.",
  );
  expect(reportSentence({ ...report, would_ask: 0, already_stricter: 0 })).toBe(
    "Matched 1,200 calls: would have denied 3.",
  );
});

test("a report without an effect says so", () => {
  expect(reportSentence({ ...report, would_ask: 0, would_deny: 0, already_stricter: 2 })).toBe(
    "Matched 1,200 calls: would have changed no decision. 2 were already decided at least as strictly.",
  );
  expect(reportSentence({ ...report, held: 0 })).toBe("No call matched this policy in this period.");
});
