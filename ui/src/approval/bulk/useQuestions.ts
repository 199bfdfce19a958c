// What a model asked in one turn, with the documents: the pane shows of each question everything that an answer is
// about.
import { type UseQueryResult, useQueries } from "@tanstack/react-query";
import type { InboxItem } from "../../api/inboxList";
import { inboxItem } from "../../api/queries";
import type { Approval } from "./groups";
import { failure, type LoadedRequests, usable } from "./load";

/** null while a document is loading. */
export function useQuestions(items: readonly Approval[]): LoadedRequests | null {
  const results = useQueries({ queries: items.map((item) => inboxItem(item.invocation.id)) });
  return questions(items, results);
}

type Result = Pick<UseQueryResult<InboxItem>, "data" | "error">;

export function questions(items: readonly Approval[], results: readonly Result[]): LoadedRequests | null {
  const out: LoadedRequests = { items: [], excluded: [] };
  for (const [at, item] of items.entries()) {
    const { data, error } = results[at] ?? { data: undefined, error: null };
    if (data === undefined && error === null) return null;
    // A document that could not be loaded again may be out of date.
    const found = error !== null || data === undefined ? failure(error) : usable("deny", data);
    if (typeof found === "string") out.excluded.push({ item, reason: found });
    else out.items.push(found);
  }
  return out;
}
