// News of an endless list. A short list that is not scrolled refreshes itself; a long one must not move while someone
// reads it, and gets a button.
import type { QueryKey } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import { queries } from "../api/queries";

interface ListQuery {
  data: { pages: readonly unknown[] } | undefined;
  isStale: boolean;
  isFetching: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
  refetch: () => unknown;
}

interface News {
  /** Loads the next page. */
  more: () => void;
  /** Loads the list anew; null while there is no reason to. */
  showNews: (() => void) | null;
  setAtTop: (is: boolean) => void;
}

export function useNews(query: ListQuery, queryKey: QueryKey): News {
  const { data, isStale, isFetching, isFetchingNextPage, fetchNextPage, refetch } = query;
  const [isAtTop, setAtTop] = useState(true);
  const more = useCallback(() => void (!isFetchingNextPage && fetchNextPage()), [isFetchingNextPage, fetchNextPage]);
  const hasNews = isStale && !isFetching && data !== undefined;
  const isUnread = data?.pages.length === 1 && isAtTop;
  useEffect(() => {
    if (hasNews && isUnread) void refetch();
  }, [hasNews, isUnread, refetch]);
  const showNews = () => void queries.resetQueries({ queryKey });
  return { more, showNews: hasNews && !isUnread ? showNews : null, setAtTop };
}
