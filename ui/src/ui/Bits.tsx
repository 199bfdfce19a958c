// Small shared components: badges, empty states, problems, page heads.
import { Link } from "@tanstack/react-router";
import { type ReactNode, useLayoutEffect } from "react";
import { ApiError, Proposed } from "../api/client";
import { Line } from "../text/Visible";
import { useCloseDialog } from "./Dialog";
import { Icon, type IconName } from "./icons";

const TONES = {
  plain: "bg-sunk text-soft",
  accent: "bg-accent-wash text-accent",
  good: "bg-good-wash text-good",
  warn: "bg-warn-wash text-warn",
  bad: "bg-bad-wash text-bad",
};
export type Tone = keyof typeof TONES;

export function Badge({ tone = "plain", children, title }: { tone?: Tone; children: ReactNode; title?: string }) {
  return (
    <span
      title={title}
      className={`inline-flex items-center gap-1 rounded-md px-1.5 py-px text-xs font-medium whitespace-nowrap
        ${TONES[tone]}`}
    >
      {children}
    </span>
  );
}

export const RISK: Record<string, string> = {
  R0: "only computes",
  R1: "only reads",
  R2: "writes, and can be undone or has little effect",
  R3: "hard to undo",
  R4: "destructive",
};

export function RiskBadge({ risk }: { risk: string }) {
  const tone: Tone = risk === "R3" || risk === "R4" ? "bad" : risk === "R2" ? "warn" : "plain";
  return (
    <Badge tone={tone} title={RISK[risk] ?? ""}>
      {risk}
    </Badge>
  );
}

const STATUS: Record<string, Tone> = {
  succeeded: "good",
  active: "good",
  failed: "bad",
  timed_out: "bad",
  denied: "bad",
  quarantined: "bad",
  waiting: "warn",
  unknown: "warn",
  expired: "warn",
  running: "accent",
  executing: "accent",
};

export function StatusBadge({ status }: { status: string }) {
  return <Badge tone={STATUS[status] ?? "plain"}>{status.replace("_", " ")}</Badge>;
}

export function Empty({ icon, title, children }: { icon: IconName; title: string; children?: ReactNode }) {
  return (
    <div className="mx-auto flex max-w-md flex-col items-center px-6 py-16 text-center">
      <div className="mb-4 rounded-2xl bg-sunk p-4 text-faint">
        <Icon name={icon} className="size-7" />
      </div>
      <h2 className="text-base font-semibold">{title}</h2>
      <div className="mt-1.5 space-y-2 text-soft">{children}</div>
    </div>
  );
}

/** Each closes a dialog once, even if the dialog is opened again with the same state. */
const closed = new WeakSet<Proposed>();

/** A change that waits for a second owner is no problem: its dialog closes, and a page says so. */
function ProposedCard({ proposed }: { proposed: Proposed }) {
  const close = useCloseDialog();
  useLayoutEffect(() => {
    if (close === null || closed.has(proposed)) return;
    closed.add(proposed);
    close();
  }, [close, proposed]);
  if (close !== null) return null;
  return (
    <div role="status" className="flex gap-3 rounded-xl border border-edge bg-card p-4">
      <span className="text-accent">
        <Icon name="clock" className="size-5" />
      </span>
      <div className="min-w-0 space-y-1">
        <p className="font-semibold">Waits for a second owner</p>
        <p className="text-soft">Nothing has changed yet.</p>
        <p>
          <Link to="/inbox/$key" params={{ key: proposed.id }} className="font-medium text-accent underline">
            Open the proposed change
          </Link>
        </p>
      </div>
    </div>
  );
}

/** A problem of the gateway, with its hint. */
export function ProblemCard({ error, children }: { error: unknown; children?: ReactNode }) {
  if (error instanceof Proposed) return <ProposedCard proposed={error} />;
  const problem = error instanceof ApiError ? error.problem : null;
  return (
    <div role="alert" className="rounded-xl border border-edge bg-card p-4">
      <div className="flex gap-3">
        <span className="text-warn">
          <Icon name="warning" className="size-5" />
        </span>
        <div className="min-w-0 space-y-1">
          <p className="font-semibold">
            <Line text={problem?.title ?? "Something went wrong on this page"} />
          </p>
          {problem?.detail !== undefined && (
            <p className="text-soft">
              <Line text={problem.detail} />
            </p>
          )}
          {problem?.errors?.map((each, index) => (
            <p key={index} className="text-soft">
              <code className="font-mono">
                <Line text={each.pointer} />
              </code>{" "}
              <Line text={each.message} />
            </p>
          ))}
          {problem !== null && (
            <p className="text-soft">
              What to do: <Line text={problem.hint} />
            </p>
          )}
          {problem !== null && (
            <p className="font-mono text-xs text-faint">
              <Line text={problem.code} />
              {problem.status > 0 && `, ${problem.status}`}
            </p>
          )}
          {children}
        </div>
      </div>
    </div>
  );
}

export function Loading({ what }: { what: string }) {
  return (
    <p role="status" className="animate-pulse p-6 text-center text-faint">
      Loading {what} …
    </p>
  );
}

export function PageHead({
  title,
  about,
  children,
  isNarrow = false,
}: {
  title: string;
  about?: ReactNode;
  children?: ReactNode;
  isNarrow?: boolean;
}) {
  return (
    <header
      className={`flex min-h-14 shrink-0 flex-wrap items-center gap-x-3 gap-y-2 border-b border-edge bg-card px-4 py-2.5
        ${isNarrow ? "" : "md:px-6"}`}
    >
      <div className="min-w-0 flex-1">
        <h1 className="truncate text-base font-semibold">{title}</h1>
        {about !== undefined && <div className="text-xs text-faint">{about}</div>}
      </div>
      {children}
    </header>
  );
}
