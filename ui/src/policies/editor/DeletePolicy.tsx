// Deletes a policy, after a confirmation.
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { notify } from "../../frame/toasts";
import { plain } from "../../text/visible";
import { Button } from "../../ui/Button";
import { FormDialog } from "../../ui/Form";
import { deletePolicy } from "../queries";
import { ReasonField } from "../ReasonField";
import type { PolicyView } from "../types";

export function DeletePolicy({ policy, onDone }: { policy: PolicyView; onDone: () => void }) {
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const [reason, setReason] = useState("");
  const remove = useMutation({
    mutationFn: () => deletePolicy(policy.name, reason),
    networkMode: "always",
    onSuccess: () => {
      onDone();
      notify("good", "Policy deleted", "New calls are decided without it.");
      void navigate({ to: "/policy", hash: "policies" });
    },
  });
  return (
    <>
      <Button variant="bad" onClick={() => setOpen(true)}>
        Delete policy
      </Button>
      {isOpen && (
        <FormDialog
          title={`Delete ${plain(policy.name)}?`}
          submitLabel="Delete policy"
          look="bad"
          isBusy={remove.isPending}
          error={remove.error}
          onClose={() => {
            remove.reset();
            setOpen(false);
          }}
          onSubmit={() => remove.mutate()}
        >
          <p>
            {policy.state === "enforced"
              ? "Calls that this policy denies or asks about are then decided without it."
              : "This policy is observing, so no decision changes. Its report is deleted too."}
          </p>
          <ReasonField reason={reason} onChange={setReason} />
        </FormDialog>
      )}
    </>
  );
}
