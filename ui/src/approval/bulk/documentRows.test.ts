// Documents are compared by everything they say.
import { expect, it } from "vitest";
import { approval, document, flow } from "../../../tests/unit/document";
import { moment } from "../../text/time";
import type { ShownDocument } from "../shown";
import { documentRows } from "./documentRows";
import { compare, similarity } from "./groups";

const textOf = (shown: ShownDocument, path: string) => documentRows(shown).find((row) => row.path === path)?.value;

it("says where the call goes, with which account, and what was read", () => {
  expect(textOf(document, "Goes to")).toBe(
    "linear: https://api.linear.app/graphql as acme-bot (version 3)\ndata: stays on the gateway",
  );
  expect(textOf(document, "Read before by this session")).toBe(
    "linear.list_issues × 3 (may contain text by strangers)\ndata.get",
  );
  expect(textOf(document, "Preview")).toBe('Creates one issue.\nstate: none → "open"\ncounts only while team is "ENG"');
});

it("says which values are hidden, and why", () => {
  const hidden = [
    { pointer: "/title", characters: 11, rule: "the name of the field" },
    { pointer: "", characters: 1, rule: "r" },
  ];
  expect(textOf({ ...document, hidden }, "Hidden values")).toBe(
    "/title: 11 characters, hidden because of: the name of the field\n" +
      "all parameters: 1 character, hidden because of: r",
  );
});

it("says who edited the parameters, when and why, and each change", () => {
  const [first] = document.edits;
  const second = { by: "Ben", note: "", at: "2026-01-03T00:00:00Z", changes: [] };
  const lines = textOf({ ...document, edits: [...(first === undefined ? [] : [first]), second] }, "Edited")?.split(
    "\n",
  );
  expect(lines).toEqual([
    `Cleo on ${moment("2026-01-02T00:00:00Z")}: a typo`,
    '/title: "Sign-in fails" → "Login fails"',
    `Ben on ${moment("2026-01-03T00:00:00Z")}`,
  ]);
});

it("has a row for every field, so that no difference is hidden", () => {
  const shared = ["version", "salt", "org", "invocation", "subject", "action", "description", "risk", "params"];
  const other: Partial<ShownDocument> = {
    hidden: [{ pointer: "/title", characters: 1, rule: "the name of the field" }],
    destinations: [],
    proposer: { ...document.proposer, opened_by: "Eve" },
    reason: "",
    why: [],
    only_once: null,
    changed: [],
    edits: [],
    diff: null,
    preview: null,
    undo: null,
    read_before: [],
    earlier: { approved: 0, denied: 0, last: null },
  };
  expect([...shared, ...Object.keys(other)].sort()).toEqual(Object.keys(document).sort());
  for (const [name, value] of Object.entries(other))
    expect(documentRows({ ...document, [name]: value }), name).not.toEqual(documentRows(document));
});

it("says where the data goes and what was read word for word, with nothing that looks like another line", () => {
  const [passage] = flow.passages;
  const more = { ...flow, to: ["C0123\nWho may see it there: Partners", "C9"], private: [], observing: true };
  expect(textOf(document, "Where the data goes")).toBe("");
  expect(textOf({ ...document, flow: more }, "Where the data goes")?.split("\n")).toEqual([
    '"C0123\\nWho may see it there: Partners", "C9"',
    "Who may see it there: Anyone",
    "Place chosen by: A model",
    "Read, may contain text by strangers: linear.get_issue",
    "Read, not public: nothing",
    `Only recorded, would be held: ${flow.why}`,
  ]);
  expect(textOf({ ...document, flow: { ...flow, to: [], why: "" } }, "Where the data goes")).toMatch(
    /^A place that is not known\n.*\n.*\n.*\nRead, not public: data\.get$/,
  );
  expect(textOf({ ...document, flow }, "Passages that were read")).toBe(
    '/title: "the release is on the third of May" stands word for word in the result of linear.get_issue (inv_0)',
  );
  const long = { ...flow, passages: passage === undefined ? [] : [{ ...passage, pointer: "", characters: 1_200 }] };
  expect(textOf({ ...document, flow: long }, "Passages that were read")).toMatch(
    /^the parameters: ".*" \(the first 34 of 1,200 characters\) stands/,
  );
});

it("shows every difference of a flow", () => {
  const [passage] = flow.passages;
  const other: typeof flow = {
    to: ["C9"],
    audience: "partner",
    chosen_by: "data",
    why: "",
    observing: true,
    untrusted: [],
    private: [],
    passages: [],
  };
  const rowsOf = (more: typeof flow) => documentRows({ ...document, flow: more });
  for (const [name, value] of Object.entries(other))
    expect(rowsOf({ ...flow, [name]: value }), name).not.toEqual(rowsOf(flow));
  for (const [name, value] of Object.entries({
    pointer: "/a",
    text: "t",
    characters: 99,
    action: "a.b",
    invocation: "i",
  }))
    expect(rowsOf({ ...flow, passages: [{ ...passage, [name]: value } as never] }), name).not.toEqual(rowsOf(flow));
  expect(documentRows({ ...document, flow }).map(({ path }) => path)).toEqual(
    documentRows(document).map(({ path }) => path),
  );
});

it("puts an address that differs beside each request, and the rest above", () => {
  const other = { ...document, destinations: [{ source: "linear", address: "https://evil.example", account: null }] };
  const items = [approval(), approval({ shown: other })];
  const found = compare(items);
  expect(found.differing).toEqual(["Goes to"]);
  expect(found.values.flat().map((row) => row.value.split("\n")[0])).toEqual([
    "linear: https://api.linear.app/graphql as acme-bot (version 3)",
    "linear: https://evil.example",
  ]);
  expect(
    found.common.every((row) => row.value !== ""),
    "empty facts are left out",
  ).toBe(true);
});

it("does not group requests whose descriptions differ", () => {
  const other = approval({ description: "b", shown: { ...document } });
  expect(similarity(approval({ description: "a", shown: { ...document } }))).not.toBe(similarity(other));
});
