// Changes or removes a member or a service account.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, take } from "../api/client";
import { ROLES } from "../api/role";
import { notify } from "../frame/toasts";
import { changed } from "../settings/queries";
import { Line } from "../text/Visible";
import { plain } from "../text/visible";
import { Field, FormDialog } from "../ui/Form";
import { isService } from "./members";
import type { Member } from "./queries";
import { RoleField, SERVICE_ROLES } from "./RoleField";

export function EditMember({ member, onClose }: { member: Member; onClose: () => void }) {
  const [name, setName] = useState(member.name);
  const [role, setRole] = useState(member.role);
  const send = useMutation({
    mutationFn: () =>
      take(
        api.PATCH("/v1/members/{user}", { params: { path: { user: member.user } }, body: { role, name: name.trim() } }),
      ),
    onSuccess: async (saved) => {
      await changed("members", "me");
      notify(
        "good",
        "Saved",
        <>
          <Line text={saved.name} /> is now {saved.role}.
        </>,
      );
      onClose();
    },
  });
  return (
    <FormDialog
      title={`Edit ${plain(member.name)}`}
      submitLabel="Save"
      isBusy={send.isPending}
      error={send.error}
      onClose={onClose}
      onSubmit={() => send.mutate()}
    >
      <Field name="Name">
        <input
          className="input"
          value={name}
          onChange={(event) => setName(event.target.value)}
          required
          maxLength={200}
          autoFocus
        />
      </Field>
      <RoleField
        role={role}
        roles={isService(member) ? SERVICE_ROLES : ROLES}
        isService={isService(member)}
        onChange={setRole}
      />
    </FormDialog>
  );
}

export function RemoveMember({ member, onClose }: { member: Member; onClose: () => void }) {
  const send = useMutation({
    mutationFn: () => take(api.DELETE("/v1/members/{user}", { params: { path: { user: member.user } } })),
    onSuccess: async () => {
      await changed("members");
      notify(
        "good",
        "Removed",
        <>
          <Line text={member.name} /> is no longer a member.
        </>,
      );
      onClose();
    },
  });
  return (
    <FormDialog
      title={`Remove ${plain(member.name)}?`}
      description={isService(member) ? "Service account" : <Line text={member.email ?? member.user} />}
      submitLabel="Remove"
      look="bad"
      isBusy={send.isPending}
      error={send.error}
      onClose={onClose}
      onSubmit={() => send.mutate()}
    >
      <p>Their tokens stop working immediately. Their activity and receipts are kept.</p>
    </FormDialog>
  );
}
