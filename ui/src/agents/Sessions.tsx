// The open sessions of an agent.
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { notify } from "../frame/toasts";
import { spaces } from "../settings/queries";
import { Row } from "../settings/Rows";
import { useNow } from "../text/now";
import { ago, moment } from "../text/time";
import { Line } from "../text/Visible";
import { plain } from "../text/visible";
import { Badge } from "../ui/Bits";
import { Button } from "../ui/Button";
import { Countdown } from "../ui/Countdown";
import { FormDialog } from "../ui/Form";
import { Section } from "../ui/Section";
import { OpenHint } from "./OpenHint";
import { endSession, type Session } from "./queries";

export function Sessions({ sessions, open }: { sessions: readonly Session[]; open: number }) {
  const [ending, setEnding] = useState<Session | null>(null);
  return (
    <Section title="Open sessions">
      {sessions.length === 0 ? (
        <div className="space-y-1 rounded-xl border border-edge bg-card px-4 py-3 text-soft">
          <p>None. The agent can do nothing until someone opens a session for it.</p>
          <OpenHint />
        </div>
      ) : (
        <ul
          aria-label="Open sessions"
          className="divide-y divide-edge overflow-hidden rounded-xl border border-edge bg-card"
        >
          {sessions.map((each) => (
            <SessionRow key={each.id} session={each} onEnd={() => setEnding(each)} />
          ))}
        </ul>
      )}
      {open > sessions.length && sessions.length > 0 && (
        <p className="text-xs text-faint">
          The newest {sessions.length} of {open}.
        </p>
      )}
      {ending !== null && <EndSession session={ending} onClose={() => setEnding(null)} />}
    </Section>
  );
}

function SessionRow({ session, onEnd }: { session: Session; onEnd: () => void }) {
  const now = useNow();
  const space = useQuery(spaces).data?.find((each) => each.id === session.space);
  return (
    <Row
      title={
        <>
          <Title session={session} />
          <Badge>
            <Line text={session.kind} />
          </Badge>
        </>
      }
      about={
        <>
          opened by <Line text={session.created_by_name ?? session.created_by} />{" "}
          <time dateTime={session.created_at} title={moment(session.created_at)}>
            {ago(session.created_at, now)}
          </time>{" "}
          · space <Line text={space?.name ?? session.space} /> · expires in <Countdown until={session.expires_at} />
        </>
      }
    >
      <Link to="/activity" search={{ session: session.id }} className="px-2 font-medium text-accent hover:underline">
        Activity
      </Link>
      <Button variant="bad" onClick={onEnd} aria-label={`End session ${plain(session.title || session.id)}`}>
        End session
      </Button>
    </Row>
  );
}

function Title({ session }: { session: Session }) {
  if (session.title !== "") return <Line text={session.title} />;
  return (
    <code className="font-mono text-xs">
      <Line text={session.id} />
    </code>
  );
}

function EndSession({ session, onClose }: { session: Session; onClose: () => void }) {
  const send = useMutation({
    mutationFn: () => endSession(session.id),
    onSuccess: () => {
      notify("good", "Session ended", "Its token no longer works.");
      onClose();
    },
  });
  return (
    <FormDialog
      title="End this session?"
      description={<Title session={session} />}
      submitLabel="End session"
      look="bad"
      isBusy={send.isPending}
      error={send.error}
      onClose={onClose}
      onSubmit={() => send.mutate()}
    >
      <p>
        The session's token stops working immediately. The agent can continue only with a new session. This cannot be
        undone.
      </p>
    </FormDialog>
  );
}
