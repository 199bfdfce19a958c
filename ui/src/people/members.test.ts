// A service account never counts as an approver.
import { expect, it } from "vitest";
import { isApprover } from "./members";

it.each([
  ["person", "owner", true],
  ["person", "admin", true],
  ["person", "member", false],
  ["service", "admin", false],
  ["service", "member", false],
])("%s, %s: %s", (kind, role, is) => expect(isApprover({ kind, role })).toBe(is));
