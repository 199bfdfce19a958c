// What a member may use is read and written without loss, and compared as the gateway does.
import { expect, it } from "vitest";
import { ACCESS, capabilitiesOf, isWithin, NOTHING, readReach, withAccess } from "./reach";

it.each([
  [["*"]],
  [["linear:*"]],
  [["linear:read"]],
  [["linear:read", "linear:write"]],
  [["github:*", "linear:read", "slack:write"]],
  [["github:merge"]],
  [["linear:read", "a:b:read", ":read", "linear", ""]],
  [[]],
])("%j stays as it is", (capabilities) => expect(capabilitiesOf(readReach(capabilities))).toEqual(capabilities));

it("takes everything for everything, whatever is listed besides", () => {
  const reach = readReach(["linear:read", "*"]);
  expect(reach.isEverything).toBe(true);
  expect(capabilitiesOf(reach)).toEqual(["*"]);
  // What was listed is there again when everything is taken back.
  expect(capabilitiesOf({ ...reach, isEverything: false })).toEqual(["linear:read"]);
});

it("joins what is listed for the same source", () => {
  expect(capabilitiesOf(readReach(["linear:write", "linear:read", "linear:read"]))).toEqual([
    "linear:read",
    "linear:write",
  ]);
  expect(capabilitiesOf(readReach(["linear:read", "linear:*", "linear:write"]))).toEqual(["linear:*"]);
});

it("names a source like a property of objects", () =>
  expect(capabilitiesOf(withAccess(NOTHING, "constructor", "read"))).toEqual(["constructor:read"]));

it("changes the access to one source and to no other", () => {
  const reach = readReach(["linear:read", "slack:*"]);
  const all = ACCESS.map((access) => capabilitiesOf(withAccess(reach, "linear", access)));
  expect(all).toEqual([
    ["slack:*"],
    ["linear:read", "slack:*"],
    ["linear:write", "slack:*"],
    ["linear:read", "linear:write", "slack:*"],
    ["linear:*", "slack:*"],
  ]);
  expect(capabilitiesOf(reach)).toEqual(["linear:read", "slack:*"]);
});

it.each([
  [["linear:read"], ["*"], true],
  [["linear:read"], ["linear:*"], true],
  [["linear:read"], ["linear:read"], true],
  [[], [], true],
  [["linear:read", "slack:read"], ["linear:read", "slack:*"], true],
  [["linear:read", "slack:read"], ["linear:read"], false],
  [["linear:write"], ["linear:read"], false],
  [["linear:*"], ["linear:read", "linear:write"], false],
  [["*"], ["linear:*"], false],
  [["linearx:read"], ["linear:*"], false],
  [["linear:read"], ["lin:*"], false],
  [["a:b:read"], ["a:b:*"], false],
  [["linear"], ["linear:*"], false],
  [["linear:read"], [], false],
])("%j is within %j: %s", (wanted, held, is) => expect(isWithin(wanted, held)).toBe(is));
