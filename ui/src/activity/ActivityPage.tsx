// All invocations, newest first, with filters and search. The filters are part of the URL.
import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import { chooseSpace, useSpace } from "../frame/space";
import { moment } from "../text/time";
import { Empty, Loading, PageHead, ProblemCard } from "../ui/Bits";
import { Button } from "../ui/Button";
import { EndlessList } from "../ui/EndlessList";
import { FilterBar } from "./FilterBar";
import { type Filters, readFilters } from "./filters";
import { InvocationRow } from "./InvocationRow";
import { activity } from "./queries";
import { useNews } from "./useNews";
import { Views } from "./Views";

export function ActivityPage() {
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  const space = useSpace();
  const filters: Filters = useMemo(
    () => ({ ...readFilters(search), ...(space === null ? {} : { space }) }),
    [search, space],
  );
  const query = useInfiniteQuery(activity(filters));
  const { data, error, isPending, hasNextPage, isFetchingNextPage } = query;
  const { more, showNews, setAtTop } = useNews(query, activity(filters).queryKey);
  const all = useMemo(() => data?.pages.flatMap((page) => page.items) ?? [], [data]);
  const until = data?.pages.at(-1)?.searched_until;

  const change = (next: Filters) => {
    if (next.space !== filters.space) chooseSpace(next.space ?? null);
    void navigate({ to: "/activity", search: next, replace: true });
  };

  const isFiltered = Object.keys(filters).length > 0;
  return (
    <>
      <PageHead title="Activity" about="Every invocation and its receipt">
        {showNews !== null && (
          <Button variant="primary" onClick={showNews}>
            Show new activity
          </Button>
        )}
      </PageHead>
      <Views current="/activity" />
      <FilterBar filters={filters} onChange={change} />
      {error !== null && (
        <div className="p-4">
          <ProblemCard error={error} />
        </div>
      )}
      {isPending && error === null && <Loading what="activity" />}
      {!isPending &&
        all.length === 0 &&
        error === null &&
        until == null &&
        (isFiltered ? <NoMatches onAll={() => change({})} /> : <NoActivity />)}
      {all.length > 0 && (
        <EndlessList
          name="Invocations"
          items={all}
          row={(item) => <InvocationRow item={item} />}
          hasMore={hasNextPage && until == null}
          onMore={more}
          onTop={setAtTop}
        />
      )}
      {until != null && hasNextPage && (
        <div
          role="status"
          className="flex flex-wrap items-center justify-center gap-3 border-t border-edge bg-card px-4 py-3 text-soft"
        >
          Searched back to {moment(until)}
          {all.length === 0 && ", nothing found so far"}.
          <Button disabled={isFetchingNextPage} onClick={more}>
            {isFetchingNextPage ? "Searching …" : "Search older activity"}
          </Button>
        </div>
      )}
    </>
  );
}

function NoActivity() {
  return (
    <Empty icon="activity" title="No activity yet">
      <p>
        Every request of an agent or automation appears here, with its decision and its signed receipt. Make one as the
        demo agent:
      </p>
      <pre
        className={`rounded-lg border border-edge bg-card px-4 py-3 text-left font-mono text-xs leading-5
        whitespace-pre-wrap`}
      >
        countersign actions run linear.list_issues
      </pre>
    </Empty>
  );
}

function NoMatches({ onAll }: { onAll: () => void }) {
  return (
    <Empty icon="search" title="Nothing found">
      <p>No invocation matches these filters.</p>
      <p>
        <Button onClick={onAll}>Clear filters</Button>
      </p>
    </Empty>
  );
}
