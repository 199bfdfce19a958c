// The form of a webhook: where, which types, and a filter as JSON for whoever needs one.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, take } from "../api/client";
import { notify } from "../frame/notices";
import { Line } from "../text/Visible";
import { Field, FormDialog } from "../ui/Form";
import { changed, type Webhook } from "./queries";

interface Props {
  webhook?: Webhook;
  onClose: () => void;
  onSecret: (secret: string) => void;
}

export function WriteWebhook({ webhook, onClose, onSecret }: Props) {
  const [url, setUrl] = useState(webhook?.url ?? "");
  const [types, setTypes] = useState(webhook?.types.join(", ") ?? "");
  const [filter, setFilter] = useState(webhook?.filter == null ? "" : JSON.stringify(webhook.filter, null, 2));
  const [wrong, setWrong] = useState<string | null>(null);
  const send = useMutation({
    mutationFn: async (filter: Record<string, never> | null) => {
      const body = { url: url.trim(), types: types.split(/[\s,]+/).filter((type) => type !== ""), filter };
      if (webhook === undefined) return (await take(api.POST("/v1/webhooks", { body }))).secret;
      await take(api.PATCH("/v1/webhooks/{webhook}", { params: { path: { webhook: webhook.id } }, body }));
      return null;
    },
    onSuccess: async (secret) => {
      await changed("webhooks");
      if (secret !== null) return onSecret(secret);
      notify("good", "Changed", <>Events go to <Line text={url} />.</>);
      onClose();
    },
  });
  const submit = () => {
    setWrong(null);
    if (filter.trim() === "") return send.mutate(null);
    try {
      send.mutate(JSON.parse(filter) as Record<string, never>);
    } catch {
      setWrong("The filter is not JSON.");
    }
  };
  return (
    <FormDialog title={webhook === undefined ? "Add a webhook" : "Change a webhook"} does={webhook === undefined ? "Add" : "Keep"} isBusy={send.isPending} error={send.error} onClose={onClose} onSubmit={submit}>
      <Field name="Address" hint="https only. It must answer 2xx within 15 seconds."><input className="input" type="url" value={url} onChange={(event) => setUrl(event.target.value)} placeholder="https://hooks.example.com/countersign" required autoFocus /></Field>
      <Field name="Types" hint={<>Such as <code>action.executed</code> or <code>action.*</code>, with commas between. Without any, every event is sent.</>}><input className="input font-mono" value={types} onChange={(event) => setTypes(event.target.value)} spellCheck={false} /></Field>
      <Field name="Filter" hint="JSON that an event must also meet; none is needed."><textarea className="input min-h-16 font-mono" value={filter} onChange={(event) => setFilter(event.target.value)} spellCheck={false} /></Field>
      {wrong !== null && <p role="alert" className="text-bad">{wrong}</p>}
    </FormDialog>
  );
}
