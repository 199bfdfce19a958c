// One proposed change: what it loosens, the state before and after, and how it is answered.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { BeforeAfter } from "../activity/changes/BeforeAfter";
import { ChangeSentence } from "../activity/changes/Words";
import { me } from "../api/queries";
import { Details } from "../approval/ItemDetails";
import { useHotkeys } from "../frame/hotkeys";
import { useNow } from "../text/now";
import { ago, moment } from "../text/time";
import { Block, Line } from "../text/Visible";
import { Loading, ProblemCard, StatusBadge } from "../ui/Bits";
import { Button, Key } from "../ui/Button";
import { Countdown } from "../ui/Countdown";
import { Fact, Facts, Section } from "../ui/Section";
import { AnswerDialog } from "./AnswerDialog";
import { involvement, type ProposedChange, statusText } from "./proposed";
import { type Answer, proposedChange } from "./queries";
import { WouldLetThrough } from "./WouldLetThrough";

interface Props {
  id: string;
  /** Whether keys are listened to: not right after the page moved on by itself. */
  isReady: () => boolean;
}

/** The dialog is about the change as it was shown when it was opened. */
interface Open {
  answer: Answer;
  shown: ProposedChange;
}

export function ProposedPane({ id, isReady }: Props) {
  const { data, error } = useQuery(proposedChange(id));
  const [open, setOpen] = useState<Open | null>(null);
  const ask = (answer: Answer) => data !== undefined && setOpen({ answer, shown: data });
  return (
    <article className="flex min-h-0 flex-1 flex-col" aria-label="Proposed change">
      <div
        className="min-h-0 flex-1 overflow-y-auto px-4 py-5 md:px-8 md:py-6"
        tabIndex={0}
        role="region"
        aria-label="Change"
      >
        <div className="mx-auto max-w-3xl">
          {data !== undefined ? (
            <Body view={data} />
          ) : error === null ? (
            <Loading what="the proposed change" />
          ) : (
            <ProblemCard error={error} />
          )}
        </div>
      </div>
      {data?.status === "waiting" && <Footer view={data} isReady={isReady} ask={ask} />}
      {open !== null && <AnswerDialog {...open} onClose={() => setOpen(null)} />}
    </article>
  );
}

function Body({ view }: { view: ProposedChange }) {
  return (
    <div className="space-y-6">
      <div role="status" className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <StatusBadge status={view.status} />
        <span className="text-soft">{statusText(view.status)}</span>
      </div>
      {view.changes.map((part, index) => (
        <section key={index} className="space-y-4">
          <div className="space-y-2">
            <h2 className="text-base font-semibold wrap-anywhere">
              Change: <ChangeSentence change={part} />
            </h2>
            <p className="rounded-lg bg-warn-wash px-3 py-2 text-warn wrap-anywhere">
              What it loosens: <Line text={part.loosens} />
            </p>
          </div>
          <BeforeAfter before={part.before} after={part.after} />
          {view.status === "waiting" && <WouldLetThrough part={part} />}
        </section>
      ))}
      <ProposalFacts view={view} />
      <Details rows={ids(view)} />
    </div>
  );
}

function ProposalFacts({ view }: { view: ProposedChange }) {
  const now = useNow();
  const { proposed_at, answered_at, reason, note, status } = view;
  return (
    <Section title="Details">
      <Facts>
        <Fact name="Proposed by">
          <Line text={view.proposed_by_name ?? view.proposed_by} />,{" "}
          <time dateTime={proposed_at} title={moment(proposed_at)} className="whitespace-nowrap">
            {ago(proposed_at, now)}
          </time>
        </Fact>
        <Fact name="Reason">
          {reason == null || reason === "" ? <span className="text-faint">none</span> : <Block text={reason} quoted />}
        </Fact>
        {status === "waiting" ? (
          <Fact name="Answer by">
            {moment(view.expires_at)} (<Countdown until={view.expires_at} />)
          </Fact>
        ) : (
          view.answered_by != null && (
            <Fact name="Answered by">
              <Line text={view.answered_by_name ?? view.answered_by} />
              {answered_at != null && (
                <>
                  ,{" "}
                  <time dateTime={answered_at} title={moment(answered_at)} className="whitespace-nowrap">
                    {ago(answered_at, now)}
                  </time>
                </>
              )}
            </Fact>
          )
        )}
        {note != null && note !== "" && (
          <Fact name={status === "failed" ? "Why it failed" : "Reason of the answer"}>
            <Block text={note} quoted />
          </Fact>
        )}
      </Facts>
    </Section>
  );
}

function ids({ id, digest, changes, proposed_by }: ProposedChange): [string, string][] {
  return [
    ["proposed change", id],
    ["digest", digest],
    ["proposed by", proposed_by],
    ...changes.map(({ subject }, index): [string, string] => [
      changes.length === 1 ? "object" : `object ${index + 1}`,
      subject,
    ]),
  ];
}

function Footer({ view, isReady, ask }: { view: ProposedChange; isReady: () => boolean; ask: (as: Answer) => void }) {
  const viewer = useQuery(me).data;
  const involved = viewer === undefined ? undefined : involvement(view, viewer);
  const byKey = (answer: Answer) => () => {
    if (involved === "answer" && isReady()) ask(answer);
  };
  useHotkeys({ a: byKey("approve"), d: byKey("deny") });
  return (
    <footer className="border-t border-edge bg-card px-4 py-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] md:px-8">
      <div className="mx-auto flex max-w-3xl flex-wrap items-center gap-2">
        {involved === "answer" && (
          <>
            <Button variant="primary" className="flex-1 md:flex-none" onClick={() => ask("approve")}>
              Approve … <Key name="a" />
            </Button>
            <Button variant="bad" className="flex-1 md:ml-auto md:flex-none" onClick={() => ask("deny")}>
              Deny … <Key name="d" />
            </Button>
          </>
        )}
        {involved === "own" && (
          <>
            <p className="text-soft max-md:w-full md:flex-1">You proposed this change. Another owner can approve it.</p>
            <Button variant="bad" className="flex-1 md:flex-none" onClick={() => ask("withdraw")}>
              Withdraw …
            </Button>
          </>
        )}
        {(involved === "watch" || involved === null) && (
          <p className="text-soft">You can read this change. Only owners can approve or deny it.</p>
        )}
      </div>
    </footer>
  );
}
