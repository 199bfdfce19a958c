// API queries of the automation pages. All keys start with `automations` or `runs`, so that events can invalidate them.
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { api, type Schemas, take } from "../api/client";
import { queries } from "../api/queries";
import { write } from "../api/write";
import type { Fields } from "./definition";

export type Automation = Schemas["AutomationView"];
export type Detail = Schemas["AutomationDetail"];
export type Version = Schemas["VersionView"];
/** A schedule as the gateway reads it; `trigger` is its index in the definition. */
export interface Schedule {
  trigger: number;
  description: string;
  /** RFC 3339. */
  next: string[];
}
export type Validation = Schemas["ValidationView"] & { schedules?: Schedule[] };
export type Outlook = Schemas["StepOutlook"];
export type Action = Schemas["SourceAction"];
export type Flow = Schemas["FlowView"];
/** What a model proposes. */
export type Proposal = Schemas["ProposedAutomation"];

const VERSIONS = 20;
const RUNS = 5;

export const automation = (id: string) =>
  queryOptions({
    queryKey: ["automations", id],
    queryFn: ({ signal }) =>
      take(api.GET("/v1/automations/{automation}", { params: { path: { automation: id } }, signal })),
  });

export const versions = (id: string) =>
  infiniteQueryOptions({
    queryKey: ["automations", id, "versions"],
    queryFn: ({ pageParam, signal }) =>
      take(
        api.GET("/v1/automations/{automation}/versions", {
          params: {
            path: { automation: id },
            query: { limit: VERSIONS, ...(pageParam === null ? {} : { cursor: pageParam }) },
          },
          signal,
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor ?? null,
  });

/** They depend on the gate settings too. */
export const flows = (id: string) =>
  queryOptions({
    queryKey: ["automations", id, "flows"],
    queryFn: ({ signal }) =>
      take(api.GET("/v1/automations/{automation}/flows", { params: { path: { automation: id } }, signal })),
    refetchInterval: 30_000,
  });

export const runsOf = (id: string) =>
  queryOptions({
    queryKey: ["runs", "of", id],
    queryFn: ({ signal }) => take(api.GET("/v1/runs", { params: { query: { automation: id, limit: RUNS } }, signal })),
  });

export const definitionSchema = queryOptions({
  queryKey: ["definition-schema"],
  queryFn: ({ signal }) => take(api.GET("/v1/schemas/automation/1.0", { signal })) as Promise<Fields>,
  staleTime: Infinity,
});

/** All actions with their parameter schemas. */
export const actions = queryOptions({
  queryKey: ["automations", "actions"],
  queryFn: async ({ signal }): Promise<Action[]> => {
    const { items } = await take(api.GET("/v1/sources", { signal }));
    const all = await Promise.all(
      items.map(({ source }) => take(api.GET("/v1/sources/{source}", { params: { path: { source } }, signal }))),
    );
    return all.flatMap((each) => each.actions);
  },
  staleTime: 60_000,
});

/** Names of people by ID; empty without permission. */
export const people = queryOptions({
  queryKey: ["people"],
  queryFn: async ({ signal }): Promise<Record<string, string>> => {
    const { items } = await take(api.GET("/v1/members", { params: { query: { limit: 100 } }, signal }));
    return Object.fromEntries(items.map((member) => [member.user, member.name || (member.email ?? member.user)]));
  },
  staleTime: 60_000,
  retry: false,
});

/** Policy depends on the automation and on the space. */
export interface ValidationContext {
  automation?: string | undefined;
  space?: string | undefined;
}

export async function validate(
  definition: Fields,
  context: ValidationContext,
  signal: AbortSignal,
): Promise<Validation> {
  return take(
    api.POST("/v1/automations/validate", { body: { definition, ...context } as never, bodySerializer: write, signal }),
  );
}

/** Lets a model propose a definition. It takes up to some minutes, and nothing is saved. */
export function propose(request: Fields, signal: AbortSignal): Promise<Proposal> {
  return take(api.POST("/v1/automations/propose", { body: request as never, bodySerializer: write, signal }));
}

/** Saves the next version, or a new automation. */
export async function save(
  definition: Fields,
  from: { id: string; version: number } | null,
  space?: string,
): Promise<Detail> {
  const saved = await (from === null
    ? take(api.POST("/v1/automations", { body: { definition, space } as never, bodySerializer: write }))
    : take(
        api.PATCH("/v1/automations/{automation}", {
          params: { path: { automation: from.id } },
          body: { definition, from_version: from.version } as never,
          bodySerializer: write,
        }),
      ));
  await changed();
  return saved;
}

export async function setStatus(id: string, status: "active" | "paused" | "archived"): Promise<void> {
  await take(api.PATCH("/v1/automations/{automation}", { params: { path: { automation: id } }, body: { status } }));
  await changed();
}

export async function runNow(id: string, inputs: Fields): Promise<Schemas["RunView"]> {
  const run = await take(
    api.POST("/v1/automations/{automation}/runs", {
      params: { path: { automation: id } },
      body: { inputs } as never,
      bodySerializer: write,
    }),
  );
  void queries.invalidateQueries({ queryKey: ["runs"] });
  void changed();
  return run;
}

export async function rotate(trigger: string): Promise<Schemas["NewHookTokenView"]> {
  const token = await take(api.POST("/v1/triggers/{trigger}/rotate", { params: { path: { trigger } } }));
  void changed();
  return token;
}

export async function revoke(trigger: string): Promise<void> {
  await take(api.DELETE("/v1/triggers/{trigger}/token", { params: { path: { trigger } } }));
  await changed();
}

async function changed(): Promise<void> {
  await queries.invalidateQueries({ queryKey: ["automations"] });
}
