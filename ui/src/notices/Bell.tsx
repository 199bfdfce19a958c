// The bell: unread notices as a count, and a panel with the newest ones.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Popover } from "radix-ui";
import { useState } from "react";
import { me } from "../api/queries";
import { useNow } from "../text/now";
import { ago, moment } from "../text/time";
import { Block, Line } from "../text/Visible";
import { Badge, Loading, ProblemCard, type Tone } from "../ui/Bits";
import { Icon } from "../ui/icons";
import { markRead, type Notice, readUntil, unread } from "./notice";
import { notices } from "./queries";

const TONES: Record<string, Tone> = { warning: "warn", critical: "bad" };

export function Bell({ side }: { side: "right" | "top" }) {
  const { data, error } = useQuery(notices);
  const current = useQuery(me).data;
  const [org, user] = [current?.org ?? "", current?.user ?? ""];
  const [isOpen, setOpen] = useState(false);
  const fresh = unread(data ?? [], readUntil(org, user));
  const count = fresh.length;
  const toggle = (open: boolean) => {
    const newest = data?.[0]?.at;
    // Closing the panel marks what it showed as read, so that the badges stay while it is open.
    if (!open && newest !== undefined) markRead(org, user, newest);
    setOpen(open);
  };
  return (
    <Popover.Root open={isOpen} onOpenChange={toggle}>
      <Popover.Trigger
        className="relative rounded-lg p-2 text-soft hover:bg-sunk hover:text-ink"
        aria-label={count === 0 ? "Notices" : `Notices, ${count} unread`}
      >
        <Icon name="bell" className="size-5" />
        {count > 0 && (
          <span
            aria-hidden="true"
            className={`absolute top-0 right-0 rounded-full bg-accent px-1 text-[0.6875rem] font-semibold
              text-accent-ink`}
          >
            {count}
          </span>
        )}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          side={side}
          align="start"
          sideOffset={6}
          collisionPadding={8}
          aria-label="Notices"
          className="z-50 w-96 max-w-[calc(100vw-1rem)] rounded-xl border border-edge bg-card shadow-lg"
        >
          <h2 className="border-b border-edge px-4 py-2.5 font-semibold">Notices</h2>
          {data === undefined && (error === null ? <Loading what="notices" /> : <ProblemCard error={error} />)}
          {data?.length === 0 && (
            <p className="px-4 py-6 text-center text-soft">
              No notices. Agents and automations send them with <code className="font-mono text-xs">data.notify</code>.
            </p>
          )}
          {data !== undefined && data.length > 0 && (
            <ul aria-label="Notices" className="max-h-[60dvh] divide-y divide-edge overflow-y-auto">
              {data.map((each) => (
                <NoticeRow key={each.id} notice={each} isUnread={fresh.includes(each)} onOpen={() => toggle(false)} />
              ))}
            </ul>
          )}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function NoticeRow({ notice, isUnread, onOpen }: { notice: Notice; isUnread: boolean; onOpen: () => void }) {
  const now = useNow();
  return (
    <li className="space-y-1 px-4 py-3">
      <p className="flex flex-wrap items-center gap-2">
        <span className="min-w-0 flex-1 font-medium wrap-anywhere">
          <Line text={notice.title} />
        </span>
        {notice.level !== "info" && (
          <Badge tone={TONES[notice.level] ?? "plain"}>
            <Line text={notice.level} />
          </Badge>
        )}
        {isUnread && <Badge tone="accent">new</Badge>}
      </p>
      {notice.body !== "" && (
        <p className="text-soft">
          <Block text={notice.body} />
        </p>
      )}
      <p className="text-xs text-faint">
        <Line text={notice.agent} /> ·{" "}
        <time dateTime={notice.at} title={moment(notice.at)}>{`${ago(notice.at, now)}`}</time> ·{" "}
        {notice.run === null ? (
          <Link to="/activity" search={{ session: notice.session }} onClick={onOpen} className="text-accent underline">
            Session
          </Link>
        ) : (
          <Link to="/runs/$run" params={{ run: notice.run }} onClick={onOpen} className="text-accent underline">
            Run
          </Link>
        )}{" "}
        ·{" "}
        <Link
          to="/activity/$invocation"
          params={{ invocation: notice.id }}
          onClick={onOpen}
          className="text-accent underline"
        >
          Details
        </Link>
      </p>
    </li>
  );
}
