// API queries for passkeys.
import { queryOptions } from "@tanstack/react-query";
import { api, type Schemas, take } from "../api/client";
import { all } from "../api/queries";

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
