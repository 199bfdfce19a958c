// The confirmation of every answer. It says what happens, and warns when part of the request was never visible.
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { useOwnPasskeys } from "../passkeys/queries";
import { useAbortOnUnmount } from "../passkeys/useAbortOnUnmount";
import { Line } from "../text/Visible";
import { ProblemCard } from "../ui/Bits";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import type { Answer } from "./answer";
import { AllowedText } from "./conditions/AllowedText";
import { Conditions } from "./conditions/Conditions";
import { conditionsOf, filterOf, MOST_CONDITIONS } from "./conditions/filter";
import { calls, duration } from "./limits";
import { SignatureNotice } from "./SignatureNotice";
import type { Answerable } from "./shown";
import { needsSignature, signApproval } from "./signing";

export type Question =
  | "approve"
  | "grant"
  | "always"
  | "deny"
  | "reconcile"
  | "give"
  | "refuse"
  | "release"
  | "discard";

interface Props {
  question: Question;
  item: Answerable;
  isUnread: boolean;
  /** Whether it was answered or expired while the dialog was open. */
  isAnswered: boolean;
  onAnswer: (answer: Answer) => void;
  onClose: () => void;
}

const APPROVALS: readonly Question[] = ["approve", "grant", "always", "give"];
const REFUSALS: readonly Question[] = ["deny", "refuse", "discard"];

const TITLES: Record<Question, string> = {
  approve: "Approve once?",
  grant: "Approve and create a grant",
  always: "Approve and always allow?",
  deny: "Deny",
  reconcile: "Record the outcome",
  give: "Approve this grant?",
  refuse: "Deny this grant",
  release: "Release as text",
  discard: "Discard",
};

export function ConfirmDialog(props: Props) {
  const { question, item, onClose } = props;
  const view = item.kind === "grant_request" ? item : item.invocation;
  const about = (
    <>
      <Line text={view.action} />
      {item.kind !== "grant_request" && ` (${item.invocation.risk})`}, requested by <Line text={view.agent} />
    </>
  );
  return (
    <Dialog title={TITLES[question]} description={about} isOpen onClose={onClose}>
      <Body {...props} />
    </Dialog>
  );
}

function Body({ question, item, isUnread, isAnswered, onAnswer, onClose }: Props) {
  const [note, setNote] = useState("");
  const [count, setCount] = useState(item.kind === "grant_request" ? String(item.max_calls) : "25");
  const [time, setTime] = useState(item.kind === "grant_request" ? `${item.lifetime_s}s` : "24h");
  const [scope, setScope] = useState<"session" | "org">("session");
  const isLasting = question === "grant" || question === "always";
  const [offered] = useState(() => (isLasting && item.kind === "approval" ? conditionsOf(item.shown) : []));
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    () => new Set(offered.filter((each) => each.isPreselected).map((each) => each.name)),
  );
  const conditions = offered.filter((each) => chosen.has(each.name));
  const [outcome, setOutcome] = useState<"succeeded" | "failed" | null>(null);
  const [fieldError, setFieldError] = useState<string | null>(null);
  const isApproval = APPROVALS.includes(question);
  const isSigned = isApproval && needsSignature(item);
  const own = useOwnPasskeys(isSigned);
  const canSign = own === undefined || own === "usable";
  const end = useAbortOnUnmount();
  const sign = useMutation({
    mutationFn: async (answer: Answer): Promise<Answer> => {
      if (answer.kind !== "approve" || item.kind !== "approval") return answer;
      return { ...answer, assertion: await signApproval(item.shown, end()) };
    },
    onSuccess: onAnswer,
  });

  const readAnswer = (): Answer | string => {
    const bounded = question === "grant" || question === "give";
    const [max_calls, lifetime_s] = [calls(count), duration(time)];
    if (bounded && max_calls === null) return "Calls must be a number from 1 to 10,000.";
    if (bounded && lifetime_s === null) return "Duration must be a time such as 30m, 24h or 7d, at most 30 days.";
    if (conditions.length > MOST_CONDITIONS) return `Choose at most ${MOST_CONDITIONS} conditions.`;
    const where = filterOf(conditions);
    switch (question) {
      case "approve":
        return { kind: "approve", extent: "once", note };
      case "always":
        return { kind: "approve", extent: "always", note, ...(where !== undefined && { where }) };
      case "grant":
        return {
          kind: "approve",
          extent: "grant",
          note,
          bounds: { max_calls: max_calls ?? 1, lifetime_s: lifetime_s ?? 1, scope },
          ...(where !== undefined && { where }),
        };
      case "deny":
        return { kind: "deny", reason: note };
      case "reconcile":
        if (outcome === null) return "Choose whether it succeeded or failed.";
        return note.trim() === ""
          ? "Evidence is required. It is stored in the receipt."
          : { kind: "reconcile", outcome, evidence: note };
      case "give":
        return { kind: "give", give: true, calls: max_calls ?? 1, seconds: lifetime_s ?? 1, note };
      case "refuse":
        return { kind: "give", give: false, note };
      case "release":
        return note.trim() === "" ? REASON_REQUIRED : { kind: "release", reason: note };
      case "discard":
        return { kind: "discard", reason: note };
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const answer = readAnswer();
    if (typeof answer === "string") setFieldError(answer);
    else if (isSigned && !sign.isPending) sign.mutate(answer);
    else if (!isSigned) onAnswer(answer);
  };

  return (
    <form onSubmit={submit} className="space-y-4">
      <p>{explanation(question, item)}</p>
      {isAnswered && (
        <p role="alert" className="rounded-lg bg-warn-wash px-3 py-2 text-warn">
          This request is no longer pending: someone answered it, or it expired. Your answer will be rejected.
        </p>
      )}
      {(isApproval || question === "release") && isUnread && (
        <p role="alert" className="rounded-lg bg-warn-wash px-3 py-2 text-warn">
          You have not scrolled through the whole request. Go back and read the rest first.
        </p>
      )}
      {(question === "grant" || question === "give") && (
        <div className="grid grid-cols-2 gap-3">
          <Field name="Calls">
            <input
              className="input"
              inputMode="numeric"
              value={count}
              onChange={(event) => setCount(event.target.value)}
              autoFocus
            />
          </Field>
          <Field name="Duration">
            <input className="input" value={time} onChange={(event) => setTime(event.target.value)} />
          </Field>
          {question === "grant" && (
            <Field name="Applies to">
              <select
                className="input"
                value={scope}
                onChange={(event) => setScope(event.target.value === "org" ? "org" : "session")}
              >
                <option value="session">{isRun(item) ? "this step of this automation" : "this session"}</option>
                <option value="org">every session of the organization</option>
              </select>
            </Field>
          )}
        </div>
      )}
      {isLasting && item.kind === "approval" && (
        <>
          <Conditions action={item.shown.action} offered={offered} chosen={chosen} onChange={setChosen} />
          <AllowedText
            action={item.shown.action}
            isRun={isRun(item)}
            limits={question === "grant" ? { count, time, scope } : null}
            conditions={conditions}
          />
        </>
      )}
      {question === "reconcile" && (
        <div role="radiogroup" aria-label="Outcome" className="grid grid-cols-2 gap-2">
          {(["succeeded", "failed"] as const).map((each) => (
            <label
              key={each}
              className={`flex min-h-11 cursor-pointer items-center gap-2.5 rounded-lg border border-strong px-3
                has-checked:border-accent has-checked:bg-accent-wash`}
            >
              <input
                type="radio"
                name="outcome"
                checked={outcome === each}
                onChange={() => setOutcome(each)}
                className="accent-accent"
              />
              {each === "succeeded" ? "It succeeded" : "It failed"}
            </label>
          ))}
        </div>
      )}
      {!isApproval && (
        <Field name={NOTE_LABELS[question] ?? "Reason (the agent can read it)"}>
          <textarea
            className="input min-h-20"
            maxLength={question === "reconcile" ? 2000 : 500}
            value={note}
            autoFocus
            onChange={(event) => setNote(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) submit(event);
            }}
          />
        </Field>
      )}
      {isSigned && <SignatureNotice onLeave={onClose} />}
      {fieldError !== null && (
        <p role="alert" className="text-bad">
          {fieldError}
        </p>
      )}
      {sign.error !== null && <ProblemCard error={sign.error} />}
      <div className="flex flex-row-reverse gap-2 [&>*]:flex-1 md:[&>*]:flex-none">
        <Button
          type="submit"
          variant={REFUSALS.includes(question) ? "bad" : "primary"}
          disabled={isSigned && (!canSign || sign.isPending)}
          autoFocus={question === "approve" || question === "always"}
        >
          {sign.isPending
            ? "Waiting for your device …"
            : isSigned
              ? `Sign and ${SUBMIT_LABELS[question].toLowerCase()}`
              : SUBMIT_LABELS[question]}
        </Button>
        <Button variant="quiet" onClick={onClose}>
          {" "}
          Cancel{" "}
        </Button>
      </div>
    </form>
  );
}

/** What confirming does. "Always" writes a rule: for the step when a run asks, else for the organization. */
function explanation(question: Question, item: Answerable): string {
  if (question !== "always") return EXPLANATIONS[question];
  const lasts = isRun(item)
    ? "to this step of the automation until someone changes the step or deletes the rule"
    : "to the whole organization until someone deletes it";
  return `The action runs now, exactly as shown. A new rule applies ${lasts}.`;
}

function isRun(item: Answerable): boolean {
  return item.kind === "approval" && item.shown.proposer.automation !== null;
}

const EXPLANATIONS: Record<Exclude<Question, "always">, string> = {
  approve: "The action runs once, now, exactly as shown.",
  grant: "The action runs now, exactly as shown. After that it needs no approval within these limits:",
  deny: "The action does not run.",
  reconcile: "Check the target system first. Your answer closes this invocation.",
  give: "The session can run this action without approval, within these limits. You can lower them.",
  refuse: "Each call still needs an approval.",
  release:
    "The agent's request is proposed again as text and needs approval. Those who approve it are shown your reason.",
  discard: "Nothing runs, and the parameters are deleted.",
};

const SUBMIT_LABELS: Record<Question, string> = {
  approve: "Approve once",
  grant: "Approve and grant",
  always: "Approve and always allow",
  deny: "Deny",
  reconcile: "Save",
  give: "Approve grant",
  refuse: "Deny grant",
  release: "Release as text",
  discard: "Discard",
};

const NOTE_LABELS: Partial<Record<Question, string>> = {
  reconcile: "Evidence: a link, an ID, what you saw",
  release: "Reason (required)",
  discard: "Reason (optional)",
};

const REASON_REQUIRED = "A reason is required. Those who approve the request are shown it.";

function Field({ name, children }: { name: string; children: ReactNode }) {
  return (
    <label className="flex flex-col gap-1">
      <span className="text-xs font-medium text-faint">{name}</span>
      {children}
    </label>
  );
}
