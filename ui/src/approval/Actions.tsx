// The buttons of an inbox item, with their keyboard shortcuts.

import { useQuery } from "@tanstack/react-query";
import { DropdownMenu } from "radix-ui";
import { me } from "../api/queries";
import { useHotkeys } from "../frame/hotkeys";
import { Button, Key } from "../ui/Button";
import { Icon } from "../ui/icons";
import type { Answer } from "./answer";
import type { Question } from "./ConfirmDialog";
import { openConfirm } from "./DialogHost";
import type { Answerable } from "./shown";

interface Props {
  item: Answerable;
  /** Why it cannot be approved yet; null if it can be. */
  approvalBlock: string | null;
  isUnread: () => boolean;
  /**
   * Whether keys are listened to: not right after the page moved on by itself, when they were meant for another item.
   */
  isReady?: () => boolean;
  onAnswer: (item: Answerable, answer: Answer) => void;
}

/** The key of each answer, by kind of item. */
const KEYS: Record<Answerable["kind"], Record<string, Question>> = {
  approval: { a: "approve", G: "grant", A: "always", d: "deny" },
  grant_request: { a: "give", d: "refuse" },
  unknown: { r: "reconcile" },
  quarantined: { t: "release", d: "discard" },
};

/** The possible answers to an item. */
export function questions(item: Answerable): Question[] {
  if (item.kind === "unknown") return ["reconcile"];
  if (item.kind === "grant_request") return ["give", "refuse"];
  if (item.kind === "quarantined") return item.only_discard == null ? ["release", "discard"] : ["discard"];
  return item.only_once == null ? ["approve", "grant", "always", "deny"] : ["approve", "deny"];
}

const APPROVALS: readonly Question[] = ["approve", "grant", "always"];

/** The answers that can be given now. Denying is never blocked. */
export function openQuestions(item: Answerable, approvalBlock: string | null): Question[] {
  return questions(item).filter((question) => approvalBlock === null || !APPROVALS.includes(question));
}

export function Actions({ item, approvalBlock, isUnread, isReady = () => true, onAnswer }: Props) {
  const role = useQuery(me).data?.role;
  const possible = questions(item);
  const open = openQuestions(item, approvalBlock);
  const ask = (question: Question) => {
    if (open.includes(question)) openConfirm({ question, item, isUnread: isUnread(), onAnswer });
  };
  const byKey = (question: Question) => () => {
    if (role !== "member" && isReady()) ask(question);
  };
  const keys = Object.entries(KEYS[item.kind]);
  useHotkeys(Object.fromEntries(keys.map(([key, question]) => [key, byKey(question)])));

  if (role === "member")
    return <ReadOnly answers={item.kind === "quarantined" ? "release or discard" : "approve or deny"} />;
  return (
    <div className="flex flex-wrap gap-2">
      {item.kind === "approval" && <Approval possible={possible} block={approvalBlock} ask={ask} />}
      {item.kind === "grant_request" && (
        <>
          <Button variant="primary" className="flex-1 md:flex-none" onClick={() => ask("give")}>
            Approve grant <Key name="a" />
          </Button>
          <Button variant="bad" className="flex-1 md:flex-none" onClick={() => ask("refuse")}>
            Deny grant <Key name="d" />
          </Button>
        </>
      )}
      {item.kind === "unknown" && (
        <Button variant="primary" className="flex-1 md:flex-none" onClick={() => ask("reconcile")}>
          Record outcome <Key name="r" />
        </Button>
      )}
      {item.kind === "quarantined" && (
        <>
          {possible.includes("release") && (
            <Button className="flex-1 md:flex-none" onClick={() => ask("release")}>
              Release as text … <Key name="t" />
            </Button>
          )}
          <Button variant="bad" className="flex-1 md:ml-auto md:flex-none" onClick={() => ask("discard")}>
            Discard … <Key name="d" />
          </Button>
        </>
      )}
    </div>
  );
}

function ReadOnly({ answers }: { answers: string }) {
  return <p className="text-soft">You can read this item. Only admins and owners can {answers} it.</p>;
}

/** The buttons of a request that is not shown yet, and why they do nothing. */
export function BlockedActions({ reason }: { reason: string }) {
  const role = useQuery(me).data?.role;
  if (role === "member") return <ReadOnly answers="approve or deny" />;
  return (
    <div className="flex flex-wrap items-center gap-2">
      <p role="status" className="w-full text-soft md:order-1 md:w-auto">
        {reason}
      </p>
      <Button variant="primary" className="flex-1 md:flex-none" disabled>
        Approve once <Key name="a" />
      </Button>
      <Button variant="bad" className="flex-1 md:order-2 md:ml-auto md:flex-none" disabled>
        Deny <Key name="d" />
      </Button>
    </div>
  );
}

interface ApprovalProps {
  possible: Question[];
  block: string | null;
  ask: (question: Question) => void;
}

function Approval({ possible, block, ask }: ApprovalProps) {
  const isBlocked = block !== null;
  const item = "flex cursor-pointer items-center gap-3 rounded-md px-3 py-2.5 outline-none data-[highlighted]:bg-sunk";
  return (
    <>
      {isBlocked && (
        <p role="status" className="w-full text-soft">
          {block}
        </p>
      )}
      <Button variant="primary" className="flex-1 md:flex-none" disabled={isBlocked} onClick={() => ask("approve")}>
        Approve once <Key name="a" />
      </Button>
      {possible.includes("grant") && (
        <>
          <Button className="max-md:hidden" disabled={isBlocked} onClick={() => ask("grant")}>
            Approve with grant … <Key name="G" />
          </Button>
          <Button className="max-md:hidden" disabled={isBlocked} onClick={() => ask("always")}>
            Always allow … <Key name="A" />
          </Button>
        </>
      )}
      <Button variant="bad" className="flex-1 md:ml-auto md:flex-none" onClick={() => ask("deny")}>
        Deny <Key name="d" />
      </Button>
      {possible.includes("grant") && (
        <DropdownMenu.Root>
          <DropdownMenu.Trigger asChild>
            <Button aria-label="More options" className="md:hidden" disabled={isBlocked}>
              <Icon name="more" />
            </Button>
          </DropdownMenu.Trigger>
          <DropdownMenu.Portal>
            <DropdownMenu.Content
              side="top"
              align="end"
              sideOffset={8}
              className="z-50 rounded-xl border border-edge bg-card p-1 shadow-lg"
            >
              <DropdownMenu.Item className={item} onSelect={() => ask("grant")}>
                Approve and create a grant
              </DropdownMenu.Item>
              <DropdownMenu.Item className={item} onSelect={() => ask("always")}>
                Approve and always allow
              </DropdownMenu.Item>
            </DropdownMenu.Content>
          </DropdownMenu.Portal>
        </DropdownMenu.Root>
      )}
    </>
  );
}
