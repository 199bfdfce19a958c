// People and service accounts. A service account is a program: it has tokens and no vote.
import { isAtLeast } from "../api/role";
import type { Member } from "./queries";

export function isService({ kind }: Pick<Member, "kind">): boolean {
  return kind === "service";
}

/** Whose votes count. */
export function isApprover(member: Pick<Member, "kind" | "role">): boolean {
  return !isService(member) && isAtLeast(member.role, "admin");
}
