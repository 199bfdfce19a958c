// Adds a passkey, confirmed by an existing one if there is any.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, type Schemas, take } from "../api/client";
import { me, queries } from "../api/queries";
import { notify } from "../frame/toasts";
import { changed } from "../settings/queries";
import { Line } from "../text/Visible";
import { Field, FormDialog } from "../ui/Form";
import { createPasskey, type NewPasskey, signWith } from "./ceremony";
import { useOwnPasskeys } from "./queries";
import { isWaiting } from "./state";
import { passkeyChallenge } from "./statement";
import { useAbortOnUnmount } from "./useAbortOnUnmount";

type Request = Schemas["PasskeyRequest"];

/** A new passkey and the existing ones that can confirm it. */
interface Unconfirmed {
  passkey: NewPasskey;
  challenge: string;
  older: string[];
}

export function AddPasskey({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState("");
  const [unconfirmed, setUnconfirmed] = useState<Unconfirmed | null>(null);
  const end = useAbortOnUnmount();
  const hasOne = useOwnPasskeys() === "usable";

  const save = async (
    { passkey: { client_data, authenticator_data }, challenge }: Unconfirmed,
    confirmed_by?: Request["confirmed_by"],
  ) => {
    const body: Request = {
      name: name.trim(),
      challenge,
      client_data,
      authenticator_data,
      ...(confirmed_by != null && { confirmed_by }),
    };
    const saved = await take(api.POST("/v1/passkeys", { body }));
    await changed("passkeys");
    if (isWaiting(saved)) notify("wait", "Added, not active yet", "Ask another admin or owner to confirm it.");
    else
      notify(
        "good",
        "Added",
        <>
          You can now sign with <Line text={saved.name} />.
        </>,
      );
    onClose();
  };
  const make = useMutation({
    mutationFn: async () => {
      const offer = await take(api.POST("/v1/passkeys/registration"));
      const next = { passkey: await createPasskey(offer, end()), challenge: offer.challenge, older: offer.exclude };
      // The second device prompt needs a click of its own, so that nobody wonders why it appears.
      if (offer.confirm) setUnconfirmed(next);
      else await save(next);
    },
  });
  const confirm = useMutation({
    mutationFn: async (unconfirmed: Unconfirmed) => {
      const { org, user } = await queries.fetchQuery(me);
      const { credential, public_key } = unconfirmed.passkey;
      await save(
        unconfirmed,
        await signWith(
          unconfirmed.older,
          await passkeyChallenge({ org, user: user ?? "", credential, public_key }),
          end(),
        ),
      );
    },
  });

  if (unconfirmed !== null) {
    return (
      <FormDialog
        title="Confirm with an existing passkey"
        description={<Line text={name} />}
        submitLabel="Confirm"
        isBusy={confirm.isPending}
        error={confirm.error}
        onClose={onClose}
        onSubmit={() => confirm.mutate(unconfirmed)}
      >
        <p>
          The new passkey is created but not active yet. Confirm it with one of your existing passkeys. That passkey can
          be on another device.
        </p>
        <p className="text-soft">
          This stops someone with a stolen token from adding a passkey. If you lost all your passkeys, ask an owner to
          remove them.
        </p>
      </FormDialog>
    );
  }
  return (
    <FormDialog
      title="Add a passkey"
      submitLabel="Create passkey"
      isBusy={make.isPending}
      error={make.error}
      onClose={onClose}
      onSubmit={() => make.mutate()}
    >
      <p>Your device creates the passkey and keeps the private key. It asks for your fingerprint, face or PIN.</p>
      {hasOne && (
        <p className="rounded-lg bg-sunk px-3 py-2 text-soft">
          You already have a passkey, so your device asks twice: once to create the new one and once to confirm with an
          existing one.
        </p>
      )}
      <Field name="Name" hint="Helps you tell your passkeys apart.">
        <input
          className="input"
          value={name}
          onChange={(event) => setName(event.target.value)}
          placeholder="laptop, phone, security key"
          required
          maxLength={60}
          autoFocus
        />
      </Field>
    </FormDialog>
  );
}
