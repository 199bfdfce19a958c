// The members of the organization: people and service accounts. Only owners change them.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useMay } from "../api/permissions";
import { me } from "../api/queries";
import { MEANING, ROLES, type Role } from "../api/role";
import { Heading, Row, Rows } from "../settings/Rows";
import { useNow } from "../text/now";
import { ago, moment } from "../text/time";
import { Line } from "../text/Visible";
import { plain } from "../text/visible";
import { Badge } from "../ui/Bits";
import { Button } from "../ui/Button";
import { AddServiceAccount } from "./AddServiceAccount";
import { CreateToken } from "./CreateToken";
import { EditMember, RemoveMember } from "./EditMember";
import { Invitations } from "./Invitations";
import { Invite, SignInLink } from "./Links";
import { isService } from "./members";
import { Person } from "./Person";
import { type Member, members, memberTokens } from "./queries";
import { TokenLists } from "./TokenLists";

type Open = { kind: "invite" | "service" } | { kind: "edit" | "remove" | "token" | "link"; member: Member };

export function Members() {
  const query = useQuery(members);
  const self = useQuery(me).data?.user;
  const isOwner = useMay("owner") === true;
  const [open, setOpen] = useState<Open | null>(null);
  const [shown, setShown] = useState<string | null>(null);
  const close = () => setOpen(null);
  return (
    <>
      <Heading
        title="Members"
        about={
          isOwner
            ? "People join with an invitation. Programs use service accounts."
            : "Members of the organization. Only owners can change them."
        }
      >
        {isOwner && (
          <div className="flex flex-wrap gap-2 max-md:w-full max-md:[&>*]:flex-1">
            <Button onClick={() => setOpen({ kind: "service" })}>Add a service account</Button>
            <Button variant="primary" onClick={() => setOpen({ kind: "invite" })}>
              Invite a person
            </Button>
          </div>
        )}
      </Heading>
      <Rows name="Members" query={query} none="No members.">
        {(member) => (
          <MemberRow
            key={member.user}
            member={member}
            isSelf={member.user === self}
            isOwner={isOwner}
            isOpen={shown === member.user}
            onToggle={() => setShown(shown === member.user ? null : member.user)}
            onOpen={setOpen}
          />
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
      {isOwner && <Invitations />}
      {open?.kind === "invite" && <Invite onClose={close} />}
      {open?.kind === "service" && (
        <AddServiceAccount
          onClose={close}
          onAdded={({ user }) => {
            setShown(user);
            close();
          }}
        />
      )}
      {open?.kind === "edit" && <EditMember member={open.member} onClose={close} />}
      {open?.kind === "remove" && <RemoveMember member={open.member} onClose={close} />}
      {open?.kind === "token" && <CreateToken account={open.member} onClose={close} />}
      {open?.kind === "link" && <SignInLink member={open.member} onClose={close} />}
    </>
  );
}

interface RowProps {
  member: Member;
  isSelf: boolean;
  isOwner: boolean;
  isOpen: boolean;
  onToggle: () => void;
  onOpen: (open: Open) => void;
}

function MemberRow({ member, isSelf, isOwner, isOpen, onToggle, onOpen }: RowProps) {
  const now = useNow();
  const name = plain(member.name);
  const joined = (
    <>
      {isService(member) ? "added" : "joined"}{" "}
      <time dateTime={member.joined_at} title={moment(member.joined_at)}>
        {ago(member.joined_at, now)}
      </time>
      {member.invited_by != null && (
        <>
          {isService(member) ? " by " : ", invited by "}
          <Person id={member.invited_by} />
        </>
      )}
    </>
  );
  return (
    <>
      <Row
        title={
          <>
            <Line text={member.name} />
            <Badge tone={member.role === "owner" ? "accent" : "plain"} title={MEANING[member.role as Role] ?? ""}>
              {member.role}
            </Badge>
            {isService(member) && <Badge title="a program: it has tokens and no vote">service account</Badge>}
            {isSelf && <Badge>you</Badge>}
          </>
        }
        about={
          isService(member) || member.email == null ? (
            joined
          ) : (
            <>
              <Line text={member.email} /> · {joined}
            </>
          )
        }
      >
        {isOwner && (
          <>
            <Button onClick={onToggle} aria-expanded={isOpen} aria-label={`Tokens of ${name}`}>
              Tokens
            </Button>
            <Button onClick={() => onOpen({ kind: "edit", member })} aria-label={`Edit ${name}`}>
              {" "}
              Edit{" "}
            </Button>
            <Button variant="bad" onClick={() => onOpen({ kind: "remove", member })} aria-label={`Remove ${name}`}>
              Remove
            </Button>
          </>
        )}
      </Row>
      {isOwner && isOpen && (
        <li className="space-y-3 bg-page px-4 py-3">
          <MemberTokens member={member} />
          {isService(member) && (
            <Button onClick={() => onOpen({ kind: "token", member })} aria-label={`Create token for ${name}`}>
              Create token
            </Button>
          )}
          {!isService(member) && !isSelf && (
            <Button onClick={() => onOpen({ kind: "link", member })} aria-label={`Create sign-in link for ${name}`}>
              Create sign-in link
            </Button>
          )}
        </li>
      )}
    </>
  );
}

function MemberTokens({ member }: { member: Member }) {
  const query = useQuery(memberTokens(member.user));
  return <TokenLists name={`Tokens of ${plain(member.name)}`} query={query} none="No tokens." />;
}
