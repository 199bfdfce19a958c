// Invitations: open ones first; the others are folded away.
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, take } from "../api/client";
import { me } from "../api/queries";
import { notify } from "../frame/toasts";
import { changed } from "../settings/queries";
import { Heading, Row, Rows } from "../settings/Rows";
import { useNow } from "../text/now";
import { ago, untilText } from "../text/time";
import { Line } from "../text/Visible";
import { plain } from "../text/visible";
import { Badge } from "../ui/Bits";
import { Button } from "../ui/Button";
import { FormDialog } from "../ui/Form";
import { NewLink } from "./Links";
import { Person } from "./Person";
import { type Invitation, invitations } from "./queries";

type Open = { kind: "link" | "withdraw"; invitation: Invitation };

/** Hidden while nobody was ever invited. */
export function Invitations() {
  const query = useQuery(invitations);
  const now = useNow();
  const self = useQuery(me).data?.user;
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  if (query.data?.length === 0) return null;
  const waiting = { ...query, data: query.data?.filter(({ status }) => status === "open") } as typeof query;
  const over = query.data?.filter(({ status }) => status !== "open") ?? [];
  return (
    <>
      <Heading
        title="Invitations"
        about="Nobody has joined with these yet. After a second owner agreed to an invitation, create its link here."
      />
      <Rows name="Invitations" query={waiting} none="No open invitations.">
        {(invitation) => (
          <Row
            key={invitation.id}
            title={
              <>
                <Line text={invitation.name} />
                <Badge tone={invitation.role === "owner" ? "accent" : "plain"}>{invitation.role}</Badge>
              </>
            }
            about={
              <>
                <Line text={invitation.email} />
                {invitation.invited_by != null && (
                  <>
                    {" "}
                    · invited by <Person id={invitation.invited_by} />
                  </>
                )}{" "}
                {ago(invitation.created_at, now)} · expires {untilText(invitation.expires_at, now)}
              </>
            }
          >
            {invitation.invited_by === self && (
              <Button
                onClick={() => setOpen({ kind: "link", invitation })}
                aria-label={`New link for ${plain(invitation.name)}`}
              >
                New link
              </Button>
            )}
            <Button
              variant="bad"
              onClick={() => setOpen({ kind: "withdraw", invitation })}
              aria-label={`Withdraw the invitation of ${plain(invitation.name)}`}
            >
              Withdraw
            </Button>
          </Row>
        )}
      </Rows>
      {over.length > 0 && (
        <details>
          <summary className="eyebrow cursor-pointer py-1">{over.length} accepted, withdrawn or expired</summary>
          <ul aria-label="Earlier invitations" className="mt-2 space-y-1 text-soft">
            {over.map(({ id, name, email, status, created_at }) => (
              <li key={id} className="wrap-anywhere">
                <Line text={name} /> <Badge>{status}</Badge>{" "}
                <span className="text-xs text-faint">
                  <Line text={email} /> · invited {ago(created_at, now)}
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
      {open?.kind === "link" && <NewLink invitation={open.invitation} onClose={close} />}
      {open?.kind === "withdraw" && <Withdraw invitation={open.invitation} onClose={close} />}
    </>
  );
}

function Withdraw({ invitation, onClose }: { invitation: Invitation; onClose: () => void }) {
  const send = useMutation({
    mutationFn: () =>
      take(api.DELETE("/v1/invitations/{invitation}", { params: { path: { invitation: invitation.id } } })),
    onSuccess: async () => {
      await changed("invitations");
      notify(
        "good",
        "Withdrawn",
        <>
          The link for <Line text={invitation.name} /> no longer works.
        </>,
      );
      onClose();
    },
  });
  return (
    <FormDialog
      title={`Withdraw the invitation of ${plain(invitation.name)}?`}
      description={<Line text={invitation.email} />}
      submitLabel="Withdraw"
      look="bad"
      isBusy={send.isPending}
      error={send.error}
      onClose={onClose}
      onSubmit={() => send.mutate()}
    >
      <p>The link stops working immediately.</p>
    </FormDialog>
  );
}
