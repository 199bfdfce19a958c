// Adds a service account: an account of a program.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, take } from "../api/client";
import { notify } from "../frame/toasts";
import { changed } from "../settings/queries";
import { Line } from "../text/Visible";
import { Field, FormDialog } from "../ui/Form";
import type { Member } from "./queries";
import { RoleField, SERVICE_ROLES } from "./RoleField";

export function AddServiceAccount({ onAdded, onClose }: { onAdded: (added: Member) => void; onClose: () => void }) {
  const [name, setName] = useState("");
  const [role, setRole] = useState("member");
  const send = useMutation({
    mutationFn: () => take(api.POST("/v1/service-accounts", { body: { name: name.trim(), role } })),
    onSuccess: async (added) => {
      await changed("members");
      notify(
        "good",
        "Added",
        <>
          Create a token for <Line text={added.name} />, so that the program can use it.
        </>,
      );
      onAdded(added);
    },
  });
  return (
    <FormDialog
      title="Add a service account"
      submitLabel="Add"
      isBusy={send.isPending}
      error={send.error}
      onClose={onClose}
      onSubmit={() => send.mutate()}
    >
      <p className="text-soft">
        A service account is for a program, such as a deploy pipeline. It uses tokens and never approves requests.
      </p>
      <Field name="Name" hint="Name of the program.">
        <input
          className="input"
          value={name}
          onChange={(event) => setName(event.target.value)}
          placeholder="deploy pipeline"
          required
          maxLength={200}
          autoFocus
        />
      </Field>
      <RoleField role={role} roles={SERVICE_ROLES} isService onChange={setRole} />
    </FormDialog>
  );
}
