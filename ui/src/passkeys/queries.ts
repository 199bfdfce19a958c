// The passkeys of the org's people, and one person's own.
import { queryOptions } from "@tanstack/react-query";
import { api, type Schemas, take } from "../api/client";
import { all } from "../api/queries";

export type Passkey = Schemas["PasskeyView"];

/** With those that were removed: what they signed stays signed. */
export const passkeys = queryOptions({
  queryKey: ["passkeys"],
  queryFn: ({ signal }) => all((query) => take(api.GET("/v1/passkeys", { params: { query }, signal }))),
});

/** Those that a person has, and had. */
export const passkeysOf = (user: string) =>
  queryOptions({
    queryKey: ["passkeys", user],
    queryFn: ({ signal }) => all((query) => take(api.GET("/v1/passkeys", { params: { query: { ...query, user } }, signal }))),
  });
