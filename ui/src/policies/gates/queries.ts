// API queries of gates and consents. All of them need the admin role.
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { api, type Schemas, take } from "../../api/client";
import { queries } from "../../api/queries";
import { write } from "../../api/write";
import { changing } from "../queries";
import { because } from "../reason";

export type GatesView = Schemas["GatesView"];
export type GatesRequest = Schemas["GatesRequest"];
export type GateSettings = Omit<GatesRequest, "version">;
export type Consent = Schemas["ConsentView"];
type ConsentRequest = Schemas["ConsentRequest"];

export const gates = queryOptions({
  queryKey: ["policy", "gates"],
  queryFn: ({ signal }) => take(api.GET("/v1/gates", { signal })),
  refetchInterval: 30_000,
});

/** Empty for any. */
export interface ConsentFilter {
  purpose: string;
  subject: string;
}

export const consents = ({ purpose, subject }: ConsentFilter) =>
  infiniteQueryOptions({
    queryKey: ["policy", "consents", purpose, subject],
    queryFn: ({ pageParam, signal }) => {
      const query = {
        limit: 50,
        ...(purpose === "" ? {} : { purpose }),
        ...(subject === "" ? {} : { subject }),
        ...(pageParam === null ? {} : { cursor: pageParam }),
      };
      return take(api.GET("/v1/consents", { params: { query }, signal }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor ?? null,
    refetchInterval: 30_000,
  });

const bodySerializer = (body: unknown) => write(body);

export async function saveGates(body: GatesRequest, reason: string): Promise<GatesView> {
  const saved = await changing(take(api.PUT("/v1/gates", { body, bodySerializer, headers: because(reason) })));
  queries.setQueryData(gates.queryKey, saved);
  return saved;
}

export const giveConsent = (body: ConsentRequest) => changing(take(api.POST("/v1/consents", { body })));

export const revokeConsent = (consent: string, reason: string) =>
  changing(take(api.DELETE("/v1/consents/{consent}", { params: { path: { consent } }, headers: because(reason) })));
