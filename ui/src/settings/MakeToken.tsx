// Makes a token, for oneself or for a member, and shows it once.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, take } from "../api/client";
import { plain } from "../text/visible";
import { Field, FormDialog } from "../ui/Form";
import { Once } from "../ui/Once";
import { changed, type Member } from "./queries";

const DAY_S = 86_400;
const LIFETIMES: readonly [string, number | null][] = [["30 days", 30 * DAY_S], ["90 days", 90 * DAY_S], ["a year", 365 * DAY_S], ["without end", null]];

export function MakeToken({ member, onClose }: { member?: Member; onClose: () => void }) {
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
    const about = member === undefined ? "It is shown this once. Whoever has it speaks as you." : `It is shown this once. Hand it to ${plain(member.name)} in a safe way: whoever has it speaks as them.`;
    return <Once title="The new token" about={about} value={send.data.token} onClose={onClose} />;
  }
  const title = member === undefined ? "Make a token" : `Make a token for ${plain(member.name)}`;
  return (
    <FormDialog title={title} does="Make it" isBusy={send.isPending} error={send.error} onClose={onClose} onSubmit={() => send.mutate()}>
      <Field name="What it is for"><input className="input" value={name} onChange={(event) => setName(event.target.value)} placeholder="laptop, CI, …" required maxLength={200} autoFocus /></Field>
      <Field name="It ends after" hint={lifetime_s === null ? "A token without end works until somebody revokes it." : undefined}>
        <select className="input" value={choice} onChange={(event) => setChoice(Number(event.target.value))}>
          {LIFETIMES.map(([said], index) => <option key={said} value={index}>{said}</option>)}
        </select>
      </Field>
    </FormDialog>
  );
}
