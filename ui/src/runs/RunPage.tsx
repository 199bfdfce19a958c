// One run, live: steps, pending approval, inputs, cancel and rerun.
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { api, take } from "../api/client";
import { inboxItem, queries, type RunDetail, run as runQuery } from "../api/queries";
import { useEdit } from "../approval/edit/useEdit";
import { useReveal } from "../approval/hidden/useReveal";
import { Details } from "../approval/ItemDetails";
import { documentOf, RequestActions, RequestBody, readKey, requestOf } from "../approval/RequestView";
import { sendAnswer, useAnswered } from "../approval/sending";
import { useSeen } from "../approval/useSeen";
import { RunNow } from "../automations/RunNow";
import { attempt } from "../frame/attempt";
import { notify } from "../frame/toasts";
import { costText, usd } from "../models/price";
import { Erased } from "../text/Erased";
import { useNow } from "../text/now";
import { Params } from "../text/Params";
import { ago, took } from "../text/time";
import { Line } from "../text/Visible";
import { Loading, ProblemCard, StatusBadge } from "../ui/Bits";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { Icon } from "../ui/icons";
import { useRun } from "./follow";
import { Timeline } from "./Timeline";
import { isOver, startedBy } from "./timeline";

export function RunPage() {
  const { run: id } = useParams({ strict: false }) as { run: string };
  const { data, error } = useRun(id);
  if (data === undefined)
    return error === null ? (
      <Loading what="the run" />
    ) : (
      <div className="p-4">
        <ProblemCard error={error} />
      </div>
    );
  return (
    <>
      <header
        className={`flex shrink-0 flex-wrap items-center gap-x-3 gap-y-2 border-b border-edge bg-card px-4 py-2.5
        md:px-6`}
      >
        <Link to="/runs" aria-label="Back to runs" className="-ml-2 rounded-md p-2 text-accent hover:bg-sunk">
          <Icon name="back" />
        </Link>
        <div className="min-w-0 flex-1">
          <h1 className="flex flex-wrap items-center gap-x-2 text-base font-semibold">
            <span className="max-w-full truncate">
              <Link to="/automations/$automation" params={{ automation: data.automation }} className="hover:underline">
                <Line text={data.automation_name} />
              </Link>{" "}
              #{data.number}
            </span>{" "}
            <StatusBadge status={data.status} />
          </h1>
          <RunFacts run={data} />
        </div>
        <RunActions run={data} />
      </header>
      <div className="mx-auto w-full max-w-5xl space-y-6 p-4 md:p-6">
        {data.error != null && (
          <div role="alert" className="rounded-xl bg-bad-wash px-4 py-3 text-bad">
            <p className="font-semibold">
              <Line text={data.error.class} />
              {data.error.step_id != null && (
                <>
                  {" "}
                  in <Line text={data.error.step_id} />
                </>
              )}
            </p>
            <p>
              <Line text={data.error.message} />
            </p>
          </div>
        )}
        <section className="space-y-2">
          <h2 className="eyebrow">Steps</h2>
          <Timeline run={data} />
        </section>
        {data.awaits != null && <Waiting invocation={data.awaits} />}
        {data.erased_at == null ? (
          <Params params={data.inputs} title="Inputs" />
        ) : (
          <Erased title="Inputs" at={data.erased_at} kept="The facts and proofs of the receipts are kept." />
        )}
        <Details rows={ids(data)} />
      </div>
    </>
  );
}

function RunFacts({ run }: { run: RunDetail }) {
  const now = useNow();
  const cost = usd(run.cost_usd) ?? 0;
  return (
    <p className="text-xs text-faint md:truncate">
      {startedBy(run.trigger_type)} {ago(run.created_at, now)} · version {run.version}
      {run.started_at != null &&
        run.finished_at != null &&
        ` · took ${took(Date.parse(run.finished_at) - Date.parse(run.started_at))}`}
      {cost > 0 && ` · cost ${costText(cost)}`}
      {run.rerun_of != null && (
        <>
          {" "}
          · continues{" "}
          <Link to="/runs/$run" params={{ run: run.rerun_of }} className="text-accent hover:underline">
            an earlier run
          </Link>
        </>
      )}
    </p>
  );
}

function ids(run: RunDetail): [string, string][] {
  const rows: [string, string | null | undefined][] = [
    ["run", run.id],
    ["automation", run.automation],
    ["cause", run.cause],
    ["lane", run.lane],
    ["session", run.session],
    ["rerun of", run.rerun_of],
  ];
  return rows.flatMap(([name, value]) => (value == null ? [] : [[name, value] as [string, string]]));
}

/** The pending step, answerable here. */
function Waiting({ invocation }: { invocation: string }) {
  const { data, error, refetch } = useQuery(inboxItem(invocation));
  const request = useMemo(() => requestOf(data, error), [data, error]);
  const isSent = useAnswered().has(invocation);
  const reveal = useReveal(documentOf(request));
  const edit = useEdit(documentOf(request));
  const { end, isUnread } = useSeen(readKey(invocation, request, reveal));
  return (
    <section aria-label="Pending approval" className="overflow-hidden rounded-2xl border border-warn/50 bg-page">
      <h2 className="bg-warn-wash px-5 py-2.5 font-semibold text-warn">Waiting for approval</h2>
      <div className="p-4 md:p-5">
        <RequestBody request={request} reveal={reveal} edit={edit} onRetry={() => void refetch()} end={end} />
      </div>
      <div className="border-t border-edge bg-card p-4">
        {isSent ? (
          <p className="text-soft">Sending your answer …</p>
        ) : (
          <RequestActions
            request={request}
            reveal={reveal}
            edit={edit}
            isUnread={isUnread}
            onAnswer={(item, answer) => void sendAnswer(item, answer)}
          />
        )}
      </div>
    </section>
  );
}

function RunActions({ run }: { run: RunDetail }) {
  const navigate = useNavigate();
  const [isConfirming, setConfirming] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const path = { run: run.id };
  const act = async (what: () => Promise<void>) => {
    setBusy(true);
    await attempt(what);
    setBusy(false);
  };
  const cancel = () =>
    act(async () => {
      setConfirming(false);
      await take(api.POST("/v1/runs/{run}/cancel", { params: { path } }));
      await queries.invalidateQueries({ queryKey: runQuery(run.id).queryKey });
      notify("good", "Cancelled", "Completed steps are not undone.");
    });
  const rerun = (from_start: boolean) =>
    act(async () => {
      const next = await take(api.POST("/v1/runs/{run}/rerun", { params: { path }, body: { from_start } }));
      await queries.invalidateQueries({ queryKey: ["runs"] });
      notify("good", "Run started", `Run #${next.number} is in progress.`);
      void navigate({ to: "/runs/$run", params: { run: next.id } });
    });
  if (!isOver(run.status)) {
    return (
      <>
        <Button variant="bad" className="max-md:w-full" disabled={isBusy} onClick={() => setConfirming(true)}>
          {" "}
          Cancel run{" "}
        </Button>
        <Dialog title="Cancel this run?" isOpen={isConfirming} onClose={() => setConfirming(false)}>
          <p className="mb-4">No further steps start. Completed steps are not undone.</p>
          <div className="flex flex-row-reverse gap-2">
            <Button variant="bad" onClick={() => void cancel()}>
              {" "}
              Cancel run{" "}
            </Button>
            <Button variant="quiet" onClick={() => setConfirming(false)}>
              {" "}
              Keep running{" "}
            </Button>
          </div>
        </Dialog>
      </>
    );
  }
  // The gateway does not rerun a succeeded run, because its effects would happen twice. A run whose inputs were erased
  // cannot continue either. A new run is possible.
  if (run.status === "succeeded" || run.erased_at != null) {
    return (
      <>
        <Button className="max-md:w-full" onClick={() => setConfirming(true)}>
          Run again …
        </Button>
        <RunNow
          id={run.automation}
          name={run.automation_name}
          isOpen={isConfirming}
          onClose={() => setConfirming(false)}
        />
      </>
    );
  }
  return (
    <div className="flex gap-2 max-md:w-full max-md:[&>*]:flex-1">
      <Button variant="primary" disabled={isBusy} onClick={() => void rerun(false)}>
        Continue from the failed step
      </Button>
      <Button disabled={isBusy} onClick={() => void rerun(true)}>
        {" "}
        Restart{" "}
      </Button>
    </div>
  );
}
