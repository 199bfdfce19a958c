// Deletes a fact that no policy reads.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { notify } from "../../frame/toasts";
import { plain } from "../../text/visible";
import { FormDialog } from "../../ui/Form";
import { deleteFact } from "../queries";
import { ReasonField } from "../ReasonField";
import type { FactView } from "../types";
import { listed } from "../words";

export function DeleteFact({ fact, onClose }: { fact: FactView; onClose: () => void }) {
  const [reason, setReason] = useState("");
  const remove = useMutation({
    mutationFn: () => deleteFact(fact.name, reason),
    networkMode: "always",
    onSuccess: () => {
      notify("good", "Fact deleted", plain(fact.name));
      onClose();
    },
  });
  return (
    <FormDialog
      title={`Delete ${plain(fact.name)}?`}
      submitLabel="Delete fact"
      look="bad"
      isBusy={remove.isPending}
      error={remove.error}
      onClose={onClose}
      onSubmit={() => remove.mutate()}
    >
      {fact.used_by.length > 0 ? (
        <p className="rounded-lg bg-warn-wash px-3 py-2 text-warn">
          {plain(listed(fact.used_by))} {fact.used_by.length === 1 ? "reads" : "read"} this fact. Change or delete{" "}
          {fact.used_by.length === 1 ? "that policy" : "those policies"} first.
        </p>
      ) : (
        <p>What it has counted is deleted too. A fact with the same name would start again.</p>
      )}
      <ReasonField reason={reason} onChange={setReason} />
    </FormDialog>
  );
}
