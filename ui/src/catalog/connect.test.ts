// What is said before anything is sent to connect a server.
import { expect, test } from "vitest";
import { authOf, howOf, isWebAddress, nameFrom, wrongHow, wrongWhere } from "./connect";

test("a name is taken from the host, and none where there is none", () => {
  expect(nameFrom("https://mcp.linear.app/mcp")).toBe("linear");
  expect(nameFrom("https://docs.example.com/openapi.json")).toBe("docs");
  expect(nameFrom("http://127.0.0.1:9000/mcp")).toBe("");
  expect(nameFrom("not an address")).toBe("");
});

test("what the gateway would refuse is said before it is sent", () => {
  const where = { kind: "mcp", source: "docs", place: "https://docs.example/mcp", base_url: "" } as const;
  expect(wrongWhere(where)).toBeNull();
  expect(wrongWhere({ ...where, source: "Docs" })).not.toBeNull();
  expect(wrongWhere({ ...where, place: "docs.example" })).not.toBeNull();
  expect(wrongWhere({ ...where, kind: "stdio", place: "search" })).toBeNull();
  expect(wrongHow({ proof: "header", header: "X Key", secret: "a" })).not.toBeNull();
  expect(wrongHow({ proof: "bearer", header: "", secret: "1a" })).not.toBeNull();
  expect(wrongHow({ proof: "none", header: "", secret: "" })).toBeNull();
});

test("only pages of the web are opened", () => {
  expect(isWebAddress("javascript:alert(1)")).toBe(false);
  expect(isWebAddress("https://login.example/authorize?x=1")).toBe(true);
});

test("how a server is proven to is read back as it was said", () => {
  for (const how of [{ proof: "none", header: "", secret: "" }, { proof: "header", header: "X-Key", secret: "k" }, { proof: "oauth", header: "", secret: "t" }] as const) {
    expect(howOf(authOf(how))).toEqual(how);
  }
});
