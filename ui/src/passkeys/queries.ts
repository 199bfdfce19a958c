// The passkeys of the org's people, and one person's own.
import { queryOptions } from "@tanstack/react-query";
import { api, type Schemas, take } from "../api/client";
import { all } from "../api/queries";

export type Passkey = Schemas["PasskeyView"];

export const passkeys = queryOptions({
  queryKey: ["passkeys"],
  queryFn: ({ signal }) => all((query) => take(api.GET("/v1/passkeys", { params: { query }, signal }))),
});

/** Those that a person can sign with. */
export const passkeysOf = (user: string) =>
  queryOptions({
    queryKey: ["passkeys", user],
    queryFn: ({ signal }) => all((query) => take(api.GET("/v1/passkeys", { params: { query: { ...query, user } }, signal }))),
  });
