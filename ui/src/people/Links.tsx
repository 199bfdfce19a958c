// Links with which people join or sign in. Each is shown once, to the person who created it.
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { api, take } from "../api/client";
import { ROLES } from "../api/role";
import { changed } from "../settings/queries";
import { moment } from "../text/time";
import { Line } from "../text/Visible";
import { plain } from "../text/visible";
import { Field, FormDialog } from "../ui/Form";
import { SecretDialog } from "../ui/SecretDialog";
import { FreshSignIn, needsFreshSignIn } from "./FreshSignIn";
import { linkOf } from "./link";
import type { Invitation, Member, NewInvitation } from "./queries";
import { RoleField } from "./RoleField";

interface Props {
  title: string;
  description?: ReactNode;
  submitLabel: string;
  create: () => Promise<NewInvitation>;
  onClose: () => void;
  children: ReactNode;
}

/** A form that ends with a link. */
function LinkForm({ create, onClose, children, ...form }: Props) {
  const send = useMutation({ mutationFn: create, onSuccess: () => changed("invitations") });
  if (send.data !== undefined) {
    const { invitation } = send.data;
    return (
      <SecretDialog
        title="Link created"
        about={
          `Send the link to ${plain(invitation.name)} (${plain(invitation.email)}), and to nobody else. ` +
          `It works once, until ${moment(invitation.expires_at)}, and is shown only here.`
        }
        label="Link, shown once"
        value={linkOf(send.data, location.origin)}
        onClose={onClose}
      />
    );
  }
  if (needsFreshSignIn(send.error)) return <FreshSignIn onConfirmed={() => send.mutate()} onClose={onClose} />;
  return (
    <FormDialog {...form} isBusy={send.isPending} error={send.error} onClose={onClose} onSubmit={() => send.mutate()}>
      {children}
    </FormDialog>
  );
}

const invite = (body: { email: string; name: string; role: string }) => take(api.POST("/v1/invitations", { body }));

export function Invite({ onClose }: { onClose: () => void }) {
  const [email, setEmail] = useState("");
  const [name, setName] = useState("");
  const [role, setRole] = useState("member");
  return (
    <LinkForm
      title="Invite a person"
      submitLabel="Create link"
      create={() => invite({ email: email.trim(), name: name.trim(), role })}
      onClose={onClose}
    >
      <p className="text-soft">You get a link to send to them. They join with it and choose how they sign in.</p>
      <Field name="Name">
        <input
          className="input"
          value={name}
          onChange={(event) => setName(event.target.value)}
          required
          maxLength={200}
          autoComplete="off"
          autoFocus
        />
      </Field>
      <Field name="Email" hint="With an identity provider, they must sign in with this address.">
        <input
          className="input"
          type="email"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          required
          maxLength={254}
          autoComplete="off"
        />
      </Field>
      <RoleField role={role} roles={ROLES} onChange={setRole} />
    </LinkForm>
  );
}

/** For a member who lost their token. */
export function SignInLink({ member, onClose }: { member: Member; onClose: () => void }) {
  const { name, role, email } = member;
  return (
    <LinkForm
      title={`Create a sign-in link for ${plain(name)}?`}
      description={<Line text={email ?? ""} />}
      submitLabel="Create link"
      create={() => invite({ email: email ?? "", name, role })}
      onClose={onClose}
    >
      <p>For someone who lost their token. The link signs them in and gives them a new token.</p>
      <p className="text-soft">Their other tokens keep working. Revoke the lost one if someone else may have it.</p>
    </LinkForm>
  );
}

/** For an invitation whose link was lost, or that a second owner agreed to. */
export function NewLink({ invitation, onClose }: { invitation: Invitation; onClose: () => void }) {
  return (
    <LinkForm
      title={`Create a link for ${plain(invitation.name)}?`}
      description={<Line text={invitation.email} />}
      submitLabel="Create link"
      create={() =>
        take(api.POST("/v1/invitations/{invitation}/link", { params: { path: { invitation: invitation.id } } }))
      }
      onClose={onClose}
    >
      <p>An earlier link of this invitation stops working.</p>
    </LinkForm>
  );
}
