// API queries of the overview, and the rules that it suggests.
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, type Schemas, take } from "../api/client";
import { numeric } from "../api/json";
import { queries } from "../api/queries";
import { write } from "../api/write";
import { policyChanged } from "../policy/queries";
import { type RangeId, sinceOf } from "./series";

export type Bucket = Schemas["Bucket"];
export type Overview = Schemas["OverviewView"];
export type Suggestion = Schemas["RuleSuggestion"];

export const overview = (range: RangeId, space: string | null) =>
  queryOptions({
    queryKey: ["overview", range, space],
    queryFn: async ({ signal }) => {
      const query = { since: sinceOf(range, Date.now()), ...(space === null ? {} : { space }) };
      return asCharted(await take(api.GET("/v1/overview", { params: { query }, signal })));
    },
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
    // Structural sharing copies objects and would lose a condition on a parameter named `__proto__`.
    structuralSharing: false,
  });

/** With numbers for the charts. The conditions of suggested rules keep their digits. */
export function asCharted(view: Overview): Overview {
  const { suggestions = [], ...rest } = view;
  return { ...numeric(rest), suggestions };
}

/** Creates a rule with exactly the suggested condition. */
export async function createRule({ action, where }: Suggestion): Promise<void> {
  const body = { action, mode: "allow", where };
  // Numbers of the condition keep their digits.
  await take(api.PUT("/v1/rules", { body, bodySerializer: (value) => write(value) }));
  await Promise.all([policyChanged(), queries.invalidateQueries({ queryKey: ["overview"] })]);
}
