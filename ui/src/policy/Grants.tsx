// Grants: what may be done without asking within bounds, how much of it is used, and how to give one or take it back.
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, take } from "../api/client";
import { automations } from "../api/queries";
import { useNames } from "../api/who";
import { notify } from "../frame/notices";
import { useNow } from "../text/now";
import { ago, ahead, moment } from "../text/time";
import { plain } from "../text/visible";
import { Line } from "../text/Visible";
import { Badge, Empty, Loading, ProblemCard, type Tone } from "../ui/Bits";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { GiveGrant } from "./GiveGrant";
import { type Grant, grants, policyChanged, sessions } from "./queries";

export function Grants() {
  const { data, error, hasNextPage, fetchNextPage } = useInfiniteQuery(grants);
  const [isGiving, setGiving] = useState(false);
  const [asked, setAsked] = useState<Grant | null>(null);
  if (data === undefined) return error === null ? <Loading what="the grants" /> : <ProblemCard error={error} />;
  const all = data.pages.flatMap((page) => page.items);
  const active = all.filter((grant) => grant.state === "active");
  const over = all.filter((grant) => grant.state !== "active");
  return (
    <div className="space-y-5">
      <div className="flex flex-wrap items-center gap-3">
        <p className="min-w-0 flex-1 basis-64 text-soft">A grant lets an action happen without asking, so many times and so long. It never lifts a denial, the ceiling, a band or drift.</p>
        <Button look="primary" onClick={() => setGiving(true)}>Give a grant</Button>
      </div>
      {all.length === 0 && (
        <Empty icon="policy" title="Nobody was given a grant">
          <p>Give one here, answer an item in the inbox with “Grant …”, or let an agent ask:</p>
          <pre className="rounded-lg border border-edge bg-card px-4 py-3 text-left font-mono text-xs whitespace-pre-wrap">countersign actions request linear.add_comment --reason triage</pre>
        </Empty>
      )}
      {active.length > 0 && <List name="Active" all={active} onRevoke={setAsked} />}
      {over.length > 0 && <List name="Over" all={over} onRevoke={setAsked} />}
      {hasNextPage && <p className="text-center"><Button onClick={() => void fetchNextPage()}>Show more</Button></p>}
      {isGiving && <GiveGrant onClose={() => setGiving(false)} />}
      {asked !== null && <Revoke grant={asked} onClose={() => setAsked(null)} />}
    </div>
  );
}

function List({ name, all, onRevoke }: { name: string; all: Grant[]; onRevoke: (grant: Grant) => void }) {
  return (
    <section className="space-y-2">
      <h2 className="eyebrow">{name}</h2>
      <ul aria-label={`${name} grants`} className="divide-y divide-edge overflow-hidden rounded-xl border border-edge bg-card">
        {all.map((grant) => <Row key={grant.id} grant={grant} onRevoke={() => onRevoke(grant)} />)}
      </ul>
    </section>
  );
}

const STATES: Record<string, Tone> = { active: "good", used_up: "plain", expired: "plain", revoked: "warn" };

function Row({ grant, onRevoke }: { grant: Grant; onRevoke: () => void }) {
  const now = useNow();
  const nameOf = useNames();
  const isActive = grant.state === "active";
  return (
    <li className="grid items-center gap-x-5 gap-y-2 px-4 py-3 md:grid-cols-[minmax(0,1fr)_10rem_9rem_6rem]">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2"><code className="font-mono font-medium wrap-anywhere"><Line text={grant.action} /></code>{!isActive && <Badge tone={STATES[grant.state] ?? "plain"}>{grant.state.replace("_", " ")}</Badge>}</p>
        <p className="text-xs text-faint wrap-anywhere md:truncate">for <Whom grant={grant} /> · given by <Line text={nameOf(grant.created_by)} /> {ago(grant.created_at, now)}{grant.reason !== "" && <> · <Line text={grant.reason} /></>}</p>
      </div>
      <div className="space-y-1">
        <p className="text-xs text-soft tabular-nums">{grant.used_calls} of {grant.max_calls} used</p>
        <div role="img" aria-label={`${grant.used_calls} of ${grant.max_calls} used`} className="h-1.5 overflow-hidden rounded-full bg-sunk"><span className={`block h-full ${isActive ? "bg-accent" : "bg-strong"}`} style={{ width: `${Math.min(100, (grant.used_calls / Math.max(1, grant.max_calls)) * 100)}%` }} /></div>
      </div>
      <time dateTime={grant.expires_at} title={moment(grant.expires_at)} className="text-xs text-faint">{isActive ? `ends ${ahead(grant.expires_at, now)}` : grant.state === "expired" ? `ended ${ahead(grant.expires_at, now)}` : ""}</time>
      {isActive ? <Button look="bad" onClick={onRevoke}>Revoke<span className="sr-only"> the grant for {plain(grant.action)}</span></Button> : <span className="max-md:hidden" />}
    </li>
  );
}

/** Whom a grant is for, by name where it is known. */
function Whom({ grant }: { grant: Grant }) {
  const session = useQuery(sessions).data?.items.find((each) => each.id === grant.session);
  const automation = useInfiniteQuery(automations).data?.pages.flatMap((page) => page.items).find((each) => each.id === grant.automation);
  if (grant.session != null) return session === undefined ? "one session" : <>one session of <Line text={session.agent} /></>;
  if (grant.automation != null) return automation === undefined ? "the runs of one automation" : <>the runs of <Line text={automation.name} /></>;
  return "every session of the org";
}

function Revoke({ grant, onClose }: { grant: Grant; onClose: () => void }) {
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const revoke = async () => {
    setBusy(true);
    try {
      await take(api.DELETE("/v1/grants/{grant}", { params: { path: { grant: grant.id } } }));
      await policyChanged();
      notify("good", "Revoked", `${plain(grant.action)} asks a person again.`);
      onClose();
    } catch (refused) {
      setError(refused);
      setBusy(false);
    }
  };
  return (
    <Dialog title="Revoke this grant?" about={<Line text={grant.action} />} isOpen onClose={onClose}>
      <div className="space-y-4">
        <p>The next invocation is decided without it. What was done with it stays done.</p>
        {error !== null && <ProblemCard error={error} />}
        <div className="flex flex-row-reverse gap-2 max-md:[&>*]:flex-1">
          <Button look="bad" disabled={isBusy} onClick={() => void revoke()}>Revoke it</Button>
          <Button look="quiet" onClick={onClose}>Back</Button>
        </div>
      </div>
    </Dialog>
  );
}
