// Capabilities are explained; an unknown one is named, never guessed.
import { expect, it } from "vitest";
import { capabilityText } from "./capabilities";

it.each([
  ["*", "everything that its rules and space allow"],
  ["linear:*", "every action of linear"],
  ["linear:read", "reading from linear"],
  ["slack:write", "writing to slack"],
  ["github:merge", "“merge” in github"],
  ["constructor:toString", "“toString” in constructor"],
  ["a:b:read", "“b:read” in a"],
  ["linear", "not known to this page"],
  ["linear:", "not known to this page"],
  [":read", "not known to this page"],
  ["", "not known to this page"],
])("%s: %s", (capability, text) => expect(capabilityText(capability)).toBe(text));
