// The answer of an authorization server is read as it was written in its query.
import { expect, it } from "vitest";
import { readCallback } from "./callback";

it("decodes what is in the fragment", () => {
  expect(readCallback("code=a%2Fb%2Bc&state=s-1&iss=https%3A%2F%2Fauth.example.com")).toEqual({
    code: "a/b+c",
    state: "s-1",
    iss: "https://auth.example.com",
  });
  expect(readCallback("state=s-1&code=x")).toEqual({ code: "x", state: "s-1" });
  expect(readCallback("state=s-1&code=x&iss=")).toEqual({ code: "x", state: "s-1" });
});

it.each([null, "", "code=x", "state=s", "code=&state=s", "error=access_denied&state=s"])("has nothing in %s", (given) =>
  expect(readCallback(given)).toBeNull(),
);
