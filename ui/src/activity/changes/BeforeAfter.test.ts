// What the table says about a state before and after a change.
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it, vi } from "vitest";

vi.stubGlobal("location", { origin: "http://127.0.0.1" });
vi.stubGlobal("sessionStorage", { getItem: () => null });
const { BeforeAfter } = await import("./BeforeAfter");

const drawn = (before: unknown, after: unknown) => renderToStaticMarkup(createElement(BeforeAfter, { before, after }));
/** The texts of each row, without those that only phones show. */
const table = (html: string) =>
  [...html.matchAll(/<tr[^>]*>(.*?)<\/tr>/gs)].map(([, row = ""]) =>
    [...row.replace(/<span class="[^"]*md:hidden">\w+<\/span>/g, "").matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(
      ([, cell = ""]) => cell.replace(/<[^>]+>/g, "").trim(),
    ),
  );

it("marks what was added, removed and changed", () => {
  const html = drawn({ mode: "allow", step: 1, reason: "" }, { mode: "deny", reason: "", where: true });
  expect(table(html)).toEqual([
    ["Field", "Before", "After"],
    ["mode changed", "&quot;allow&quot;", "&quot;deny&quot;"],
    ["reason", "&quot;&quot;", "&quot;&quot;"],
    ["where added", "none", "true"],
    ["step removed", "1", "none"],
  ]);
  expect(html).toContain("Show differences only");
});

it("begins a long state with its differences", () => {
  const long = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`f${n}`, n]));
  const html = drawn(long, { ...long, f7: 0 });
  expect(table(html)).toEqual([
    ["Field", "Before", "After"],
    ["f7 changed", "7", "0"],
  ]);
  expect(html).toContain("Show 39 unchanged fields");
});

it("draws markup and invisible characters as text", () => {
  const html = drawn(null, { name: "<img src=x>pay\u200bpal" });
  expect(html).not.toContain("<img");
  expect(html).toContain("\\u{200b}");
  expect(html).toContain("1 invisible character is written as");
});

it("says when there is no state", () => expect(drawn(null, null)).toContain("No state was recorded."));
