// The form of a webhook.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, take } from "../api/client";
import { notify } from "../frame/toasts";
import { Line } from "../text/Visible";
import { Field, FormDialog } from "../ui/Form";
import { changed, type Webhook } from "./queries";

interface Props {
  webhook?: Webhook;
  onClose: () => void;
  onSecret: (secret: string) => void;
}

export function EditWebhook({ webhook, onClose, onSecret }: Props) {
  const [url, setUrl] = useState(webhook?.url ?? "");
  const [types, setTypes] = useState(webhook?.types.join(", ") ?? "");
  const [filter, setFilter] = useState(webhook?.filter == null ? "" : JSON.stringify(webhook.filter, null, 2));
  const [fieldError, setFieldError] = useState<string | null>(null);
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
      notify(
        "good",
        "Saved",
        <>
          Events are sent to <Line text={url} />.
        </>,
      );
      onClose();
    },
  });
  const submit = () => {
    setFieldError(null);
    if (filter.trim() === "") return send.mutate(null);
    try {
      send.mutate(JSON.parse(filter) as Record<string, never>);
    } catch {
      setFieldError("The filter is not valid JSON.");
    }
  };
  return (
    <FormDialog
      title={webhook === undefined ? "Add a webhook" : "Edit webhook"}
      submitLabel={webhook === undefined ? "Add" : "Save"}
      isBusy={send.isPending}
      error={send.error}
      onClose={onClose}
      onSubmit={submit}
    >
      <Field name="URL" hint="Must use https and answer 2xx within 15 seconds.">
        <input
          className="input"
          type="url"
          value={url}
          onChange={(event) => setUrl(event.target.value)}
          placeholder="https://hooks.example.com/countersign"
          required
          autoFocus
        />
      </Field>
      <Field
        name="Event types"
        hint={
          <>
            Comma-separated, such as <code>action.executed</code> or <code>action.*</code>. Empty means all events.
          </>
        }
      >
        <input
          className="input font-mono"
          value={types}
          onChange={(event) => setTypes(event.target.value)}
          spellCheck={false}
        />
      </Field>
      <Field name="Filter (optional)" hint="JSON filter that an event must match.">
        <textarea
          className="input min-h-16 font-mono"
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
          spellCheck={false}
        />
      </Field>
      {fieldError !== null && (
        <p role="alert" className="text-bad">
          {fieldError}
        </p>
      )}
    </FormDialog>
  );
}
