// Passkeys. People add their own, another approver confirms the first one, and owners remove them.
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, take } from "../api/client";
import { useMay } from "../api/permissions";
import { me, org } from "../api/queries";
import { notify } from "../frame/toasts";
import { Person } from "../people/Person";
import { changed } from "../settings/queries";
import { Heading, Row, Rows } from "../settings/Rows";
import { useNow } from "../text/now";
import { ago, moment } from "../text/time";
import { Line } from "../text/Visible";
import { plain } from "../text/visible";
import { Badge, ProblemCard } from "../ui/Bits";
import { Button } from "../ui/Button";
import { FormDialog } from "../ui/Form";
import { AddPasskey } from "./AddPasskey";
import { ConfirmPasskey } from "./ConfirmPasskey";
import { passkeyProblem } from "./ceremony";
import { Fingerprint } from "./Fingerprint";
import { type Passkey, passkeys } from "./queries";
import { isLive, isUsable, isWaiting, mayConfirm } from "./state";

export function Passkeys() {
  const query = useQuery(passkeys);
  const now = useNow();
  const viewer = useQuery(me).data;
  const self = viewer?.user;
  const isOwner = useMay("owner") === true;
  const [isAdding, setAdding] = useState(false);
  const [confirming, setConfirming] = useState<Passkey | null>(null);
  const [removing, setRemoving] = useState<Passkey | null>(null);
  const problem = passkeyProblem();
  const live = { ...query, data: query.data?.filter(isLive) } as typeof query;
  const removed = query.data?.filter((passkey) => !isLive(passkey)) ?? [];
  const isOwnWaiting = live.data?.some((passkey) => passkey.user === self && isWaiting(passkey)) === true;
  const isLastUsable = (passkey: Passkey) =>
    isUsable(passkey) && live.data?.every((each) => each.id === passkey.id || !isUsable(each)) === true;
  return (
    <>
      <Heading
        title="Passkeys"
        about={
          <>
            People sign approvals with a passkey on their own device, by fingerprint, face or PIN. The signature is part
            of the receipt. {isOwner ? "Owners can remove any passkey." : "Only owners can remove passkeys."}
          </>
        }
      >
        <Button variant="primary" disabled={problem !== null} onClick={() => setAdding(true)}>
          Add a passkey
        </Button>
      </Heading>
      {problem !== null && <ProblemCard error={problem} />}
      {isOwnWaiting && <WaitingNotice />}
      <Rows name="Passkeys" query={live} none="No passkeys yet.">
        {(passkey) => (
          <Row
            key={passkey.id}
            title={
              <>
                <Line text={passkey.name} />
                {passkey.user === self && <Badge>you</Badge>}
                {isWaiting(passkey) && <Badge tone="warn">waits for another approver</Badge>}
              </>
            }
            about={
              <>
                <Person id={passkey.user} /> · <Fingerprint of={passkey} /> · {used(passkey, now)}
                {passkey.confirmed_by != null && (
                  <>
                    {" "}
                    · confirmed by <Person id={passkey.confirmed_by} />
                  </>
                )}
              </>
            }
          >
            {viewer !== undefined && mayConfirm(passkey, viewer) && (
              <Button onClick={() => setConfirming(passkey)} aria-label={`Confirm ${plain(passkey.name)}`}>
                Confirm
              </Button>
            )}
            {isOwner && (
              <Button variant="bad" onClick={() => setRemoving(passkey)} aria-label={`Remove ${plain(passkey.name)}`}>
                Remove
              </Button>
            )}
          </Row>
        )}
      </Rows>
      {removed.length > 0 && (
        <details>
          <summary className="eyebrow cursor-pointer py-1">{removed.length} removed</summary>
          <ul className="mt-2 space-y-1 text-soft">
            {removed.map((passkey) => (
              <li key={passkey.id}>
                <Line text={passkey.name} />{" "}
                <span className="text-xs text-faint">
                  <Person id={passkey.user} /> · <Fingerprint of={passkey} /> · removed on{" "}
                  {moment(passkey.removed_at ?? "")}
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
      {isAdding && <AddPasskey onClose={() => setAdding(false)} />}
      {confirming !== null && <ConfirmPasskey passkey={confirming} onClose={() => setConfirming(null)} />}
      {removing !== null && (
        <RemovePasskey passkey={removing} isLast={isLastUsable(removing)} onClose={() => setRemoving(null)} />
      )}
    </>
  );
}

function used({ created_at, last_used_at }: Passkey, now: number): string {
  return `created ${ago(created_at, now)} · ${last_used_at == null ? "never used" : `used ${ago(last_used_at, now)}`}`;
}

/** Tells the owner of a passkey what to do. */
function WaitingNotice() {
  return (
    <div role="status" className="space-y-1 rounded-xl bg-warn-wash px-4 py-3 text-warn">
      <p className="font-semibold">Your passkey waits for another approver</p>
      <p>
        Until then it signs nothing. Ask another admin or owner to open this page and confirm it. They ask you whether
        you added it, and can compare its fingerprint with yours.
      </p>
    </div>
  );
}

function RemovePasskey({ passkey, isLast, onClose }: { passkey: Passkey; isLast: boolean; onClose: () => void }) {
  const isNeeded = useQuery(org).data?.approval_passkey === true;
  const send = useMutation({
    mutationFn: () => take(api.DELETE("/v1/passkeys/{passkey}", { params: { path: { passkey: passkey.id } } })),
    onSuccess: async () => {
      await changed("passkeys");
      notify(
        "good",
        "Removed",
        <>
          <Line text={passkey.name} /> can no longer sign.
        </>,
      );
      onClose();
    },
  });
  return (
    <FormDialog
      title="Remove this passkey?"
      description={
        <>
          <Line text={passkey.name} />, <Person id={passkey.user} />
        </>
      }
      submitLabel="Remove"
      look="bad"
      isBusy={send.isPending}
      error={send.error}
      onClose={onClose}
      onSubmit={() => send.mutate()}
    >
      <p>The passkey can no longer sign. Earlier signatures stay valid and verifiable.</p>
      {isLast && isNeeded && (
        <p role="alert" className="rounded-lg bg-warn-wash px-3 py-2 text-warn">
          This is the last passkey, and approvals of R3 and R4 actions must be signed. Without it nobody can approve
          them.
        </p>
      )}
    </FormDialog>
  );
}
