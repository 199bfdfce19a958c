// Creates a token for oneself or a service account, and shows it once.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, take } from "../api/client";
import { changed } from "../settings/queries";
import { plain } from "../text/visible";
import { Field, FormDialog } from "../ui/Form";
import { SecretDialog } from "../ui/SecretDialog";
import { FreshSignIn, needsFreshSignIn } from "./FreshSignIn";
import { DEFAULT_LIFETIME_S, LIFETIMES } from "./lifetimes";
import type { Member } from "./queries";

export function CreateToken({ account, onClose }: { account?: Member; onClose: () => void }) {
  const [name, setName] = useState("");
  const [lifetime_s, setLifetime] = useState(DEFAULT_LIFETIME_S);
  const send = useMutation({
    mutationFn: () => {
      const body = { name: name.trim(), lifetime_s };
      return account === undefined
        ? take(api.POST("/v1/tokens", { body }))
        : take(api.POST("/v1/members/{user}/tokens", { params: { path: { user: account.user } }, body }));
    },
    onSuccess: () => changed("tokens"),
  });
  if (send.data !== undefined) {
    const whose = account === undefined ? "you" : plain(account.name);
    return (
      <SecretDialog
        title="New token"
        about={`The token is shown only once. Anyone who has it can act as ${whose}.`}
        value={send.data.token}
        onClose={onClose}
      />
    );
  }
  if (needsFreshSignIn(send.error)) return <FreshSignIn onConfirmed={() => send.mutate()} onClose={onClose} />;
  return (
    <FormDialog
      title={account === undefined ? "Create a token" : `Create a token for ${plain(account.name)}`}
      submitLabel="Create token"
      isBusy={send.isPending}
      error={send.error}
      onClose={onClose}
      onSubmit={() => send.mutate()}
    >
      <Field name="Name" hint="What the token is for.">
        <input
          className="input"
          value={name}
          onChange={(event) => setName(event.target.value)}
          placeholder={account === undefined ? "laptop, CLI, …" : "production, staging, …"}
          required
          maxLength={100}
          autoFocus
        />
      </Field>
      <Field name="Expires after">
        <select className="input" value={lifetime_s} onChange={(event) => setLifetime(Number(event.target.value))}>
          {LIFETIMES.map(([label, seconds]) => (
            <option key={seconds} value={seconds}>
              {label}
            </option>
          ))}
        </select>
      </Field>
    </FormDialog>
  );
}
