// What is stopped or in a dry run, and how it is changed.
import { queryOptions, useQuery } from "@tanstack/react-query";
import { api, take } from "../api/client";
import { queries } from "../api/queries";
import { type ConductView, type Restriction, type Target, withConduct } from "./conduct";

export const conducts = queryOptions({
  queryKey: ["conduct"],
  queryFn: async ({ signal }): Promise<ConductView[]> => (await take(api.GET("/v1/conduct", { signal }))).items,
  // Events announce changes; this is for when the stream is interrupted.
  refetchInterval: 30_000,
});

const NONE: ConductView[] = [];

export function useConducts(): ConductView[] {
  return useQuery(conducts).data ?? NONE;
}

export async function setConduct(
  { scope, subject }: Target,
  conduct: Restriction | "normal",
  reason: string,
): Promise<void> {
  const view = await take(api.PUT("/v1/conduct", { body: { scope, subject, conduct, reason: reason.trim() } }));
  // An older list may be on its way.
  await queries.cancelQueries({ queryKey: conducts.queryKey });
  queries.setQueryData(conducts.queryKey, (known) => withConduct(known ?? [], view));
  void queries.invalidateQueries({ queryKey: conducts.queryKey });
  void queries.invalidateQueries({ queryKey: ["agents"] });
}
