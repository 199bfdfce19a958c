// Filters in the URL become the query of the API.
import { expect, it } from "vitest";
import { readFilters, toQuery, where, withFilter } from "./filters";

it("reads what it knows, and leaves the rest", () => {
  expect(readFilters({ q: "SSO", status: "failed", page: "3", risk: "", run: 5, space: null })).toEqual({
    q: "SSO",
    status: "failed",
    run: "5",
  });
  expect(readFilters({ q: "x".repeat(300) }).q).toHaveLength(200);
  expect(readFilters({ agent: "support-triage" })).toEqual({ agent: "support-triage" });
});

it("counts a range back from now, unless the times are fixed", () => {
  const now = Date.parse("2026-11-15T12:00:00Z");
  expect(toQuery({ range: "24h", q: "a" }, now)).toEqual({ q: "a", since: "2026-11-14T12:00:00.000Z" });
  expect(toQuery({ range: "24h", until: "2026-11-01T00:00:00Z" }, now)).toEqual({ until: "2026-11-01T00:00:00Z" });
  expect(toQuery({ range: "for ever" }, now)).toEqual({});
});

it("changes one, and takes one out", () => {
  expect(withFilter({ q: "a", status: "failed" }, "q", "b")).toEqual({ q: "b", status: "failed" });
  expect(withFilter({ q: "a", status: "failed" }, "status", "")).toEqual({ q: "a" });
});

it("tells a source from an action", () => {
  expect(where(" linear ")).toEqual({ source: "linear" });
  expect(where("linear.create_issue")).toEqual({ action: "linear.create_issue" });
  expect(where("")).toEqual({});
});
