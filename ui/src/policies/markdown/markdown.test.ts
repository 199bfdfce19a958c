// The Markdown of starters: paragraphs, lists, bold and code.
import { expect, test } from "vitest";
import { blocks, spans } from "./markdown";

test("empty lines end paragraphs, and other line breaks do not", () => {
  expect(blocks("One\ntwo.\n\nThree.")).toEqual([
    { kind: "paragraph", lines: ["One", "two."] },
    { kind: "paragraph", lines: ["Three."] },
  ]);
  expect(blocks(" \n")).toEqual([]);
  expect(blocks("# Title\n\n## Part\n\nText")).toEqual([
    { kind: "paragraph", lines: ["Part"] },
    { kind: "paragraph", lines: ["Text"] },
  ]);
});

test("lists may follow a paragraph, and entries may have two lines", () => {
  expect(blocks("For:\n- one\n  more\n* two\n\nEnd")).toEqual([
    { kind: "paragraph", lines: ["For:"] },
    { kind: "list", lines: ["one more", "two"] },
    { kind: "paragraph", lines: ["End"] },
  ]);
});

test("bold and code are marked, and what is not closed stays text", () => {
  expect(spans("A **cap** of `bank.transfer` and `x")).toEqual([
    { kind: "text", text: "A " },
    { kind: "bold", text: "cap" },
    { kind: "text", text: " of " },
    { kind: "code", text: "bank.transfer" },
    { kind: "text", text: " and `x" },
  ]);
});
