// Who is in the org: add, change what they may, make them a token, remove them. Owners do; everybody can read it.
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, take } from "../api/client";
import { me } from "../api/queries";
import { notify } from "../frame/notices";
import { plain } from "../text/visible";
import { Line } from "../text/Visible";
import { Badge } from "../ui/Bits";
import { Button } from "../ui/Button";
import { Field, FormDialog } from "../ui/Form";
import { MakeToken } from "./MakeToken";
import { changed, type Member, members } from "./queries";
import { MEANING, type Role, ROLES } from "../api/role";
import { useMay } from "../api/who";
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
      <Heading title="Members" about={isOwner ? "Who is in the org, and what each may do." : "Who is in the org. Owners add people and change what they may do."}>
        {isOwner && <Button look="primary" onClick={() => setOpen({ kind: "add" })}>Add a member</Button>}
      </Heading>
      <Rows name="Members" query={query} none="Nobody is here.">
        {(member) => (
          <Row key={member.user} about={<Line text={member.email} />}
            title={<><Line text={member.name} /><Badge tone={member.role === "owner" ? "accent" : "plain"} title={MEANING[member.role as Role] ?? ""}>{member.role}</Badge>{member.user === self && <Badge>you</Badge>}</>}>
            {isOwner && (
              <>
                <Button onClick={() => setOpen({ kind: "token", member })} aria-label={`Make a token for ${plain(member.name)}`}>Token</Button>
                <Button onClick={() => setOpen({ kind: "change", member })} aria-label={`Change ${plain(member.name)}`}>Change</Button>
                <Button look="bad" onClick={() => setOpen({ kind: "remove", member })} aria-label={`Remove ${plain(member.name)}`}>Remove</Button>
              </>
            )}
          </Row>
        )}
      </Rows>
      <dl className="space-y-1 text-xs text-faint">
        {ROLES.map((role) => <div key={role} className="flex gap-2"><dt className="w-16 shrink-0 font-medium">{role}</dt><dd>{MEANING[role]}</dd></div>)}
      </dl>
      {open?.kind === "add" && <Edit onClose={close} />}
      {open?.kind === "change" && <Edit member={open.member} onClose={close} />}
      {open?.kind === "remove" && <Remove member={open.member} onClose={close} />}
      {open?.kind === "token" && <MakeToken member={open.member} onClose={close} />}
    </>
  );
}

function Edit({ member, onClose }: { member?: Member; onClose: () => void }) {
  const [email, setEmail] = useState(member?.email ?? "");
  const [name, setName] = useState(member?.name ?? "");
  const [role, setRole] = useState(member?.role ?? "member");
  const send = useMutation({
    mutationFn: () =>
      member === undefined
        ? take(api.POST("/v1/members", { body: { email: email.trim(), name: name.trim(), role } }))
        : take(api.PATCH("/v1/members/{user}", { params: { path: { user: member.user } }, body: { role, name: name.trim() } })),
    onSuccess: async (kept) => {
      await changed("members", "me");
      notify("good", member === undefined ? "Added" : "Changed", <><Line text={kept.name} /> is {kept.role} now.</>);
      onClose();
    },
  });
  const title = member === undefined ? "Add a member" : `Change ${plain(member.name)}`;
  return (
    <FormDialog title={title} does={member === undefined ? "Add" : "Keep"} isBusy={send.isPending} error={send.error} onClose={onClose} onSubmit={() => send.mutate()}>
      <Field name="Name"><input className="input" value={name} onChange={(event) => setName(event.target.value)} required maxLength={200} autoFocus /></Field>
      {member === undefined && (
        <Field name="E-mail" hint="By this address they sign in, where an identity provider is set up.">
          <input className="input" type="email" value={email} onChange={(event) => setEmail(event.target.value)} required />
        </Field>
      )}
      <Field name="Role" hint={MEANING[role as Role]}>
        <select className="input" value={role} onChange={(event) => setRole(event.target.value)}>
          {ROLES.map((each) => <option key={each} value={each}>{each}</option>)}
        </select>
      </Field>
    </FormDialog>
  );
}

function Remove({ member, onClose }: { member: Member; onClose: () => void }) {
  const send = useMutation({
    mutationFn: () => take(api.DELETE("/v1/members/{user}", { params: { path: { user: member.user } } })),
    onSuccess: async () => {
      await changed("members");
      notify("good", "Removed", <><Line text={member.name} /> is no longer in the org.</>);
      onClose();
    },
  });
  return (
    <FormDialog title={`Remove ${plain(member.name)}?`} about={<Line text={member.email} />} does="Remove" look="bad" isBusy={send.isPending} error={send.error} onClose={onClose} onSubmit={() => send.mutate()}>
      <p>Their tokens stop working at once. What they did, and their names in receipts, stay.</p>
    </FormDialog>
  );
}
