// The gateway's link is used as it is.
import { expect, it } from "vitest";
import { linkOf } from "./link";

it("prefers the gateway's link", () =>
  expect(linkOf({ link: "https://gate.example.com/join#csn_inv_1", token: "csn_inv_1" }, "http://localhost:1")).toBe(
    "https://gate.example.com/join#csn_inv_1",
  ));

it.each([null, undefined])("makes one where the gateway does not know its address (%s)", (link) =>
  expect(linkOf({ link, token: "csn_inv_1" }, "http://localhost:1")).toBe("http://localhost:1/join#csn_inv_1"),
);
