// One run, live: its steps, what it waits for (answerable here), what it was given, and the ways to end or repeat it.
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { api, take } from "../api/client";
import { inboxItem, queries, run as runQuery, type RunDetail } from "../api/queries";
import { RunNow } from "../automations/RunNow";
import { attempt } from "../frame/attempt";
import { notify } from "../frame/notices";
import { Actions } from "../inbox/Actions";
import { Params } from "../inbox/Params";
import { sendAnswer, useAnswered } from "../inbox/sending";
import { Details, Sheet } from "../inbox/Sheet";
import { useRead } from "../inbox/useRead";
import { useNow } from "../text/now";
import { ago, took } from "../text/time";
import { Line } from "../text/Visible";
import { Loading, ProblemCard, StatusBadge } from "../ui/Bits";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { Icon } from "../ui/icons";
import { useRun } from "./follow";
import { isOver, startedBy } from "./timeline";
import { Timeline } from "./Timeline";

export function RunPage() {
  const { run: id } = useParams({ strict: false }) as { run: string };
  const { data, error } = useRun(id);
  if (data === undefined) return error === null ? <Loading what="the run" /> : <div className="p-4"><ProblemCard error={error} /></div>;
  return (
    <>
      <header className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-2 border-b border-edge bg-card px-4 py-2.5 md:px-6">
        <Link to="/runs" aria-label="All runs" className="-ml-2 rounded-md p-2 text-accent hover:bg-sunk"><Icon name="back" /></Link>
        <div className="min-w-0 flex-1">
          <h1 className="flex flex-wrap items-center gap-x-2 text-base font-semibold"><span className="max-w-full truncate"><Link to="/automations/$automation" params={{ automation: data.automation }} className="hover:underline"><Line text={data.automation_name} /></Link> #{data.number}</span> <StatusBadge status={data.status} /></h1>
          <Sum run={data} />
        </div>
        <Verbs run={data} />
      </header>
      <div className="mx-auto w-full max-w-5xl space-y-6 p-4 md:p-6">
        {data.error != null && (
          <div role="alert" className="rounded-xl bg-bad-wash px-4 py-3 text-bad">
            <p className="font-semibold"><Line text={data.error.class} />{data.error.step_id != null && <> in <Line text={data.error.step_id} /></>}</p>
            <p><Line text={data.error.message} /></p>
          </div>
        )}
        <section className="space-y-2">
          <h2 className="eyebrow">Steps</h2>
          <Timeline run={data} />
        </section>
        {data.awaits != null && <Waiting invocation={data.awaits} />}
        <Params params={data.inputs} title="What it was given" />
        <Details rows={ids(data)} />
      </div>
    </>
  );
}

function Sum({ run }: { run: RunDetail }) {
  const now = useNow();
  const end = run.finished_at == null ? now : Date.parse(run.finished_at);
  return (
    <p className="text-xs text-faint md:truncate">
      {startedBy(run.trigger_type)} · version {run.version} · {ago(run.created_at, now)}
      {run.started_at != null && ` · ${took(end - Date.parse(run.started_at))}`}
      {Number(run.cost_usd) > 0 && ` · $${Number(run.cost_usd).toFixed(4)}`}
      {run.rerun_of != null && <> · goes on from <Link to="/runs/$run" params={{ run: run.rerun_of }} className="text-accent hover:underline">an earlier run</Link></>}
    </p>
  );
}

function ids(run: RunDetail): [string, string][] {
  const rows: [string, string | null | undefined][] = [["run", run.id], ["automation", run.automation], ["cause", run.cause], ["lane", run.lane], ["session", run.session], ["again of", run.rerun_of]];
  return rows.flatMap(([name, value]) => (value == null ? [] : [[name, value] as [string, string]]));
}

/** The step that waits for a person, answerable in place. */
function Waiting({ invocation }: { invocation: string }) {
  const { data, error, isLoading } = useQuery(inboxItem(invocation));
  const isSent = useAnswered().has(invocation);
  const { end, isUnread } = useRead(invocation);
  if (isLoading) return <Loading what="what it waits for" />;
  if (data === undefined) return <ProblemCard error={error} />;
  return (
    <section aria-label="What it waits for" className="overflow-hidden rounded-2xl border border-warn/50 bg-page">
      <h2 className="bg-warn-wash px-5 py-2.5 font-semibold text-warn">It waits for a person</h2>
      <div className="p-4 md:p-5"><Sheet item={data} isAsking={false} end={end} /></div>
      <div className="border-t border-edge bg-card p-4">
        {isSent ? <p className="text-soft">Your answer is on its way.</p> : <Actions item={data} isUnread={isUnread} onAnswer={(item, given) => void sendAnswer(item, given)} />}
      </div>
    </section>
  );
}

function Verbs({ run }: { run: RunDetail }) {
  const navigate = useNavigate();
  const [isAsked, setAsked] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const path = { run: run.id };
  const act = async (what: () => Promise<void>) => {
    setBusy(true);
    await attempt(what);
    setBusy(false);
  };
  const cancel = () => act(async () => {
    setAsked(false);
    await take(api.POST("/v1/runs/{run}/cancel", { params: { path } }));
    await queries.invalidateQueries({ queryKey: runQuery(run.id).queryKey });
    notify("good", "Cancelled", "Steps that are done stay done.");
  });
  const rerun = (from_start: boolean) => act(async () => {
    const next = await take(api.POST("/v1/runs/{run}/rerun", { params: { path }, body: { from_start } }));
    await queries.invalidateQueries({ queryKey: ["runs"] });
    notify("good", "Run again", `Run #${next.number} has begun.`);
    void navigate({ to: "/runs/$run", params: { run: next.id } });
  });
  if (!isOver(run.status)) {
    return (
      <>
        <Button look="bad" className="max-md:w-full" disabled={isBusy} onClick={() => setAsked(true)}>Cancel</Button>
        <Dialog title="Cancel this run?" isOpen={isAsked} onClose={() => setAsked(false)}>
          <p className="mb-4">No further step begins. What is done stays done.</p>
          <div className="flex flex-row-reverse gap-2">
            <Button look="bad" onClick={() => void cancel()}>Cancel the run</Button>
            <Button look="quiet" onClick={() => setAsked(false)}>Back</Button>
          </div>
        </Dialog>
      </>
    );
  }
  // The gateway runs nothing again that succeeded: what is done would be done twice. A new run is another matter.
  if (run.status === "succeeded") {
    return (
      <>
        <Button className="max-md:w-full" onClick={() => setAsked(true)}>Run again …</Button>
        <RunNow id={run.automation} name={run.automation_name} isOpen={isAsked} onClose={() => setAsked(false)} />
      </>
    );
  }
  return (
    <div className="flex gap-2 max-md:w-full max-md:[&>*]:flex-1">
      <Button look="primary" disabled={isBusy} onClick={() => void rerun(false)}>Go on where it ended</Button>
      <Button disabled={isBusy} onClick={() => void rerun(true)}>From the start</Button>
    </div>
  );
}
