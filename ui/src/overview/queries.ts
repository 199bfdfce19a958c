// What the overview asks of the gateway.
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { later } from "../api/later";
import { type RangeId, sinceOf } from "./series";

export interface Bucket {
  at: string;
  calls: number;
  succeeded: number;
  failed: number;
  denied: number;
  expired: number;
  unknown: number;
  quarantined: number;
  reverted: number;
  asked: number;
  answered: number;
  approval_p50_s?: number | null;
  approval_p95_s?: number | null;
  runs_succeeded: number;
  runs_failed: number;
  cost_usd: number;
  drift: number;
}
export interface Overview {
  since: string;
  until: string;
  bucket_s: number;
  buckets: Bucket[];
  totals: Bucket;
  waiting: number;
  sources: { source: string; calls: number; succeeded: number; failed: number; p50_ms?: number | null }[];
  agents: { agent: string; calls: number }[];
}

export const overview = (range: RangeId, space: string | null) =>
  queryOptions({
    queryKey: ["overview", range, space],
    queryFn: ({ signal }) => {
      const query = { since: sinceOf(range, Date.now()), ...(space === null ? {} : { space }) };
      return later<Overview>("GET", "/v1/overview", { params: { query }, signal });
    },
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  });
