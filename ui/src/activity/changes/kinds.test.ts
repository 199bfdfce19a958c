// Every kind of change has a sentence and one group; what is newer than the page is shown as it is.
import { expect, it } from "vitest";
import { authorText, GROUPS, KINDS, methodText, sentence } from "./kinds";

const text = (change: string, name = "linear.create_issue") => {
  const parts = sentence({ change, name, subject: "rul_1" });
  return [parts.start, parts.name, parts.end].join(parts.isKnown ? "" : "|");
};

it.each([
  ["rule.set", "Rule set for linear.create_issue"],
  ["rule.removed", "Rule removed for linear.create_issue"],
  ["member.added", "Member linear.create_issue added"],
  ["space_member.set", "Space access of linear.create_issue set"],
  ["space_member.removed", "Space access of linear.create_issue removed"],
  ["session.opened", "Session of linear.create_issue opened"],
  ["conduct.stopped", "Stopped: linear.create_issue"],
  ["conduct.resumed", "Resumed: linear.create_issue"],
  ["gates.changed", "Gate settings changed"],
  ["flow.endorsed", "What linear.create_issue had read was trusted"],
])("%s: %s", (change, said) => expect(text(change)).toBe(said));

it.each(["rule.copied", "constructor", "__proto__", ""])("shows the raw name %s", (change) =>
  expect(text(change)).toBe(`${change}|linear.create_issue|`),
);

it("names something without a name by its ID", () => expect(text("rule.set", "")).toBe("Rule set for rul_1"));

it.each(KINDS)("%s is in one group", (change) =>
  expect(GROUPS.filter(([, , prefixes]) => prefixes.some((prefix) => change.startsWith(prefix)))).toHaveLength(1),
);

it("says how and by whom, also where it is unknown", () => {
  expect([methodText("api_token"), methodText("pigeon")]).toEqual(["API token", "pigeon"]);
  expect([authorText("operator"), authorText("system"), authorText("pigeon")]).toEqual([
    "operator",
    "gateway",
    "unknown (pigeon)",
  ]);
});
