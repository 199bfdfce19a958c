// Permissions of the signed-in person, and names of other users.
import { queryOptions, useQuery } from "@tanstack/react-query";
import { api, take } from "./client";
import { me } from "./queries";
import { isAtLeast, type Role } from "./role";

/** Whether the person has at least this role; undefined while loading. */
export function useMay(needed: Role): boolean | undefined {
  const user = useQuery(me).data;
  return user === undefined ? undefined : isAtLeast(user.role, needed);
}

const names = queryOptions({
  queryKey: ["members", "names"],
  queryFn: ({ signal }) => take(api.GET("/v1/members", { params: { query: { limit: 100 } }, signal })),
  staleTime: 60_000,
});

/** Names of users. Former members are shown by ID. */
export function useNames(): (user: string) => string {
  const all = useQuery(names).data?.items ?? [];
  return (user) => all.find((each) => each.user === user)?.name ?? user;
}
