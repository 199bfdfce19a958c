// The members of the organization. Only owners change them.
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, take } from "../api/client";
import { useMay } from "../api/permissions";
import { me } from "../api/queries";
import { MEANING, ROLES, type Role } from "../api/role";
import { notify } from "../frame/toasts";
import { Line } from "../text/Visible";
import { plain } from "../text/visible";
import { Badge } from "../ui/Bits";
import { Button } from "../ui/Button";
import { Field, FormDialog } from "../ui/Form";
import { CreateToken } from "./CreateToken";
import { changed, type Member, members } from "./queries";
import { Heading, Row, Rows } from "./Rows";

type Open = { kind: "add" } | { kind: "change" | "remove" | "token"; member: Member };

export function Members() {
  const query = useQuery(members);
  const self = useQuery(me).data?.user;
  const isOwner = useMay("owner") === true;
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  return (
    <>
      <Heading
        title="Members"
        about={
          isOwner
            ? "Members of the organization and their roles."
            : "Members of the organization. Only owners can change them."
        }
      >
        {isOwner && (
          <Button variant="primary" onClick={() => setOpen({ kind: "add" })}>
            Add a member
          </Button>
        )}
      </Heading>
      <Rows name="Members" query={query} none="No members.">
        {(member) => (
          <Row
            key={member.user}
            about={<Line text={member.email} />}
            title={
              <>
                <Line text={member.name} />
                <Badge tone={member.role === "owner" ? "accent" : "plain"} title={MEANING[member.role as Role] ?? ""}>
                  {member.role}
                </Badge>
                {member.user === self && <Badge>you</Badge>}
              </>
            }
          >
            {isOwner && (
              <>
                <Button
                  onClick={() => setOpen({ kind: "token", member })}
                  aria-label={`Create token for ${plain(member.name)}`}
                >
                  {" "}
                  Create token{" "}
                </Button>
                <Button onClick={() => setOpen({ kind: "change", member })} aria-label={`Edit ${plain(member.name)}`}>
                  {" "}
                  Edit{" "}
                </Button>
                <Button
                  variant="bad"
                  onClick={() => setOpen({ kind: "remove", member })}
                  aria-label={`Remove ${plain(member.name)}`}
                >
                  Remove
                </Button>
              </>
            )}
          </Row>
        )}
      </Rows>
      <dl className="space-y-1 text-xs text-faint">
        {ROLES.map((role) => (
          <div key={role} className="flex gap-2">
            <dt className="w-16 shrink-0 font-medium">{role}</dt>
            <dd>{MEANING[role]}</dd>
          </div>
        ))}
      </dl>
      {open?.kind === "add" && <EditMember onClose={close} />}
      {open?.kind === "change" && <EditMember member={open.member} onClose={close} />}
      {open?.kind === "remove" && <RemoveMember member={open.member} onClose={close} />}
      {open?.kind === "token" && <CreateToken member={open.member} onClose={close} />}
    </>
  );
}

function EditMember({ member, onClose }: { member?: Member; onClose: () => void }) {
  const [email, setEmail] = useState(member?.email ?? "");
  const [name, setName] = useState(member?.name ?? "");
  const [role, setRole] = useState(member?.role ?? "member");
  const send = useMutation({
    mutationFn: () =>
      member === undefined
        ? take(api.POST("/v1/members", { body: { email: email.trim(), name: name.trim(), role } }))
        : take(
            api.PATCH("/v1/members/{user}", {
              params: { path: { user: member.user } },
              body: { role, name: name.trim() },
            }),
          ),
    onSuccess: async (saved) => {
      await changed("members", "me");
      notify(
        "good",
        member === undefined ? "Added" : "Saved",
        <>
          <Line text={saved.name} /> is now {saved.role}.
        </>,
      );
      onClose();
    },
  });
  const title = member === undefined ? "Add a member" : `Edit ${plain(member.name)}`;
  return (
    <FormDialog
      title={title}
      submitLabel={member === undefined ? "Add" : "Save"}
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
      {member === undefined && (
        <Field name="Email" hint="Used to sign in with the identity provider.">
          <input
            className="input"
            type="email"
            value={email}
            onChange={(event) => setEmail(event.target.value)}
            required
          />
        </Field>
      )}
      <Field name="Role" hint={MEANING[role as Role]}>
        <select className="input" value={role} onChange={(event) => setRole(event.target.value)}>
          {ROLES.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </select>
      </Field>
    </FormDialog>
  );
}

function RemoveMember({ member, onClose }: { member: Member; onClose: () => void }) {
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
      description={<Line text={member.email} />}
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
