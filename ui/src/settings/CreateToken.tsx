// Creates a token for oneself or a member, and shows it once.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, take } from "../api/client";
import { plain } from "../text/visible";
import { Field, FormDialog } from "../ui/Form";
import { SecretDialog } from "../ui/SecretDialog";
import { changed, type Member } from "./queries";

const DAY_S = 86_400;
const LIFETIMES: readonly [string, number | null][] = [
  ["30 days", 30 * DAY_S],
  ["90 days", 90 * DAY_S],
  ["1 year", 365 * DAY_S],
  ["never", null],
];

export function CreateToken({ member, onClose }: { member?: Member; onClose: () => void }) {
  const [name, setName] = useState("");
  const [choice, setChoice] = useState(1);
  const lifetime_s = LIFETIMES[choice]?.[1] ?? null;
  const send = useMutation({
    mutationFn: () => {
      const body = { name: name.trim(), lifetime_s };
      return member === undefined
        ? take(api.POST("/v1/tokens", { body }))
        : take(api.POST("/v1/members/{user}/tokens", { params: { path: { user: member.user } }, body }));
    },
    onSuccess: () => changed("tokens"),
  });
  if (send.data !== undefined) {
    const about =
      member === undefined
        ? "The token is shown only once. Anyone who has it can act as you."
        : `The token is shown only once. Send it to ${plain(member.name)} securely: anyone who has it can act as them.`;
    return <SecretDialog title="New token" about={about} value={send.data.token} onClose={onClose} />;
  }
  const title = member === undefined ? "Create a token" : `Create a token for ${plain(member.name)}`;
  return (
    <FormDialog
      title={title}
      submitLabel="Create token"
      isBusy={send.isPending}
      error={send.error}
      onClose={onClose}
      onSubmit={() => send.mutate()}
    >
      <Field name="Name">
        <input
          className="input"
          value={name}
          onChange={(event) => setName(event.target.value)}
          placeholder="laptop, CI, …"
          required
          maxLength={200}
          autoFocus
        />
      </Field>
      <Field name="Expires after" hint={lifetime_s === null ? "The token works until someone revokes it." : undefined}>
        <select className="input" value={choice} onChange={(event) => setChoice(Number(event.target.value))}>
          {LIFETIMES.map(([label], index) => (
            <option key={label} value={index}>
              {label}
            </option>
          ))}
        </select>
      </Field>
    </FormDialog>
  );
}
