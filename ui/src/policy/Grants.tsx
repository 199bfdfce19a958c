// The grants, with usage, and how to revoke one.
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, take } from "../api/client";
import { useNames } from "../api/permissions";
import { automations } from "../api/queries";
import { notify } from "../frame/toasts";
import { useNow } from "../text/now";
import { number } from "../text/number";
import { ago, moment, untilText } from "../text/time";
import { Line } from "../text/Visible";
import { plain } from "../text/visible";
import { Badge, Empty, Loading, ProblemCard, type Tone } from "../ui/Bits";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { CreateGrant } from "./CreateGrant";
import { type Grant, grants, policyChanged, sessions } from "./queries";
import { Where } from "./Where";

export function Grants() {
  const { data, error, hasNextPage, fetchNextPage } = useInfiniteQuery(grants);
  const [isCreating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<Grant | null>(null);
  if (data === undefined) return error === null ? <Loading what="grants" /> : <ProblemCard error={error} />;
  const all = data.pages.flatMap((page) => page.items);
  const active = all.filter((grant) => grant.state === "active");
  const over = all.filter((grant) => grant.state !== "active");
  return (
    <div className="space-y-5">
      <div className="flex flex-wrap items-center gap-3">
        <p className="min-w-0 flex-1 basis-64 text-soft">
          A grant allows an action without approval, for a limited number of calls and time. It never overrides a
          denial, the risk ceiling, a band or drift.
        </p>
        <Button variant="primary" onClick={() => setCreating(true)}>
          {" "}
          Create a grant{" "}
        </Button>
      </div>
      {all.length === 0 && (
        <Empty icon="policy" title="No grants">
          <p>Create one here, approve an inbox item with a grant, or let an agent request one:</p>
          <pre
            className={`rounded-lg border border-edge bg-card px-4 py-3 text-left font-mono text-xs
            whitespace-pre-wrap`}
          >
            countersign actions request linear.add_comment --reason triage
          </pre>
        </Empty>
      )}
      {active.length > 0 && <List name="Active" all={active} onRevoke={setRevoking} />}
      {over.length > 0 && <List name="Ended" all={over} onRevoke={setRevoking} />}
      {hasNextPage && (
        <p className="text-center">
          <Button onClick={() => void fetchNextPage()}>Show more</Button>
        </p>
      )}
      {isCreating && <CreateGrant onClose={() => setCreating(false)} />}
      {revoking !== null && <RevokeDialog grant={revoking} onClose={() => setRevoking(null)} />}
    </div>
  );
}

function List({ name, all, onRevoke }: { name: string; all: Grant[]; onRevoke: (grant: Grant) => void }) {
  return (
    <section className="space-y-2">
      <h2 className="eyebrow">{name}</h2>
      <ul
        aria-label={`${name} grants`}
        className="divide-y divide-edge overflow-hidden rounded-xl border border-edge bg-card"
      >
        {all.map((grant) => (
          <Row key={grant.id} grant={grant} onRevoke={() => onRevoke(grant)} />
        ))}
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
        <p className="flex flex-wrap items-center gap-2">
          <code className="font-mono font-medium wrap-anywhere">
            <Line text={grant.action} />
          </code>
          {!isActive && <Badge tone={STATES[grant.state] ?? "plain"}>{grant.state.replace("_", " ")}</Badge>}
        </p>
        {grant.where_words != null && (
          <p>
            <Where words={grant.where_words} />
          </p>
        )}
        <p className="text-xs text-faint wrap-anywhere md:truncate">
          for <GrantScope grant={grant} /> · created by <Line text={nameOf(grant.created_by)} />{" "}
          {ago(grant.created_at, now)}
          {grant.reason !== "" && (
            <>
              {" "}
              · <Line text={grant.reason} />
            </>
          )}
        </p>
      </div>
      <div className="space-y-1">
        <p className="text-xs text-soft tabular-nums">
          {number(grant.used_calls)} of {number(grant.max_calls)} used
        </p>
        <div
          role="img"
          aria-label={`${number(grant.used_calls)} of ${number(grant.max_calls)} used`}
          className="h-1.5 overflow-hidden rounded-full bg-sunk"
        >
          <span
            className={`block h-full ${isActive ? "bg-accent" : "bg-strong"}`}
            style={{ width: `${Math.min(100, (grant.used_calls / Math.max(1, grant.max_calls)) * 100)}%` }}
          />
        </div>
      </div>
      <time dateTime={grant.expires_at} title={moment(grant.expires_at)} className="text-xs text-faint">
        {isActive
          ? `expires ${untilText(grant.expires_at, now)}`
          : grant.state === "expired"
            ? `expired ${untilText(grant.expires_at, now)}`
            : ""}
      </time>
      {isActive ? (
        <Button variant="bad" onClick={onRevoke}>
          Revoke<span className="sr-only"> the grant for {plain(grant.action)}</span>
        </Button>
      ) : (
        <span className="max-md:hidden" />
      )}
    </li>
  );
}

function GrantScope({ grant }: { grant: Grant }) {
  const session = useQuery(sessions).data?.items.find((each) => each.id === grant.session);
  const automation = useInfiniteQuery(automations)
    .data?.pages.flatMap((page) => page.items)
    .find((each) => each.id === grant.automation);
  const step = grant.step == null ? "" : "one step of ";
  if (grant.session != null)
    return session === undefined ? (
      "one session"
    ) : (
      <>
        one session of <Line text={session.agent} />
      </>
    );
  if (grant.automation != null)
    return automation === undefined ? (
      `${step}runs of one automation`
    ) : (
      <>
        {step}runs of <Line text={automation.name} />
      </>
    );
  return grant.step == null ? "every session of the organization" : "one step of an automation";
}

function RevokeDialog({ grant, onClose }: { grant: Grant; onClose: () => void }) {
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const revoke = async () => {
    setBusy(true);
    try {
      await take(api.DELETE("/v1/grants/{grant}", { params: { path: { grant: grant.id } } }));
      await policyChanged();
      notify("good", "Revoked", `${plain(grant.action)} needs approval again.`);
      onClose();
    } catch (caught) {
      setError(caught);
      setBusy(false);
    }
  };
  return (
    <Dialog title="Revoke this grant?" description={<Line text={grant.action} />} isOpen onClose={onClose}>
      <div className="space-y-4">
        {grant.where_words != null && (
          <p>
            This grant applies <Where words={grant.where_words} />.
          </p>
        )}
        <p>The next call needs approval again. Completed calls are not undone.</p>
        {error !== null && <ProblemCard error={error} />}
        <div className="flex flex-row-reverse gap-2 max-md:[&>*]:flex-1">
          <Button variant="bad" disabled={isBusy} onClick={() => void revoke()}>
            {" "}
            Revoke grant{" "}
          </Button>
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
