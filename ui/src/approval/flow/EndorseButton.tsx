// Lets a person who may answer trust what the session has read, so that it no longer holds later requests.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useMay } from "../../api/permissions";
import { notify } from "../../frame/toasts";
import { Names } from "../../policy/FlowFacts";
import { Button } from "../../ui/Button";
import { Field, FormDialog } from "../../ui/Form";
import type { ShownApproval, ShownDocument } from "../shown";
import { canEndorse, endorse, MAX_NOTE } from "./endorse";

export function EndorseButton({ item }: { item: ShownApproval }) {
  const mayAnswer = useMay("admin");
  const [state, setState] = useState<"closed" | "open" | "done">("closed");
  if (mayAnswer !== true || !canEndorse(item)) return null;
  if (state === "done")
    return (
      <p role="status" className="text-soft">
        You trusted what was read. This request still needs an answer.
      </p>
    );
  return (
    <>
      <Button onClick={() => setState("open")}>Trust what was read</Button>
      {state === "open" && (
        <EndorseDialog shown={item.shown} onClose={() => setState("closed")} onDone={() => setState("done")} />
      )}
    </>
  );
}

interface Props {
  shown: ShownDocument;
  onClose: () => void;
  onDone: () => void;
}

export function EndorseDialog({ shown, onClose, onDone }: Props) {
  const [note, setNote] = useState("");
  const send = useMutation({
    mutationFn: () => endorse(shown, note),
    networkMode: "always",
    onSuccess: () => {
      notify("good", "Trust saved", "Nothing is approved yet. This request still needs an answer.");
      onDone();
    },
  });
  return (
    <FormDialog
      title="Trust what was read?"
      submitLabel="Trust what was read"
      isBusy={send.isPending}
      error={send.error}
      onClose={onClose}
      onSubmit={() => send.mutate()}
    >
      <div className="space-y-1">
        <p>This session has read, and strangers may have written:</p>
        <Names names={shown.flow?.untrusted ?? []} />
      </div>
      <p>
        Later requests of this session are no longer held because of these. What is read from now on is not covered.
        This does not approve the request.
      </p>
      <Field name="Note" hint="Optional: why it can be trusted. Recorded with the change.">
        <textarea
          className="input min-h-20"
          maxLength={MAX_NOTE}
          value={note}
          onChange={(event) => setNote(event.target.value)}
        />
      </Field>
    </FormDialog>
  );
}
