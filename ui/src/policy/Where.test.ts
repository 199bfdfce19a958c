// The condition of a rule is drawn with nothing hidden.
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { Where } from "./Where";

const drawn = (words: string | null | undefined) => renderToStaticMarkup(createElement(Where, { words }));

it("says where a rule applies", () => {
  const markup = drawn('channel is "C\u202e1<b>"');
  expect(markup.replace(/<[^>]*>/g, "")).toBe("where channel is &quot;C\\u{202e}1&lt;b&gt;&quot;");
  expect(markup).not.toMatch(/\u202e|<b>/);
});

it("draws nothing without a condition", () => {
  expect([drawn(undefined), drawn(null)]).toEqual(["", ""]);
});
