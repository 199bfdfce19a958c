// API queries about the members of spaces.
import { queryOptions } from "@tanstack/react-query";
import { api, type Schemas, take } from "../api/client";
import { all } from "../api/queries";
import { changed } from "../settings/queries";

export type SpaceMember = Schemas["SpaceMemberView"];

/** The keys of all of them start with `space-members`, so that events can invalidate them. */
export const spaceMembers = (space: string) =>
  queryOptions({
    queryKey: ["space-members", space],
    queryFn: ({ signal }) =>
      all((query) => take(api.GET("/v1/spaces/{space}/members", { params: { path: { space }, query }, signal }))),
  });

/** The newest sessions of the organization, to tell which of them end. An old list would tell it wrongly. */
export const sessions = queryOptions({
  queryKey: ["sessions"],
  queryFn: ({ signal }) => all((query) => take(api.GET("/v1/sessions", { params: { query }, signal }))),
  staleTime: 0,
  gcTime: 0,
});

export async function setSpaceMember(space: string, user: string, capabilities: string[]): Promise<SpaceMember> {
  const path = { space, user };
  const saved = await take(api.PUT("/v1/spaces/{space}/members/{user}", { params: { path }, body: { capabilities } }));
  await membersChanged();
  return saved;
}

export async function removeSpaceMember(space: string, user: string): Promise<void> {
  await take(api.DELETE("/v1/spaces/{space}/members/{user}", { params: { path: { space, user } } }));
  await membersChanged();
}

/** Sessions may have ended, and `may_open` of a space can be another one. */
async function membersChanged(): Promise<void> {
  await changed("space-members", "spaces", "agents", "sessions");
}
