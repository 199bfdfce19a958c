// The sources of the org: what each is, whether it works, what waits for a review, and how its calls went. Searching
// looks through every action.
import { useQueries, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useMay } from "../api/who";
import { Line } from "../text/Visible";
import { Badge, Empty, Loading, PageHead, ProblemCard, RiskBadge } from "../ui/Bits";
import { Icon } from "../ui/icons";
import { ModeBadge } from "../ui/Mode";
import { ConnectLink, isUnconnected, KINDS, SourceBadges, Unconnected } from "./Kinds";
import { type Source, source, type SourceAction, sources } from "./queries";
import { Latency, UsageBar } from "./Usage";

export function CatalogPage() {
  const { data, error, isPending } = useQuery(sources);
  const isAdmin = useMay("admin");
  const [text, setText] = useState("");
  const all = (data?.items ?? []).toSorted((a, b) => rank(a) - rank(b));
  const waiting = all.filter((each) => each.to_review > 0);
  return (
    <>
      <PageHead title="Catalog" about="sources and their actions">
        {isAdmin === true && <ConnectLink />}
      </PageHead>
      <div className="mx-auto w-full max-w-5xl space-y-4 p-4 md:p-6">
        {error !== null && <ProblemCard error={error} />}
        {isPending && error === null && <Loading what="the sources" />}
        {data !== undefined && (
          <>
            <label className="relative block">
              <span className="sr-only">Search actions</span>
              <span className="pointer-events-none absolute inset-y-0 left-3 grid place-items-center text-faint"><Icon name="search" /></span>
              <input className="input !pl-9" type="search" value={text} onChange={(event) => setText(event.target.value)} placeholder="Search all actions" />
            </label>
            {text.trim() === "" && waiting.length > 0 && isAdmin === true && <ToReview waiting={waiting} />}
            {text.trim() === "" ? <Sources all={all} isAdmin={isAdmin === true} /> : <Found all={all} text={text.trim().toLowerCase()} />}
            {text.trim() === "" && isAdmin === false && <p className="text-xs text-faint">Admins and owners connect sources and review their tools.</p>}
          </>
        )}
      </div>
    </>
  );
}

/** What wants something of a person first, what comes with Countersign last. */
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
        {count} {count === 1 ? "tool waits" : "tools wait"} for a review; until then every call asks a person:{" "}
        {waiting.map((each, index) => (
          <span key={each.source}>{index > 0 && ", "}<Link to="/catalog/$source" params={{ source: each.source }} hash="review" className="font-medium underline"><Line text={each.source} /> ({each.to_review})</Link></span>
        ))}
      </p>
    </div>
  );
}

function Sources({ all, isAdmin }: { all: Source[]; isAdmin: boolean }) {
  if (all.length === 0) {
    return <Empty icon="catalog" title="There is no source yet"><p>Connect an MCP server, an HTTP service or an integration; its tools become actions that agents can ask for.</p></Empty>;
  }
  return (
    <ul aria-label="Sources" className="grid gap-3 lg:grid-cols-2">
      {all.map((each) => <Card key={each.source} source={each} isAdmin={isAdmin} />)}
    </ul>
  );
}

function Card({ source: each, isAdmin }: { source: Source; isAdmin: boolean }) {
  return (
    <li className="relative flex flex-col gap-3 rounded-xl border border-edge bg-card p-4 hover:border-strong">
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="min-w-0 flex-1 truncate font-semibold">
          <Link to="/catalog/$source" params={{ source: each.source }} className="after:absolute after:inset-0 after:rounded-xl"><Line text={each.source} /></Link>
        </h2>
        <SourceBadges source={each} />
      </div>
      <p className="flex-1 text-soft">
        {isUnconnected(each) ? <Unconnected isAdmin={isAdmin} /> : each.problem != null ? <Line text={each.problem} /> : `${KINDS[each.kind].about}; ${each.actions} ${each.actions === 1 ? "action" : "actions"}`}
      </p>
      <div className="grid grid-cols-2 gap-x-6 border-t border-edge pt-3"><UsageBar usage={each.usage} isShort /><Latency usage={each.usage} /></div>
    </li>
  );
}

const MOST_FOUND = 100;

function Found({ all, text }: { all: Source[]; text: string }) {
  const details = useQueries({ queries: all.map((each) => source(each.source)) });
  const isComing = details.some((each) => each.isPending);
  const actions = details.flatMap((each) => each.data?.actions ?? []).filter((each) => `${each.action} ${each.description}`.toLowerCase().includes(text));
  return (
    <section aria-label="Actions found" className="space-y-2">
      <p role="status" className="text-xs text-faint">{isComing ? "Looking …" : `${actions.length} ${actions.length === 1 ? "action" : "actions"}`}</p>
      {actions.length > 0 && (
        <ul className="divide-y divide-edge overflow-hidden rounded-xl border border-edge bg-card">
          {actions.slice(0, MOST_FOUND).map((each) => <li key={each.action}><Hit action={each} /></li>)}
        </ul>
      )}
      {actions.length > MOST_FOUND && <p className="text-xs text-faint">The first {MOST_FOUND} are shown; type more to find fewer.</p>}
      {actions.length === 0 && !isComing && <Empty icon="search" title="No action is called so"><p>Names and descriptions are searched. What a source could offer but nobody connected is not here.</p></Empty>}
    </section>
  );
}

function Hit({ action }: { action: SourceAction }) {
  const [name = ""] = action.action.split(".");
  return (
    <Link to="/catalog/$source" params={{ source: name }} hash={action.action} className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-3 px-4 py-2.5 hover:bg-sunk">
      <span className="min-w-0">
        <span className="block truncate font-medium"><Line text={action.action} /></span>
        <span className="block truncate text-xs text-faint"><Line text={action.description} /></span>
      </span>
      <span className="flex gap-1.5">{action.drift != null && <Badge tone="warn">drift</Badge>}<RiskBadge risk={action.risk} /><ModeBadge mode={action.mode} /></span>
    </Link>
  );
}
