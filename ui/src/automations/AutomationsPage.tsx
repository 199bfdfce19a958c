// The automations: what each is for, when it fires next, and how its last run ended.
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Schemas } from "../api/client";
import { automations } from "../api/queries";
import { useNow } from "../text/now";
import { ago, ahead, moment } from "../text/time";
import { Line } from "../text/Visible";
import { Badge, Empty, Loading, PageHead, ProblemCard, StatusBadge } from "../ui/Bits";
import { Button } from "../ui/Button";
import { Icon } from "../ui/icons";

type Automation = Schemas["AutomationView"];

export function AutomationsPage() {
  const { data, error, isPending, hasNextPage, fetchNextPage } = useInfiniteQuery(automations);
  const all = data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <>
      <PageHead title="Automations" about="what runs by itself, and when next" />
      {error !== null && <div className="p-4"><ProblemCard error={error} /></div>}
      {isPending && error === null && <Loading what="the automations" />}
      {!isPending && all.length === 0 && error === null && (
        <Empty icon="automations" title="There is no automation yet">
          <p>An automation is a definition: what starts it, and the steps it takes. Each step is decided like anything an agent asks for.</p>
          <pre className="rounded-lg border border-edge bg-card px-4 py-3 text-left font-mono text-xs whitespace-pre-wrap">countersign automations apply FILE</pre>
        </Empty>
      )}
      {all.length > 0 && (
        <div className="p-4 md:p-6">
          <ul aria-label="Automations" className="mx-auto grid max-w-5xl gap-3 lg:grid-cols-2">{all.map((each) => <Card key={each.id} automation={each} />)}</ul>
          {hasNextPage && <p className="mt-4 text-center"><Button onClick={() => void fetchNextPage()}>Show more</Button></p>}
        </div>
      )}
    </>
  );
}

function waitsFor({ status, triggers }: Automation): string {
  const types = new Set(triggers.filter((trigger) => trigger.enabled).map((trigger) => trigger.type));
  if (status !== "active") return "does not start by itself";
  if (types.has("webhook")) return "fires when a webhook comes";
  return types.has("event") ? "fires when an event comes" : "only a person starts it";
}

function Card({ automation }: { automation: Automation }) {
  const now = useNow();
  const next = automation.triggers.flatMap((trigger) => (trigger.next_at == null || !trigger.enabled ? [] : [trigger.next_at])).sort()[0];
  const last = automation.last_run;
  return (
    <li className="flex flex-col gap-2 rounded-xl border border-edge bg-card p-4">
      <div className="flex items-center gap-2">
        <h2 className="min-w-0 flex-1 truncate font-semibold"><Line text={automation.name} /></h2>
        <StatusBadge status={automation.status} />
      </div>
      <p className="line-clamp-2 flex-1 text-soft"><Line text={automation.goal} /></p>
      <div className="flex flex-wrap gap-1.5">
        {automation.triggers.map((trigger) => <Badge key={trigger.id}>{trigger.type}{!trigger.enabled && ", off"}</Badge>)}
        {automation.triggers.length === 0 && <Badge>run by a person</Badge>}
      </div>
      <div className="flex flex-wrap items-center justify-between gap-2 border-t border-edge pt-2 text-xs text-faint">
        <span className="flex items-center gap-1"><Icon name="clock" className="size-3.5" />{next === undefined || automation.status !== "active" ? waitsFor(automation) : <time dateTime={next} title={moment(next)}>fires {ahead(next, now)}</time>}</span>
        {last == null ? (
          <span>never ran</span>
        ) : (
          <Link to="/runs/$run" params={{ run: last.id }} className="flex items-center gap-1.5 hover:underline">
            run #{last.number}, {ago(last.created_at, now)} <StatusBadge status={last.status} />
          </Link>
        )}
      </div>
    </li>
  );
}
