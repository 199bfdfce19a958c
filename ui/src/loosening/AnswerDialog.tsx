// Confirms the answer to a proposed change. It stays about the change as it was shown when the dialog was opened.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { ChangeSentence } from "../activity/changes/Words";
import { notify } from "../frame/toasts";
import { Line } from "../text/Visible";
import { Field, FormDialog } from "../ui/Form";
import { type ProposedChange, statusText } from "./proposed";
import { type Answer, answerChange } from "./queries";

const REASON_MAX = 500;
const WORDS = {
  approve: {
    title: "Approve this change?",
    submit: "Approve",
    look: "primary",
    effect: "This takes effect at once and is recorded with both names.",
    done: "Approved",
  },
  deny: {
    title: "Deny this change?",
    submit: "Deny",
    look: "bad",
    effect: "Nothing is changed. The person who proposed it can read the reason.",
    done: "Denied",
  },
  withdraw: {
    title: "Withdraw this change?",
    submit: "Withdraw",
    look: "bad",
    effect: "Nothing is changed, and nobody can approve it any more.",
    done: "Withdrawn",
  },
} as const;

interface Props {
  answer: Answer;
  shown: ProposedChange;
  onClose: () => void;
}

export function AnswerDialog({ answer, shown, onClose }: Props) {
  const [reason, setReason] = useState("");
  const words = WORDS[answer];
  const send = useMutation({
    mutationFn: () => answerChange(shown, answer, reason),
    // The gateway may run on this machine, so the request is sent even when the browser is offline.
    networkMode: "always",
    onSuccess: ({ status, note }) => {
      if (status === "failed") notify("warn", "The change failed", <Line text={note ?? statusText(status)} />);
      else notify("good", words.done, statusText(status));
      onClose();
    },
  });
  return (
    <FormDialog
      title={words.title}
      submitLabel={words.submit}
      look={words.look}
      isBusy={send.isPending}
      error={send.error}
      onClose={onClose}
      onSubmit={() => send.mutate()}
    >
      <ul className="space-y-2">
        {shown.changes.map((part, index) => (
          <li key={index} className="wrap-anywhere">
            <span className="block font-medium">
              <ChangeSentence change={part} />
            </span>
            <span className="block text-soft">
              What it loosens: <Line text={part.loosens} />
            </span>
          </li>
        ))}
      </ul>
      <p>{words.effect}</p>
      {answer !== "withdraw" && (
        <Field name={answer === "deny" ? "Reason" : "Reason (optional)"} hint="Stored with your answer.">
          <textarea
            className="input min-h-16"
            value={reason}
            maxLength={REASON_MAX}
            required={answer === "deny"}
            autoFocus={answer === "deny"}
            onChange={(event) => setReason(event.target.value)}
          />
        </Field>
      )}
    </FormDialog>
  );
}
