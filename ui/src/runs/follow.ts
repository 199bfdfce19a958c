// Follows a run with long polling.
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { ApiError, api, take } from "../api/client";
import { queries, run } from "../api/queries";
import { isOver } from "./timeline";

const RECONNECT_MS = 2_000;

export function useRun(id: string) {
  const query = useQuery(run(id));
  const isFollowed = query.data !== undefined && !isOver(query.data.status);
  useEffect(() => {
    if (!isFollowed) return undefined;
    const stop = new AbortController();
    void follow(id, stop.signal);
    return () => stop.abort();
  }, [id, isFollowed]);
  return query;
}

async function follow(id: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const known = queries.getQueryData(run(id).queryKey);
    if (known === undefined || isOver(known.status)) return;
    try {
      const params = { path: { run: id }, query: { wait: "30s", seen: known.revision } };
      const next = await take(api.GET("/v1/runs/{run}", { params, signal }));
      if (signal.aborted) return;
      queries.setQueryData(run(id).queryKey, next);
      if (next.revision === known.revision) continue;
      void queries.invalidateQueries({ queryKey: ["runs"] });
    } catch (error) {
      if (signal.aborted || (error instanceof ApiError && error.status === 404)) return;
      await new Promise((done) => setTimeout(done, RECONNECT_MS));
    }
  }
}
