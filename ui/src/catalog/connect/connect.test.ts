// Validation before a server is connected.
import { expect, test } from "vitest";
import { addressError, authenticationError, authenticationOf, authOf, isWebAddress, nameFrom } from "./connect";

test("a name is taken from the host, and none where there is none", () => {
  expect(nameFrom("https://mcp.linear.app/mcp")).toBe("linear");
  expect(nameFrom("https://docs.example.com/openapi.json")).toBe("docs");
  expect(nameFrom("http://127.0.0.1:9000/mcp")).toBe("");
  expect(nameFrom("not an address")).toBe("");
});

test("what the gateway would refuse is said before it is sent", () => {
  const address = { kind: "mcp", source: "docs", place: "https://docs.example/mcp", base_url: "" } as const;
  expect(addressError(address)).toBeNull();
  expect(addressError({ ...address, source: "Docs" })).not.toBeNull();
  expect(addressError({ ...address, place: "docs.example" })).not.toBeNull();
  expect(addressError({ ...address, kind: "stdio", place: "search" })).toBeNull();
  expect(authenticationError({ method: "header", header: "X Key", secret: "a" })).not.toBeNull();
  expect(authenticationError({ method: "bearer", header: "", secret: "1a" })).not.toBeNull();
  expect(authenticationError({ method: "none", header: "", secret: "" })).toBeNull();
});

test("only pages of the web are opened", () => {
  expect(isWebAddress("javascript:alert(1)")).toBe(false);
  expect(isWebAddress("https://login.example/authorize?x=1")).toBe(true);
});

test("the authentication is read back as it was sent", () => {
  for (const authentication of [
    { method: "none", header: "", secret: "" },
    { method: "header", header: "X-Key", secret: "k" },
    { method: "oauth", header: "", secret: "t" },
  ] as const) {
    expect(authenticationOf(authOf(authentication))).toEqual(authentication);
  }
});
