// The members of a space and what each may use there. Everyone can read it; admins change it.
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useMay } from "../api/permissions";
import { me } from "../api/queries";
import { isService } from "../people/members";
import type { Space } from "../settings/queries";
import { Row, Rows } from "../settings/Rows";
import { useNow } from "../text/now";
import { ago, moment } from "../text/time";
import { Line } from "../text/Visible";
import { plain } from "../text/visible";
import { Badge } from "../ui/Bits";
import { Button } from "../ui/Button";
import { AddSpaceMember, ChangeSpaceMember, RemoveSpaceMember } from "./MemberForms";
import { membersText, noMembersText } from "./openness";
import { type SpaceMember, spaceMembers } from "./queries";
import { ReachText } from "./ReachText";

type Open = { kind: "add" } | { kind: "change" | "remove"; member: SpaceMember };

export function SpaceMembers({ space }: { space: Space }) {
  const query = useQuery(spaceMembers(space.id));
  const self = useQuery(me).data?.user;
  const may = useMay("admin") === true;
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const name = plain(space.name);
  return (
    <>
      <p className="text-soft">{membersText(space.open_to)}</p>
      <Rows name={`Members of ${name}`} query={query} none={noMembersText(space.open_to)}>
        {(member) => (
          <MemberRow key={member.user} member={member} isSelf={member.user === self}>
            {may && (
              <>
                <Button
                  onClick={() => setOpen({ kind: "change", member })}
                  aria-label={`Change what ${plain(member.name)} may use in ${name}`}
                >
                  Change
                </Button>
                <Button
                  variant="bad"
                  onClick={() => setOpen({ kind: "remove", member })}
                  aria-label={`Remove ${plain(member.name)} from ${name}`}
                >
                  Remove
                </Button>
              </>
            )}
          </MemberRow>
        )}
      </Rows>
      {may && query.data !== undefined && (
        <Button onClick={() => setOpen({ kind: "add" })} aria-label={`Add a member to ${name}`}>
          Add a member
        </Button>
      )}
      {open?.kind === "add" && <AddSpaceMember space={space} listed={query.data ?? []} onClose={close} />}
      {open?.kind === "change" && <ChangeSpaceMember space={space} member={open.member} onClose={close} />}
      {open?.kind === "remove" && <RemoveSpaceMember space={space} member={open.member} onClose={close} />}
    </>
  );
}

function MemberRow(props: { member: SpaceMember; isSelf: boolean; children: ReactNode }) {
  const { member, isSelf, children } = props;
  const now = useNow();
  return (
    <Row
      title={
        <>
          <Line text={member.name} />
          {isService(member) && <Badge title="a program: it has tokens and no vote">service account</Badge>}
          {isSelf && <Badge>you</Badge>}
        </>
      }
      about={
        <>
          may use <ReachText role={member.role} capabilities={member.capabilities} /> · added{" "}
          <time dateTime={member.added_at} title={moment(member.added_at)}>
            {ago(member.added_at, now)}
          </time>
        </>
      }
    >
      {children}
    </Row>
  );
}
