// All sources, and a search over all actions.
import { useQueries, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useMay } from "../api/permissions";
import { Line } from "../text/Visible";
import { Badge, Empty, Loading, PageHead, ProblemCard, RiskBadge } from "../ui/Bits";
import { Icon } from "../ui/icons";
import { ModeBadge } from "../ui/Mode";
import { type Source, type SourceAction, source, sources } from "./queries";
import { ConnectLink, isUnconnected, KINDS, SourceBadges, Unconnected } from "./SourceBadges";
import { Latency, UsageBar } from "./Usage";

export function CatalogPage() {
  const { data, error, isPending } = useQuery(sources);
  const isAdmin = useMay("admin");
  const [text, setText] = useState("");
  const all = (data?.items ?? []).toSorted((a, b) => rank(a) - rank(b));
  const waiting = all.filter((each) => each.to_review > 0);
  return (
    <>
      <PageHead title="Catalog" about="Sources and their actions">
        {isAdmin === true && <ConnectLink />}
      </PageHead>
      <div className="mx-auto w-full max-w-5xl space-y-4 p-4 md:p-6">
        {error !== null && <ProblemCard error={error} />}
        {isPending && error === null && <Loading what="sources" />}
        {data !== undefined && (
          <>
            <label className="relative block">
              <span className="sr-only">Search actions</span>
              <span className="pointer-events-none absolute inset-y-0 left-3 grid place-items-center text-faint">
                <Icon name="search" />
              </span>
              <input
                className="input !pl-9"
                type="search"
                value={text}
                onChange={(event) => setText(event.target.value)}
                placeholder="Search all actions"
              />
            </label>
            {text.trim() === "" && waiting.length > 0 && isAdmin === true && <ToReview waiting={waiting} />}
            {text.trim() === "" ? (
              <Sources all={all} isAdmin={isAdmin === true} />
            ) : (
              <SearchResults all={all} text={text.trim().toLowerCase()} />
            )}
            {text.trim() === "" && isAdmin === false && (
              <p className="text-xs text-faint">Only admins and owners can connect sources and review tools.</p>
            )}
          </>
        )}
      </div>
    </>
  );
}

/** Sources that need attention first, built-in ones last. */
function rank(each: Source): number {
  if (each.to_review > 0) return 0;
  if (each.kind === "native") return 3;
  return each.connected ? 1 : 2;
}

function ToReview({ waiting }: { waiting: Source[] }) {
  const count = waiting.reduce((sum, each) => sum + each.to_review, 0);
  return (
    <div role="status" className="flex gap-3 rounded-xl bg-warn-wash px-4 py-3 text-warn">
      <Icon name="warning" className="mt-0.5 size-4" />
      <p>
        {count} {count === 1 ? "tool needs" : "tools need"} review. Until then every call needs approval:{" "}
        {waiting.map((each, index) => (
          <span key={each.source}>
            {index > 0 && ", "}
            <Link
              to="/catalog/$source"
              params={{ source: each.source }}
              hash="review"
              className="font-medium underline"
            >
              <Line text={each.source} /> ({each.to_review})
            </Link>
          </span>
        ))}
      </p>
    </div>
  );
}

function Sources({ all, isAdmin }: { all: Source[]; isAdmin: boolean }) {
  if (all.length === 0) {
    return (
      <Empty icon="catalog" title="No sources yet">
        <p>Connect an MCP server, an HTTP API or an integration. Its tools become actions that agents can use.</p>
      </Empty>
    );
  }
  return (
    <ul aria-label="Sources" className="grid gap-3 lg:grid-cols-2">
      {all.map((each) => (
        <Card key={each.source} source={each} isAdmin={isAdmin} />
      ))}
    </ul>
  );
}

function Card({ source: each, isAdmin }: { source: Source; isAdmin: boolean }) {
  return (
    <li className="relative flex flex-col gap-3 rounded-xl border border-edge bg-card p-4 hover:border-strong">
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="min-w-0 flex-1 truncate font-semibold">
          <Link
            to="/catalog/$source"
            params={{ source: each.source }}
            className="after:absolute after:inset-0 after:rounded-xl"
          >
            <Line text={each.source} />
          </Link>
        </h2>
        <SourceBadges source={each} />
      </div>
      <p className="flex-1 text-soft">
        {isUnconnected(each) ? (
          <Unconnected isAdmin={isAdmin} />
        ) : each.problem != null ? (
          <Line text={each.problem} />
        ) : (
          `${KINDS[each.kind].about}; ${each.actions} ${each.actions === 1 ? "action" : "actions"}`
        )}
      </p>
      <div className="grid gap-x-6 gap-y-3 border-t border-edge pt-3 sm:grid-cols-2">
        <UsageBar usage={each.usage} isShort />
        <Latency usage={each.usage} />
      </div>
    </li>
  );
}

const MAX_RESULTS = 100;

function SearchResults({ all, text }: { all: Source[]; text: string }) {
  const details = useQueries({ queries: all.map((each) => source(each.source)) });
  const isComing = details.some((each) => each.isPending);
  const actions = details
    .flatMap((each) => each.data?.actions ?? [])
    .filter((each) => `${each.action} ${each.description}`.toLowerCase().includes(text));
  return (
    <section aria-label="Actions found" className="space-y-2">
      <p role="status" className="text-xs text-faint">
        {isComing ? "Searching …" : `${actions.length} ${actions.length === 1 ? "action" : "actions"}`}
      </p>
      {actions.length > 0 && (
        <ul className="divide-y divide-edge overflow-hidden rounded-xl border border-edge bg-card">
          {actions.slice(0, MAX_RESULTS).map((each) => (
            <li key={each.action}>
              <ResultRow action={each} />
            </li>
          ))}
        </ul>
      )}
      {actions.length > MAX_RESULTS && (
        <p className="text-xs text-faint">Only the first {MAX_RESULTS} are shown. Type more to narrow the search.</p>
      )}
      {actions.length === 0 && !isComing && (
        <Empty icon="search" title="No actions found">
          <p>The search covers names and descriptions of connected sources.</p>
        </Empty>
      )}
    </section>
  );
}

function ResultRow({ action }: { action: SourceAction }) {
  const [name = ""] = action.action.split(".");
  return (
    <Link
      to="/catalog/$source"
      params={{ source: name }}
      hash={action.action}
      className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-3 px-4 py-2.5 hover:bg-sunk"
    >
      <span className="min-w-0">
        <span className="block truncate font-medium">
          <Line text={action.action} />
        </span>
        <span className="block truncate text-xs text-faint">
          <Line text={action.description} />
        </span>
      </span>
      <span className="flex gap-1.5">
        {action.drift != null && <Badge tone="warn">drift</Badge>}
        <RiskBadge risk={action.risk} />
        <ModeBadge mode={action.mode} />
      </span>
    </Link>
  );
}
