// What changed for owners and admins since version 0.1: one sentence, and a list to expand.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useId, useState } from "react";
import { org } from "../api/queries";
import { isNews, looseningText, markClosed as markLooseningClosed, type Org } from "../loosening/notice";
import { daysInForce, daysText } from "../settings/retention";
import { day } from "../text/time";
import { Button } from "../ui/Button";
import { Icon } from "../ui/icons";
import { markClosed, type Upgrade } from "./news";

export function WhatChanged({ upgrade }: { upgrade: Upgrade }) {
  const where = useQuery(org).data;
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const close = () => {
    // The list tells this too.
    if (where !== undefined && isNews(where, upgrade.role)) markLooseningClosed(upgrade.org, upgrade.user);
    markClosed(upgrade.org, upgrade.user);
  };
  return (
    <section aria-labelledby={id} className="shrink-0 border-b border-edge bg-accent-wash">
      <div className="flex items-start gap-2 py-2.5 pr-2 pl-4 md:pl-6">
        <span className="mt-0.5 text-accent max-md:hidden">
          <Icon name="policy" />
        </span>
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-4">
          <div className="min-w-56 flex-1">
            <h2 id={id} className="font-semibold">
              New since version 0.1
            </h2>
            <p className="text-soft">
              Upgraded on <time dateTime={upgrade.at}>{day(upgrade.at)}</time>. Rules, members and tokens stayed as they
              were; some things work differently.
            </p>
          </div>
          <Button
            variant="quiet"
            className="!text-accent max-md:-ml-3.5"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? "Show less" : "Show what changed"}
          </Button>
        </div>
        <button
          type="button"
          onClick={close}
          className="-my-1 grid size-11 shrink-0 place-items-center rounded-md text-soft hover:bg-edge md:m-1 md:size-7"
          aria-label="Close"
        >
          <Icon name="close" />
        </button>
      </div>
      {isOpen && (
        <Changes
          where={where}
          days={where === undefined ? null : daysInForce(where, Date.now())}
          onFollow={() => setOpen(false)}
        />
      )}
    </section>
  );
}

interface ChangesProps {
  /** The organization; undefined while it is loaded. */
  where: Org | undefined;
  /** The retention; null while it is loaded. */
  days: number | null;
  /** A link was followed: the page below is what matters now. */
  onFollow: () => void;
}

export function Changes({ where, days, onFollow }: ChangesProps) {
  const link = { className: "font-medium whitespace-nowrap text-accent underline", onClick: onFollow };
  const setting = (part: string, label: string) => (
    <Link to="/settings/$part" params={{ part }} {...link}>
      {label}
    </Link>
  );
  return (
    <ul
      aria-label="What changed"
      className="grid max-h-[45dvh] gap-x-8 gap-y-3 overflow-y-auto px-4 pb-4 md:grid-cols-2 md:px-6 md:pl-12"
    >
      <Item title="Changes are recorded">
        Every change of rules, members, tokens and settings is signed and in the ledger: who, when and why.{" "}
        <Link to="/activity/changes" {...link}>
          Open changes
        </Link>
      </Item>
      <Item title="Everything can be stopped">
        One button stops an agent, a source, a space, an automation or the organization. Nothing begins until someone
        resumes it.{" "}
        <Link to="/agents" {...link}>
          Open agents
        </Link>
      </Item>
      <Item title="Loosening may need two people">
        {looseningText(where)} Tightening takes effect at once. {setting("org", "Open the setting")}
      </Item>
      <Item title="People join by invitation">
        Nobody creates tokens for another person any more. Programs get service accounts, which have no vote.{" "}
        {setting("members", "Open members")}
      </Item>
      <Item title="Spaces have members">
        A new space is open to its members only. Your spaces stay open to everyone until you change that.{" "}
        {setting("spaces", "Open spaces")}
      </Item>
      <Item title="Tokens expire">
        New tokens are valid for 90 days unless you choose otherwise. Owners see and revoke all tokens.{" "}
        {setting("tokens", "Open tokens")}
      </Item>
      <Item title="Retention erases more">
        {days === null ? "At its end" : `After ${daysText(days)}`}, parameters, results and inputs of runs are erased
        too, not only the contents of receipts. A legal hold stops all erasure. {setting("org", "Open retention")}
      </Item>
      <Item title="For whoever operates the gateway">
        A restored or copied database starts halted: nothing happens until you have run{" "}
        <Command text="countersign restored" /> and an owner resumes. A new master key needs no downtime:{" "}
        <Command text="countersign master-key rotate" />.
      </Item>
    </ul>
  );
}

function Item({ title, children }: { title: string; children: ReactNode }) {
  return (
    <li>
      <p className="font-medium">{title}</p>
      <p className="text-soft">{children}</p>
    </li>
  );
}

function Command({ text }: { text: string }) {
  return <code className="font-mono text-[0.8125rem]">{text}</code>;
}
