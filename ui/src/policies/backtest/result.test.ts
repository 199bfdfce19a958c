// The stream of a backtest, and its result as a sentence.
import { expect, test } from "vitest";
import type { BacktestResult } from "../types";
import { difference, LineReader, mostChanged, sentence, share } from "./result";

const result: BacktestResult = {
  from: "2026-10-19T00:00:00Z",
  to: "2026-11-18T00:00:00Z",
  invocations: 2_000,
  incomplete: 0,
  before: { allow: 1_500, require_approval: 469, deny: 31 },
  after: { allow: 1_909, require_approval: 57, deny: 34 },
  newly_allowed: 412,
  newly_asked: 0,
  newly_denied: 3,
  days: [],
  actions: [],
};

test("lines are complete, however the stream is cut", () => {
  const reader = new LineReader();
  const text = '{"progress":{"done":1,"of":4}}\n\n{"progress":{"done":4,"of":4}}\n{"result":{"invocations":4}}';
  const found = [...text].flatMap((piece) => reader.read(piece));
  expect(found).toEqual([{ progress: { done: 1, of: 4 } }, { progress: { done: 4, of: 4 } }]);
  expect(reader.end()).toEqual([{ result: { invocations: 4 } }]);
  expect(reader.end()).toEqual([]);
});

test("a result is one sentence", () => {
  expect(sentence(result, 30)).toBe(
    "In the last 30 days this would have let 412 run without asking, denied 3 more, " +
      "and asked 57 times instead of 469.",
  );
  expect(sentence({ ...result, newly_allowed: 0, newly_denied: 0, newly_asked: 4 }, 1)).toBe(
    "In the last day this would have asked 57 times instead of 469.",
  );
});

test("a result that changes nothing says so", () => {
  const none = { ...result, newly_allowed: 0, newly_denied: 0, after: result.before };
  expect(sentence(none, 7)).toBe("In the last 7 days this would have changed none of 2,000 decisions.");
  expect(sentence({ ...none, invocations: 0 }, 7)).toBe("In the last 7 days there were no calls to test this on.");
});

test("a result with one part has no comma", () => {
  const before = { allow: 10, require_approval: 5, deny: 0 };
  const denied = { ...result, newly_allowed: 0, newly_denied: 3, before, after: { ...before, allow: 7, deny: 3 } };
  expect(sentence(denied, 30)).toBe("In the last 30 days this would have denied 3 more.");
  const two = { ...denied, after: { allow: 7, require_approval: 1, deny: 7 }, newly_denied: 7 };
  expect(sentence(two, 30)).toBe("In the last 30 days this would have denied 7 more and asked once instead of 5.");
});

test("the chart begins with what changes most", () => {
  expect(mostChanged(result.before, result.after)).toBe("require_approval");
  expect(mostChanged(result.before, { ...result.before, deny: 40, allow: 1_491 })).toBe("allow");
  expect(mostChanged(result.before, result.before)).toBe("require_approval");
});

test("progress and differences are numbers of the reader", () => {
  expect(share({ done: 5, of: 10 })).toBe(0.5);
  expect(share({ done: 5, of: 0 })).toBe(0);
  expect(difference(3, 1_240)).toBe("+1,237");
  expect(difference(5, 3)).toBe("−2");
  expect(difference(5, 5)).toBe("0");
});
