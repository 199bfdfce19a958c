// Targets and conducts as text and badges.
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useNow } from "../text/now";
import { ago, moment } from "../text/time";
import { Line } from "../text/Visible";
import { Badge } from "../ui/Bits";
import { type ConductView, ownConduct, type Target } from "./conduct";
import { useConducts } from "./queries";

/** `agent support-triage`; with a link to its page where there is one. */
export function TargetText({ target, isLink = false }: { target: Target; isLink?: boolean }) {
  if (target.scope === "org") return "the whole organization";
  const name = (
    <code className="font-mono text-[0.92em] wrap-anywhere">
      <Line text={target.name} />
    </code>
  );
  return (
    <>
      <Line text={target.scope} /> {isLink ? <TargetLink target={target}>{name}</TargetLink> : name}
    </>
  );
}

function TargetLink({ target: { scope, subject }, children }: { target: Target; children: ReactNode }) {
  switch (scope) {
    case "agent":
      return (
        <Link to="/agents/$agent" params={{ agent: subject }} className="underline">
          {children}
        </Link>
      );
    case "source":
      return (
        <Link to="/catalog/$source" params={{ source: subject }} className="underline">
          {children}
        </Link>
      );
    case "automation":
      return (
        <Link to="/automations/$automation" params={{ automation: subject }} className="underline">
          {children}
        </Link>
      );
    case "space":
      return (
        <Link to="/settings/$part" params={{ part: "spaces" }} className="underline">
          {children}
        </Link>
      );
    default:
      return children;
  }
}

/** `Anna, 3m 05s ago` */
export function SetBy({ conduct }: { conduct: ConductView }) {
  const now = useNow();
  const name = conduct.set_by_name ?? conduct.set_by;
  return (
    <>
      {name != null && (
        <>
          <Line text={name} />,{" "}
        </>
      )}
      <time dateTime={conduct.set_at} title={moment(conduct.set_at)} className="whitespace-nowrap">
        {ago(conduct.set_at, now)}
      </time>
    </>
  );
}

export function ConductBadge({ conduct }: { conduct: ConductView | null }) {
  if (conduct === null) return null;
  const whole = conduct.scope === "org" ? "organization " : "";
  return conduct.conduct === "halted" ? (
    <Badge tone="bad">{whole}stopped</Badge>
  ) : (
    <Badge tone="warn">{whole}dry run</Badge>
  );
}

/** Whether the target itself is stopped. The banner says it of the whole organization. */
export function TargetBadge({ target }: { target: Target }) {
  return <ConductBadge conduct={ownConduct(useConducts(), target)} />;
}
