// Who the people are: what the one who looks may do, and what the others are called.
import { queryOptions, useQuery } from "@tanstack/react-query";
import { api, take } from "./client";
import { me } from "./queries";
import { isAtLeast, type Role } from "./role";

/** Whether they may do what needs a role; undefined until it is known. */
export function useMay(needed: Role): boolean | undefined {
  const who = useQuery(me).data;
  return who === undefined ? undefined : isAtLeast(who.role, needed);
}

const names = queryOptions({
  queryKey: ["members", "names"],
  queryFn: ({ signal }) => take(api.GET("/v1/members", { params: { query: { limit: 100 } }, signal })),
  staleTime: 60_000,
});

/** Users by name; somebody who left keeps their id. */
export function useNames(): (user: string) => string {
  const all = useQuery(names).data?.items ?? [];
  return (user) => all.find((each) => each.user === user)?.name ?? user;
}
