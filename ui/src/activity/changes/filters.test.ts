// Filters in the URL become the query of the API.
import { expect, it } from "vitest";
import { prefixesOf, readChangeFilters, withChangeFilter } from "./filters";

it("reads what it knows, and leaves the rest", () => {
  const search = { group: "policy", user: "usr_1", subject: "", page: "3" };
  expect(readChangeFilters(search)).toEqual({ group: "policy", user: "usr_1" });
  for (const group of ["weather", "constructor", 5, null]) expect(readChangeFilters({ group })).toEqual({});
});

it("asks for every kind of a group, and for everything without one", () => {
  expect(prefixesOf({ group: "policy" })).toEqual([
    "rule.",
    "policy.",
    "fact.",
    "gates.",
    "consent.",
    "flow.",
    "grant.",
  ]);
  expect(prefixesOf({ user: "usr_1" })).toEqual([""]);
});

it("changes one, and takes one out", () => {
  expect(withChangeFilter({ group: "policy" }, "user", "usr_1")).toEqual({ group: "policy", user: "usr_1" });
  expect(withChangeFilter({ group: "policy", user: "usr_1" }, "group", "")).toEqual({ user: "usr_1" });
});
