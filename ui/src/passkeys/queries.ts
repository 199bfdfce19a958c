// API queries for passkeys.
import { queryOptions, useQuery } from "@tanstack/react-query";
import { api, type Schemas, take } from "../api/client";
import { all, me, queries } from "../api/queries";
import { isUsable, type PasskeyState, passkeyState } from "./state";

export type Passkey = Schemas["PasskeyView"];

/** Including removed ones: their signatures stay valid. */
export const passkeys = queryOptions({
  queryKey: ["passkeys"],
  queryFn: ({ signal }) => all((query) => take(api.GET("/v1/passkeys", { params: { query }, signal }))),
});

export const passkeysOf = (user: string) =>
  queryOptions({
    queryKey: ["passkeys", user],
    queryFn: ({ signal }) =>
      all((query) => take(api.GET("/v1/passkeys", { params: { query: { ...query, user } }, signal }))),
  });

/** Whether the signed-in person can sign; undefined while loading. */
export function useOwnPasskeys(isNeeded = true): PasskeyState | undefined {
  const user = useQuery(me).data?.user ?? "";
  const own = useQuery({ ...passkeysOf(user), enabled: isNeeded && user !== "" }).data;
  return own === undefined ? undefined : passkeyState(own);
}

/** The credentials that the person can sign with. */
export async function credentialsOf(user: string): Promise<string[]> {
  const own = await queries.fetchQuery(passkeysOf(user));
  return own.filter(isUsable).map((passkey) => passkey.credential);
}
