// Whether the person who is signed in may do what needs a role.
import { useQuery } from "@tanstack/react-query";
import { me } from "../api/queries";
import { isAtLeast, type Role } from "./role";

/** Undefined until it is known. */
export function useMay(needed: Role): boolean | undefined {
  const who = useQuery(me).data;
  return who === undefined ? undefined : isAtLeast(who.role, needed);
}
