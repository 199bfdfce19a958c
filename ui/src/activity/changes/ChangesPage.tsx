// All changes of authority, newest first, with filters. The filters are part of the URL.
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import { useNow } from "../../text/now";
import { ago, moment } from "../../text/time";
import { Excerpt } from "../../text/Visible";
import { Empty, Loading, PageHead, ProblemCard } from "../../ui/Bits";
import { Button } from "../../ui/Button";
import { EndlessList } from "../../ui/EndlessList";
import { useNews } from "../useNews";
import { Views } from "../Views";
import { ChangeFilterBar } from "./ChangeFilterBar";
import { type ChangeFilters, readChangeFilters } from "./filters";
import { type Change, changes } from "./queries";
import { Authors, ChangeSentence } from "./Words";

export function ChangesPage() {
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  const filters = useMemo(() => readChangeFilters(search), [search]);
  const query = useInfiniteQuery(changes(filters));
  const { data, error, isPending, hasNextPage } = query;
  const { more, showNews, setAtTop } = useNews(query, changes(filters).queryKey);
  const all = useMemo(() => data?.pages.flatMap((page) => page.items) ?? [], [data]);
  const show = (next: ChangeFilters) => void navigate({ to: "/activity/changes", search: next, replace: true });
  return (
    <>
      <PageHead title="Activity" about="Every change of members, policy, sources and settings, with a signed record">
        {showNews !== null && (
          <Button variant="primary" onClick={showNews}>
            Show new changes
          </Button>
        )}
      </PageHead>
      <Views current="/activity/changes" />
      <ChangeFilterBar filters={filters} onChange={show} />
      {error !== null && (
        <div className="p-4">
          <ProblemCard error={error} />
        </div>
      )}
      {isPending && error === null && <Loading what="changes" />}
      {!isPending && all.length === 0 && error === null && !hasNextPage && (
        <NoChanges isFiltered={Object.keys(filters).length > 0} onAll={() => show({})} />
      )}
      {(all.length > 0 || hasNextPage) && (
        <EndlessList
          name="Changes"
          items={all}
          row={(item) => <ChangeRow item={item} />}
          hasMore={hasNextPage}
          onMore={more}
          onTop={setAtTop}
        />
      )}
    </>
  );
}

function NoChanges({ isFiltered, onAll }: { isFiltered: boolean; onAll: () => void }) {
  if (!isFiltered)
    return (
      <Empty icon="activity" title="No changes yet">
        <p>Every change of members, tokens, policy, sources, secrets and settings appears here.</p>
      </Empty>
    );
  return (
    <Empty icon="search" title="Nothing found">
      <p>No change matches these filters.</p>
      <p>
        <Button onClick={onAll}>Clear filters</Button>
      </p>
    </Empty>
  );
}

function ChangeRow({ item }: { item: Change }) {
  const now = useNow();
  return (
    <Link
      to="/activity/changes/$change"
      params={{ change: item.id }}
      className={`grid h-full grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 border-b border-edge px-4
        hover:bg-sunk md:grid-cols-[minmax(0,1fr)_11rem_7rem] md:px-6`}
    >
      <span className="min-w-0">
        <span className="block truncate font-medium">
          <ChangeSentence change={item} isRow />
        </span>
        <span className="block truncate text-xs text-faint">
          <span className="md:hidden">
            <Authors by={item.by} /> ·{" "}
          </span>
          <Excerpt text={item.reason == null || item.reason === "" ? item.change : item.reason} />
        </span>
      </span>
      <span className="hidden min-w-0 md:line-clamp-2">
        <Authors by={item.by} />
      </span>
      <time dateTime={item.at} title={moment(item.at)} className="text-right text-faint max-md:text-xs">
        {ago(item.at, now)}
      </time>
    </Link>
  );
}
