// Bars stay visible, however short a run was.
import { expect, it } from "vitest";
import { height } from "./Sparkline";

const run = (took_ms: number | null) => ({ run: "r", status: "succeeded", created_at: "", took_ms });

it("grows with the time it took, and is never nothing", () => {
  const all = [run(null), run(9), run(99), run(999)];
  const heights = all.map((each) => height(each, all));
  expect(heights).toEqual([0.25, 0.5, 0.75, 1]);
  expect(height(run(null), [run(null)])).toBe(0.6);
});
