// Passkeys. People add their own; owners remove them.
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, take } from "../api/client";
import { useMay } from "../api/permissions";
import { me, org } from "../api/queries";
import { notify } from "../frame/toasts";
import { passkeyProblem } from "../passkeys/ceremony";
import { type Passkey, passkeys } from "../passkeys/queries";
import { useNow } from "../text/now";
import { ago, moment } from "../text/time";
import { Line } from "../text/Visible";
import { plain } from "../text/visible";
import { Badge, ProblemCard } from "../ui/Bits";
import { Button } from "../ui/Button";
import { FormDialog } from "../ui/Form";
import { AddPasskey } from "./AddPasskey";
import { Person } from "./Person";
import { changed } from "./queries";
import { Heading, Row, Rows } from "./Rows";

export function Passkeys() {
  const query = useQuery(passkeys);
  const now = useNow();
  const self = useQuery(me).data?.user;
  const isOwner = useMay("owner") === true;
  const [isAdding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<Passkey | null>(null);
  const problem = passkeyProblem();
  const live = { ...query, data: query.data?.filter((passkey) => passkey.removed_at == null) } as typeof query;
  const removed = query.data?.filter((passkey) => passkey.removed_at != null) ?? [];
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
      <Rows name="Passkeys" query={live} none="No passkeys yet.">
        {(passkey) => (
          <Row
            key={passkey.id}
            title={
              <>
                <Line text={passkey.name} />
                {passkey.user === self && <Badge>you</Badge>}
              </>
            }
            about={
              <>
                <Person id={passkey.user} /> · <Fingerprint of={passkey} /> · {used(passkey, now)}
              </>
            }
          >
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
      {removing !== null && (
        <RemovePasskey passkey={removing} isLast={live.data?.length === 1} onClose={() => setRemoving(null)} />
      )}
    </>
  );
}

function used({ created_at, last_used_at }: Passkey, now: number): string {
  return `created ${ago(created_at, now)} · ${last_used_at == null ? "never used" : `used ${ago(last_used_at, now)}`}`;
}

/** Shortened; the title has the whole fingerprint. */
function Fingerprint({ of }: { of: Passkey }) {
  return (
    <code className="font-mono" title={of.fingerprint}>
      {of.fingerprint.slice("sha256:".length).slice(0, 16)}
    </code>
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
