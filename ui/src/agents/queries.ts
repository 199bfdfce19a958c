// API queries of the pages about agents. All keys start with `agents`, so that events can invalidate them.
import { queryOptions } from "@tanstack/react-query";
import { api, type Schemas, take } from "../api/client";
import { queries } from "../api/queries";

export type Agent = Schemas["AgentView"];
export type AgentDetail = Schemas["AgentDetail"];
export type Session = Schemas["AgentSession"];

const LATEST = 20;

export const agents = queryOptions({
  queryKey: ["agents"],
  queryFn: async ({ signal }): Promise<Agent[]> => (await take(api.GET("/v1/agents", { signal }))).items,
  refetchInterval: 15_000,
});

export const agentDetail = (agent: string) =>
  queryOptions({
    queryKey: ["agents", agent],
    queryFn: ({ signal }) => take(api.GET("/v1/agents/{agent}", { params: { path: { agent } }, signal })),
    refetchInterval: 10_000,
  });

/** What the agent did last. */
export const latest = (agent: string) =>
  queryOptions({
    queryKey: ["agents", agent, "latest"],
    queryFn: ({ signal }) => take(api.GET("/v1/invocations", { params: { query: { agent, limit: LATEST } }, signal })),
    refetchInterval: 10_000,
  });

export async function endSession(session: string): Promise<void> {
  await take(api.DELETE("/v1/sessions/{session}", { params: { path: { session } } }));
  await queries.invalidateQueries({ queryKey: ["agents"] });
}
