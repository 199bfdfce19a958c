// Adds a passkey of one's own: name it, make it on the device, and where one has another already confirm it with that one.
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, type Schemas, take } from "../api/client";
import { me, queries } from "../api/queries";
import { notify } from "../frame/notices";
import { type Made, makePasskey, signWith } from "../passkeys/ceremony";
import { passkeys } from "../passkeys/queries";
import { passkeyChallenge } from "../passkeys/statement";
import { useEnd } from "../passkeys/useEnd";
import { Line } from "../text/Visible";
import { Field, FormDialog } from "../ui/Form";
import { changed } from "./queries";

type Request = Schemas["PasskeyRequest"];

/** What the device made, and which older passkeys may confirm it. */
interface Unconfirmed {
  made: Made;
  challenge: string;
  older: string[];
}

export function AddPasskey({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState("");
  const [unconfirmed, setUnconfirmed] = useState<Unconfirmed | null>(null);
  const end = useEnd();
  const self = useQuery(me).data?.user;
  const hasOne = useQuery(passkeys).data?.some((each) => each.user === self && each.removed_at == null) === true;

  const keep = async ({ made: { client_data, authenticator_data }, challenge }: Unconfirmed, confirmed_by?: Request["confirmed_by"]) => {
    const body: Request = { name: name.trim(), challenge, client_data, authenticator_data, ...(confirmed_by != null && { confirmed_by }) };
    const kept = await take(api.POST("/v1/passkeys", { body }));
    await changed("passkeys");
    notify("good", "Added", <>You can sign with <Line text={kept.name} /> from now on.</>);
    onClose();
  };
  const make = useMutation({
    mutationFn: async () => {
      const offer = await take(api.POST("/v1/passkeys/registration"));
      const next = { made: await makePasskey(offer, end()), challenge: offer.challenge, older: offer.exclude };
      // A second question of the device comes after a click of its own: nobody should wonder why it asks again.
      if (offer.confirm) setUnconfirmed(next);
      else await keep(next);
    },
  });
  const confirm = useMutation({
    mutationFn: async (given: Unconfirmed) => {
      const { org, user } = await queries.fetchQuery(me);
      const { credential, public_key } = given.made;
      await keep(given, await signWith(given.older, await passkeyChallenge({ org, user: user ?? "", credential, public_key }), end()));
    },
  });

  if (unconfirmed !== null) {
    return (
      <FormDialog title="Confirm it with a passkey you had before" about={<Line text={name} />} does="Confirm" isBusy={confirm.isPending} error={confirm.error} onClose={onClose} onSubmit={() => confirm.mutate(unconfirmed)}>
        <p>The new passkey is made, but not yet yours here. Sign it with one that you had before; it may be on another device, and your browser shows how to reach it.</p>
        <p className="text-soft">So nobody who got hold of your token can add a passkey of their own. If you have lost all others, an owner removes them first.</p>
      </FormDialog>
    );
  }
  return (
    <FormDialog title="Add a passkey" does="Make it" isBusy={make.isPending} error={make.error} onClose={onClose} onSubmit={() => make.mutate()}>
      <p>Your device makes it and keeps its secret; the gateway learns the public half. It asks for your fingerprint, your face or your PIN.</p>
      {hasOne && <p className="rounded-lg bg-sunk px-3 py-2 text-soft">You have one already, so your device asks twice: first to make the new one, and then to confirm it with one that you had before.</p>}
      <Field name="What to call it" hint="So that you know it among others.">
        <input className="input" value={name} onChange={(event) => setName(event.target.value)} placeholder="laptop, phone, the blue key …" required maxLength={60} autoFocus />
      </Field>
    </FormDialog>
  );
}
