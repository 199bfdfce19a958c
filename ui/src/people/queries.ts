// API queries about people, service accounts, invitations and tokens.
import { queryOptions } from "@tanstack/react-query";
import { api, type Schemas, take } from "../api/client";
import { all } from "../api/queries";

export type Member = Schemas["MemberView"];
export type Invitation = Schemas["InvitationView"];
export type NewInvitation = Schemas["NewInvitationView"];
export type Token = Schemas["TokenView"];

export const members = queryOptions({
  queryKey: ["members"],
  queryFn: ({ signal }) => all((query) => take(api.GET("/v1/members", { params: { query }, signal }))),
});

/** For owners. */
export const invitations = queryOptions({
  queryKey: ["invitations"],
  queryFn: ({ signal }) => all((query) => take(api.GET("/v1/invitations", { params: { query }, signal }))),
});

/** The signed-in person's own. The keys of all tokens start with `tokens`, so that one change invalidates them all. */
export const tokens = queryOptions({
  queryKey: ["tokens"],
  queryFn: ({ signal }) => all((query) => take(api.GET("/v1/tokens", { params: { query }, signal }))),
});

/** For owners. */
export const allTokens = queryOptions({
  queryKey: ["tokens", "all"],
  queryFn: ({ signal }) => all((query) => take(api.GET("/v1/all-tokens", { params: { query }, signal }))),
});

/** For owners. */
export const memberTokens = (user: string) =>
  queryOptions({
    queryKey: ["tokens", "of", user],
    queryFn: ({ signal }) =>
      all((query) => take(api.GET("/v1/members/{user}/tokens", { params: { path: { user }, query }, signal }))),
  });
