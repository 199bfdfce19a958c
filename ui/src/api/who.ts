// What the person who looks may do.
import { useQuery } from "@tanstack/react-query";
import { me } from "./queries";

/** Whether they set rules, connect sources and review tools; null until it is known. */
export function useIsAdmin(): boolean | null {
  const who = useQuery(me).data;
  return who === undefined ? null : who.role === "admin" || who.role === "owner";
}
