// The parts of the policies, by their place in the address of the policy page.

export const PARTS = [
  ["policies", "Policies"],
  ["facts", "Facts"],
  ["cases", "Cases"],
  ["observing", "Observing"],
  ["backtest", "Backtest"],
  ["suggestions", "Suggestions"],
  ["gates", "Gates"],
  ["flows", "Flows"],
] as const;
export type PartName = (typeof PARTS)[number][0];

export function isPart(hash: string): hash is PartName {
  return PARTS.some(([each]) => each === hash);
}
