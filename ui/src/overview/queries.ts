// API queries of the overview.
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, type Schemas, take } from "../api/client";
import { numeric } from "../api/json";
import { type RangeId, sinceOf } from "./series";

export type Bucket = Schemas["Bucket"];
export type Overview = Schemas["OverviewView"];

export const overview = (range: RangeId, space: string | null) =>
  queryOptions({
    queryKey: ["overview", range, space],
    queryFn: async ({ signal }) => {
      const query = { since: sinceOf(range, Date.now()), ...(space === null ? {} : { space }) };
      return numeric(await take(api.GET("/v1/overview", { params: { query }, signal })));
    },
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  });
