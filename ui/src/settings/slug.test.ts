// Names become slugs.
import { expect, it } from "vitest";
import { slug } from "./slug";

it("keeps letters and digits, and joins the rest", () => {
  expect(slug("Customer support")).toBe("customer-support");
  expect(slug("  Zürich / Köln 2 ")).toBe("zurich-koln-2");
  expect(slug("日本")).toBe("");
  expect(slug(`${"a".repeat(39)} b`)).toBe("a".repeat(39));
});
