// API queries of the settings.
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { api, type Schemas, take } from "../api/client";
import { all, queries } from "../api/queries";

export type Secret = Schemas["SecretView"];
export type Space = Schemas["SpaceView"];
export type Notifier = Schemas["NotifierView"];
export type Webhook = Schemas["WebhookView"];
export type Delivery = Schemas["DeliveryView"];

export const secrets = queryOptions({
  queryKey: ["secrets"],
  queryFn: ({ signal }) => all((query) => take(api.GET("/v1/secrets", { params: { query }, signal }))),
});
export const spaces = queryOptions({
  queryKey: ["spaces"],
  queryFn: ({ signal }) => all((query) => take(api.GET("/v1/spaces", { params: { query }, signal }))),
  staleTime: 60_000,
});
export const notifiers = queryOptions({
  queryKey: ["notifiers"],
  queryFn: ({ signal }) => all(() => take(api.GET("/v1/notifiers", { signal }))),
});
export const slackPeople = queryOptions({
  queryKey: ["slack-people"],
  queryFn: ({ signal }) => all(() => take(api.GET("/v1/slack/people", { signal }))),
});
export const webhooks = queryOptions({
  queryKey: ["webhooks"],
  queryFn: ({ signal }) => all(() => take(api.GET("/v1/webhooks", { signal }))),
  refetchInterval: 15_000,
});

export const deliveries = (webhook: string) =>
  infiniteQueryOptions({
    queryKey: ["deliveries", webhook],
    queryFn: ({ pageParam, signal }) =>
      take(
        api.GET("/v1/webhooks/{webhook}/deliveries", {
          params: { path: { webhook }, query: { limit: 20, ...(pageParam === null ? {} : { cursor: pageParam }) } },
          signal,
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor ?? null,
    // Deliveries finish within seconds.
    refetchInterval: 3_000,
  });

export function changed(...keys: string[]): Promise<unknown> {
  return Promise.all(keys.map((key) => queries.invalidateQueries({ queryKey: [key] })));
}
