// The second question: nothing is sent without it. It says what will happen, and whether something was never on the screen.
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import type { InboxItem } from "../api/queries";
import { useEnd } from "../passkeys/useEnd";
import { Line } from "../text/Visible";
import { ProblemCard } from "../ui/Bits";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import type { Answer } from "./answer";
import { calls, duration } from "./bounds";
import { MustSign } from "./MustSign";
import { mustSign, signYes, useHasPasskey } from "./signing";

export type Question = "approve" | "grant" | "always" | "deny" | "reconcile" | "give" | "refuse";

interface Props {
  question: Question;
  item: InboxItem;
  isUnread: boolean;
  /** Whether it was answered, or expired, while the question was open. */
  isGone: boolean;
  onAnswer: (given: Answer) => void;
  onClose: () => void;
}

const TITLES: Record<Question, string> = {
  approve: "Approve once?",
  grant: "Approve, and the like of it within bounds",
  always: "Approve, and always from now on?",
  deny: "Deny",
  reconcile: "What happened?",
  give: "Give this grant?",
  refuse: "Do not give this grant",
};

export function Ask(props: Props) {
  const { question, item, onClose } = props;
  const view = item.kind === "grant_request" ? item : item.invocation;
  const about = <><Line text={view.action} />{item.kind !== "grant_request" && ` (${item.invocation.risk})`}, asked for by <Line text={view.agent} /></>;
  return (
    <Dialog title={TITLES[question]} about={about} isOpen onClose={onClose}>
      <Body {...props} />
    </Dialog>
  );
}

function Body({ question, item, isUnread, isGone, onAnswer, onClose }: Props) {
  const [note, setNote] = useState("");
  const [count, setCount] = useState(item.kind === "grant_request" ? String(item.max_calls) : "25");
  const [time, setTime] = useState(item.kind === "grant_request" ? `${item.lifetime_s}s` : "24h");
  const [scope, setScope] = useState<"session" | "org">("session");
  const [outcome, setOutcome] = useState<"succeeded" | "failed" | null>(null);
  const [wrong, setWrong] = useState<string | null>(null);
  const isYes = question !== "deny" && question !== "refuse" && question !== "reconcile";
  const isSigned = isYes && mustSign(item);
  const hasPasskey = useHasPasskey(isSigned);
  const end = useEnd();
  const sign = useMutation({
    mutationFn: async (answer: Answer): Promise<Answer> => {
      if (answer.kind !== "approve" || item.kind !== "approval") return answer;
      return { ...answer, assertion: await signYes(item.invocation, end()) };
    },
    onSuccess: onAnswer,
  });

  const given = (): Answer | string => {
    const bounded = question === "grant" || question === "give";
    const [max_calls, lifetime_s] = [calls(count), duration(time)];
    if (bounded && max_calls === null) return "Calls is a number from 1 to 10000.";
    if (bounded && lifetime_s === null) return "For is a time such as 30m, 24h or 7d, at most 30 days.";
    switch (question) {
      case "approve":
      case "always":
        return { kind: "approve", extent: question === "approve" ? "once" : "always", note };
      case "grant":
        return { kind: "approve", extent: "grant", note, bounds: { max_calls: max_calls ?? 1, lifetime_s: lifetime_s ?? 1, scope } };
      case "deny":
        return { kind: "deny", reason: note };
      case "reconcile":
        if (outcome === null) return "Say whether it happened.";
        return note.trim() === "" ? "Say how you know; it stands in the receipt." : { kind: "reconcile", outcome, evidence: note };
      case "give":
        return { kind: "give", give: true, calls: max_calls ?? 1, seconds: lifetime_s ?? 1, note };
      case "refuse":
        return { kind: "give", give: false, note };
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const answer = given();
    if (typeof answer === "string") setWrong(answer);
    else if (isSigned && !sign.isPending) sign.mutate(answer);
    else if (!isSigned) onAnswer(answer);
  };

  return (
    <form onSubmit={submit} className="space-y-4">
      <p>{SAYS[question]}</p>
      {isGone && <p role="alert" className="rounded-lg bg-warn-wash px-3 py-2 text-warn">It no longer waits: somebody answered it meanwhile, or its time is over. Your answer would be refused.</p>}
      {isYes && isUnread && <p role="alert" className="rounded-lg bg-warn-wash px-3 py-2 text-warn">A part of what it would do was never on your screen. Go back and read on to see it.</p>}
      {(question === "grant" || question === "give") && (
        <div className="grid grid-cols-2 gap-3">
          <Field name="calls"><input className="input" inputMode="numeric" value={count} onChange={(event) => setCount(event.target.value)} autoFocus /></Field>
          <Field name="for"><input className="input" value={time} onChange={(event) => setTime(event.target.value)} /></Field>
          {question === "grant" && (
            <Field name="who">
              <select className="input" value={scope} onChange={(event) => setScope(event.target.value === "org" ? "org" : "session")}>
                <option value="session">this session</option>
                <option value="org">every session of the org</option>
              </select>
            </Field>
          )}
        </div>
      )}
      {question === "reconcile" && (
        <div role="radiogroup" aria-label="What happened" className="grid grid-cols-2 gap-2">
          {(["succeeded", "failed"] as const).map((each) => (
            <label key={each} className="flex min-h-11 cursor-pointer items-center gap-2.5 rounded-lg border border-strong px-3 has-checked:border-accent has-checked:bg-accent-wash">
              <input type="radio" name="outcome" checked={outcome === each} onChange={() => setOutcome(each)} className="accent-accent" />
              {each === "succeeded" ? "It happened" : "It did not"}
            </label>
          ))}
        </div>
      )}
      {!isYes && (
        <Field name={question === "deny" ? "why; the agent can read it" : question === "reconcile" ? "how you know: a link, a number, what you saw" : "why; the agent can read it"}>
          <textarea className="input min-h-20" maxLength={question === "reconcile" ? 2000 : 500} value={note} autoFocus onChange={(event) => setNote(event.target.value)}
            onKeyDown={(event) => { if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) submit(event); }} />
        </Field>
      )}
      {isSigned && <MustSign onLeave={onClose} />}
      {wrong !== null && <p role="alert" className="text-bad">{wrong}</p>}
      {sign.error !== null && <ProblemCard error={sign.error} />}
      <div className="flex flex-row-reverse gap-2 [&>*]:flex-1 md:[&>*]:flex-none">
        <Button type="submit" look={question === "deny" || question === "refuse" ? "bad" : "primary"} disabled={isSigned && (hasPasskey === false || sign.isPending)} autoFocus={question === "approve" || question === "always"}>
          {sign.isPending ? "Your device asks …" : isSigned ? `Sign and ${DOES[question].toLowerCase()}` : DOES[question]}
        </Button>
        <Button look="quiet" onClick={onClose}>Back</Button>
      </div>
    </form>
  );
}

const SAYS: Record<Question, string> = {
  approve: "It is done now, once, exactly as shown.",
  grant: "It is done now, exactly as shown. After that the same action needs no person, within these bounds:",
  always: "It is done now, exactly as shown. A rule is written that allows this action for the whole org, until somebody removes the rule.",
  deny: "Nothing is done.",
  reconcile: "Look at the target first. What you say here ends the invocation.",
  give: "The session may do this without asking, within these bounds. You can give less than was asked for.",
  refuse: "The agent keeps asking a person each time.",
};

const DOES: Record<Question, string> = {
  approve: "Approve once",
  grant: "Approve and grant",
  always: "Approve and always allow",
  deny: "Deny",
  reconcile: "Keep this",
  give: "Give the grant",
  refuse: "Do not give it",
};

function Field({ name, children }: { name: string; children: ReactNode }) {
  return <label className="flex flex-col gap-1"><span className="text-xs font-medium text-faint">{name}</span>{children}</label>;
}
