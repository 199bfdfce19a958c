// Confirms a suggestion. The limits of a grant are chosen here.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { calls, duration, durationText } from "../../approval/limits";
import { notify } from "../../frame/toasts";
import { Where } from "../../policy/Where";
import { number } from "../../text/number";
import { Line } from "../../text/Visible";
import { plain } from "../../text/visible";
import { Field, FormDialog } from "../../ui/Form";
import type { PolicySuggestion } from "../types";
import { counted } from "../words";
import { type Bounds, KINDS, make } from "./make";

const WORDS: Record<PolicySuggestion["kind"], { title: string; done: string; effect: string }> = {
  grant: { title: "Create this grant?", done: "Grant created", effect: "" },
  remove_rule: {
    title: "Delete this rule?",
    done: "Rule deleted",
    effect: "The next rule that matches, or the risk of the action, decides instead.",
  },
  deny: {
    title: "Deny this action?",
    done: "Rule created",
    effect: "Every new call of this action is denied until someone deletes the rule.",
  },
};

interface Props {
  suggestion: PolicySuggestion;
  onClose: () => void;
}

export function MakeDialog({ suggestion, onClose }: Props) {
  const { kind, action, where_words } = suggestion;
  const [count, setCount] = useState("25");
  const [time, setTime] = useState("7d");
  const [reason, setReason] = useState("");
  const [max_calls, lifetime_s] = [calls(count), duration(time)];
  const send = useMutation({
    mutationFn: (bounds: Bounds) => make(suggestion, bounds, reason.trim()),
    networkMode: "always",
    onSuccess: () => {
      notify("good", WORDS[kind].done, plain(action));
      onClose();
    },
  });
  const isGrant = kind === "grant";
  return (
    <FormDialog
      title={WORDS[kind].title}
      description={
        <span className="wrap-anywhere">
          <code className="font-mono">
            <Line text={action} />
          </code>{" "}
          <Where words={where_words} />
        </span>
      }
      submitLabel={KINDS[kind].make}
      look={isGrant ? "primary" : "bad"}
      isBusy={send.isPending}
      error={send.error}
      onClose={onClose}
      onSubmit={() => {
        if (max_calls !== null && lifetime_s !== null) send.mutate({ max_calls, lifetime_s });
      }}
    >
      {isGrant ? (
        <>
          <div className="grid grid-cols-2 gap-3">
            <Field name="Calls" hint="1 to 10,000">
              <input
                className="input"
                inputMode="numeric"
                value={count}
                aria-invalid={max_calls === null}
                onChange={(event) => setCount(event.target.value)}
              />
            </Field>
            <Field name="Duration" hint="such as 24h or 7d, at most 30d">
              <input
                className="input"
                value={time}
                aria-invalid={lifetime_s === null}
                onChange={(event) => setTime(event.target.value)}
              />
            </Field>
          </div>
          <p role="status">
            {max_calls === null ? (
              <span className="text-bad">Calls must be a number from 1 to {number(10_000)}.</span>
            ) : lifetime_s === null ? (
              <span className="text-bad">Duration must be a time such as 30m, 24h or 7d, at most 30 days.</span>
            ) : (
              `The next ${counted(max_calls, "call")} within ${durationText(time)} run without asking.`
            )}
          </p>
        </>
      ) : (
        <p>{WORDS[kind].effect}</p>
      )}
      <Field name={kind === "deny" ? "Reason" : "Reason (optional)"} hint={REASONS[kind]}>
        <textarea
          className="input min-h-16"
          maxLength={500}
          required={kind === "deny"}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      </Field>
    </FormDialog>
  );
}

const REASONS: Record<PolicySuggestion["kind"], string> = {
  grant: "Shown with the grant.",
  remove_rule: "Recorded with the change.",
  deny: "Shown to agents and people with every denial.",
};
