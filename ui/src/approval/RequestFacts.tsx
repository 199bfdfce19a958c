// Facts about a request from its document: where it goes, who asks for it, and what the session read before.
import { Link } from "@tanstack/react-router";
import { Block, Line } from "../text/Visible";
import { Badge, RISK, RiskBadge } from "../ui/Bits";
import { Fact, Facts, Section } from "../ui/Section";
import type { ShownDocument } from "./shown";
import { NO_UNDO, openedByLabel, STAYS } from "./wording";

export function RequestFacts({ shown }: { shown: ShownDocument }) {
  const { proposer, risk, undo } = shown;
  return (
    <Facts>
      <Fact name="Goes to">
        <Destinations list={shown.destinations} />
      </Fact>
      <Fact name="Risk">
        <RiskBadge risk={risk} /> {RISK[risk] ?? ""}
      </Fact>
      <Fact name="Undo">{undo === null ? NO_UNDO : <Line text={undo} />}</Fact>
      <Fact name={openedByLabel(proposer)}>
        <Line text={proposer.opened_by} />
      </Fact>
      {proposer.started_by !== null && (
        <Fact name="Run started by">
          <Line text={proposer.started_by} />
        </Fact>
      )}
      {proposer.automation !== null && (
        <Fact name="Automation">
          <span className="wrap-anywhere">
            <Line text={proposer.automation} />
          </span>
        </Fact>
      )}
      <Fact name="Read before by this session">
        <ReadBefore list={shown.read_before} />
      </Fact>
    </Facts>
  );
}

function Destinations({ list }: { list: ShownDocument["destinations"] }) {
  if (list.length === 0) return "Not recorded";
  return (
    <ul className="space-y-1">
      {list.map(({ source, address, account }) => (
        <li key={source} className="wrap-anywhere">
          {list.length > 1 && (
            <span className="text-faint">
              <Line text={source} />:{" "}
            </span>
          )}
          {address === null ? STAYS : <Line text={address} />}
          {account !== null && (
            <>
              {" as "}
              <span className="font-medium">
                <Line text={account} />
              </span>
            </>
          )}
        </li>
      ))}
    </ul>
  );
}

function ReadBefore({ list }: { list: ShownDocument["read_before"] }) {
  if (list.length === 0) return "Nothing";
  return (
    <ul className="space-y-1">
      {list.map(({ action, times, untrusted }) => (
        <li key={action} className="flex flex-wrap items-center gap-x-2">
          <span className="min-w-0 wrap-anywhere">
            <Line text={action} />
            {times > 1 && <span className="text-faint"> × {times}</span>}
          </span>{" "}
          {untrusted && <Badge tone="warn">may contain text by strangers</Badge>}
        </li>
      ))}
    </ul>
  );
}

export function AgentReason({ reason }: { reason: string | undefined }) {
  if (reason === undefined || reason === "") return null;
  return (
    <Section title="Reason given by the agent">
      <p>
        <Block text={reason} quoted />
      </p>
    </Section>
  );
}

/** A path within this site, without anything that could lead elsewhere. */
const OWN_PATH = /^(\/[\w-]+)+$/;

export function DefinitionChanges({ path }: { path: string | null }) {
  if (path === null) return null;
  return (
    <p className="rounded-xl bg-warn-wash px-4 py-3 text-warn">
      {OWN_PATH.test(path) ? (
        <Link to={path as "/catalog"} className="font-medium underline">
          See what changed in the action's definition
        </Link>
      ) : (
        <>
          The action's definition changed: <Line text={path} />
        </>
      )}
    </p>
  );
}
