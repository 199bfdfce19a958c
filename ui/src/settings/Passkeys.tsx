// Passkeys: what people sign their yes with. Everybody adds their own; owners take them out of use.
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, take } from "../api/client";
import { me, org } from "../api/queries";
import { useMay } from "../api/who";
import { notify } from "../frame/notices";
import { hindrance } from "../passkeys/ceremony";
import { type Passkey, passkeys } from "../passkeys/queries";
import { useNow } from "../text/now";
import { ago, moment } from "../text/time";
import { plain } from "../text/visible";
import { Line } from "../text/Visible";
import { Badge, ProblemCard } from "../ui/Bits";
import { Button } from "../ui/Button";
import { FormDialog } from "../ui/Form";
import { AddPasskey } from "./AddPasskey";
import { Person } from "./People";
import { changed } from "./queries";
import { Heading, Row, Rows } from "./Rows";

export function Passkeys() {
  const query = useQuery(passkeys);
  const now = useNow();
  const self = useQuery(me).data?.user;
  const isOwner = useMay("owner") === true;
  const [isAdding, setAdding] = useState(false);
  const [gone, setGone] = useState<Passkey | null>(null);
  const hindered = hindrance();
  const live = { ...query, data: query.data?.filter((passkey) => passkey.removed_at == null) } as typeof query;
  const removed = query.data?.filter((passkey) => passkey.removed_at != null) ?? [];
  return (
    <>
      <Heading title="Passkeys" about={<>With a passkey a person signs their yes on their own device: by fingerprint, face or PIN. The signature stands in the receipt, and anybody can check it. {isOwner ? "You add your own, and can remove anybody's." : "You add your own; owners remove them."}</>}>
        <Button look="primary" disabled={hindered !== null} onClick={() => setAdding(true)}>Add a passkey</Button>
      </Heading>
      {hindered !== null && <ProblemCard error={hindered} />}
      <Rows name="Passkeys" query={live} none="Nobody has a passkey yet.">
        {(passkey) => (
          <Row key={passkey.id} title={<><Line text={passkey.name} />{passkey.user === self && <Badge>you</Badge>}</>}
            about={<><Person id={passkey.user} /> · <Fingerprint of={passkey} /> · added {ago(passkey.created_at, now)} · {passkey.last_used_at == null ? "never used" : `used ${ago(passkey.last_used_at, now)}`}</>}>
            {isOwner && <Button look="bad" onClick={() => setGone(passkey)} aria-label={`Remove ${plain(passkey.name)}`}>Remove</Button>}
          </Row>
        )}
      </Rows>
      {removed.length > 0 && (
        <details>
          <summary className="eyebrow cursor-pointer py-1">{removed.length} that {removed.length === 1 ? "was" : "were"} removed</summary>
          <ul className="mt-2 space-y-1 text-soft">
            {removed.map((passkey) => <li key={passkey.id}><Line text={passkey.name} /> <span className="text-xs text-faint"><Person id={passkey.user} /> · <Fingerprint of={passkey} /> · removed on {moment(passkey.removed_at ?? "")}</span></li>)}
          </ul>
        </details>
      )}
      {isAdding && <AddPasskey onClose={() => setAdding(false)} />}
      {gone !== null && <Remove passkey={gone} isLast={live.data?.length === 1} onClose={() => setGone(null)} />}
    </>
  );
}

/** Its beginning tells passkeys apart; all of it is in the title. */
function Fingerprint({ of }: { of: Passkey }) {
  return <code className="font-mono" title={of.fingerprint}>{of.fingerprint.slice("sha256:".length).slice(0, 16)}</code>;
}

function Remove({ passkey, isLast, onClose }: { passkey: Passkey; isLast: boolean; onClose: () => void }) {
  const isNeeded = useQuery(org).data?.approval_passkey === true;
  const send = useMutation({
    mutationFn: () => take(api.DELETE("/v1/passkeys/{passkey}", { params: { path: { passkey: passkey.id } } })),
    onSuccess: async () => {
      await changed("passkeys");
      notify("good", "Removed", <><Line text={passkey.name} /> signs nothing any more.</>);
      onClose();
    },
  });
  return (
    <FormDialog title="Remove this passkey?" about={<><Line text={passkey.name} />, of <Person id={passkey.user} /></>} does="Remove" look="bad" isBusy={send.isPending} error={send.error} onClose={onClose} onSubmit={() => send.mutate()}>
      <p>Nothing can be signed with it from now on. What it signed before stays signed, and its receipts can still be verified.</p>
      {isLast && isNeeded && <p role="alert" className="rounded-lg bg-warn-wash px-3 py-2 text-warn">It is the last one, and this org wants a yes to what is hard to undo signed. Without it nobody can approve such a thing.</p>}
    </FormDialog>
  );
}
