// All automations with their triggers, next start and last runs.
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { automations } from "../api/queries";
import { attempt } from "../frame/attempt";
import { useNow } from "../text/now";
import { moment, untilText } from "../text/time";
import { Line } from "../text/Visible";
import { plain } from "../text/visible";
import { Empty, Loading, PageHead, ProblemCard, StatusBadge } from "../ui/Bits";
import { Button, buttonClass } from "../ui/Button";
import { Icon } from "../ui/icons";
import { fields } from "./definition";
import { type Automation, setStatus } from "./queries";
import { RunNow } from "./RunNow";
import { Sparkline } from "./Sparkline";
import { TriggerText } from "./TriggerText";

export function AutomationsPage() {
  const { data, error, isPending, hasNextPage, fetchNextPage } = useInfiniteQuery(automations);
  const [running, setRunning] = useState<Automation | null>(null);
  const all = data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <>
      <PageHead title="Automations" about="Actions that run on a schedule, webhook or event">
        <Link to="/automations/new" className={buttonClass("primary")}>
          New automation
        </Link>
      </PageHead>
      {error !== null && (
        <div className="p-4">
          <ProblemCard error={error} />
        </div>
      )}
      {isPending && error === null && <Loading what="automations" />}
      {!isPending && all.length === 0 && error === null && (
        <Empty icon="automations" title="No automations yet">
          <p>An automation runs steps when a trigger fires. Policy decides about each step, as for an agent.</p>
          <p>
            <Link to="/automations/new" className="font-medium text-accent underline">
              Create one from an example
            </Link>
            , or apply a file:
          </p>
          <pre
            className={`rounded-lg border border-edge bg-card px-4 py-3 text-left font-mono text-xs
            whitespace-pre-wrap`}
          >
            countersign automations apply FILE
          </pre>
        </Empty>
      )}
      {all.length > 0 && (
        <div className="p-4 md:p-6">
          <ul aria-label="Automations" className="mx-auto grid max-w-5xl gap-3 lg:grid-cols-2">
            {all.map((each) => (
              <Card key={each.id} automation={each} onRun={() => setRunning(each)} />
            ))}
          </ul>
          {hasNextPage && (
            <p className="mt-4 text-center">
              <Button onClick={() => void fetchNextPage()}>Show more</Button>
            </p>
          )}
        </div>
      )}
      {running !== null && <RunNow id={running.id} name={running.name} isOpen onClose={() => setRunning(null)} />}
    </>
  );
}

function Card({ automation, onRun }: { automation: Automation; onRun: () => void }) {
  const [isBusy, setBusy] = useState(false);
  const isPaused = automation.status === "paused";
  const toggle = async () => {
    setBusy(true);
    await attempt(() => setStatus(automation.id, isPaused ? "active" : "paused"));
    setBusy(false);
  };
  return (
    <li className="flex min-w-0 flex-col gap-3 rounded-xl border border-edge bg-card p-4">
      <div className="flex items-start gap-2">
        <h2 className="min-w-0 flex-1 truncate font-semibold">
          <Link to="/automations/$automation" params={{ automation: automation.id }} className="hover:underline">
            <Line text={automation.name} />
          </Link>
        </h2>
        <StatusBadge status={automation.status} />
      </div>
      <div className="flex-1">
        <p className="line-clamp-4 text-soft">
          <Line text={automation.goal} />
        </p>
      </div>
      <TriggerSummary automation={automation} />
      <div className="flex items-end justify-between gap-3 border-t border-edge pt-3">
        <div className="min-w-0 text-xs">
          <Sparkline recent={automation.recent} />
        </div>
        <div className="flex gap-1">
          <Button
            variant="quiet"
            className="!px-2.5"
            disabled={isBusy}
            aria-label={`${isPaused ? "Resume" : "Pause"} ${plain(automation.name)}`}
            onClick={() => void toggle()}
          >
            {isPaused ? "Resume" : "Pause"}
          </Button>
          <Button className="!px-2.5" onClick={onRun}>
            <span>
              Run now
              <span className="sr-only">
                {" "}
                <Line text={automation.name} />
              </span>
            </span>
          </Button>
        </div>
      </div>
    </li>
  );
}

function TriggerSummary({ automation }: { automation: Automation }) {
  const now = useNow();
  if (automation.status === "paused")
    return (
      <p className="flex gap-1.5 text-xs text-faint">
        <Icon name="clock" className="mt-px size-3.5" />
        Paused: manual runs only
      </p>
    );
  if (automation.triggers.length === 0)
    return (
      <p className="flex gap-1.5 text-xs text-faint">
        <Icon name="runs" className="mt-px size-3.5" />
        Manual runs only
      </p>
    );
  return (
    <ul className="space-y-1 text-xs text-faint">
      {automation.triggers.map(({ id, type, config, next_at, enabled }) => (
        <li key={id} className="flex gap-1.5">
          <Icon
            name={type === "schedule" ? "clock" : type === "webhook" ? "inbox" : "activity"}
            className="mt-px size-3.5"
          />
          <span className="line-clamp-3 min-w-0">
            <TriggerText trigger={{ type, config: fields(config) }} />
            {!enabled && " (off)"}
            {enabled && next_at != null && (
              <time dateTime={next_at} title={moment(next_at)} className="font-medium text-soft">
                {" "}
                · {untilText(next_at, now)}
              </time>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}
