// Addresses that events are sent to: how each stands, a test, a new secret, and what became of what was sent.
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, take } from "../api/client";
import { notify } from "../frame/notices";
import { useNow } from "../text/now";
import { span } from "../text/time";
import { Line } from "../text/Visible";
import { Badge } from "../ui/Bits";
import { Button } from "../ui/Button";
import { FormDialog } from "../ui/Form";
import { Once } from "../ui/Once";
import { Deliveries } from "./Deliveries";
import { changed, type Webhook, webhooks } from "./queries";
import { Heading, Row, Rows } from "./Rows";
import { WriteWebhook } from "./WriteWebhook";

type Open = { kind: "add" } | { kind: "change" | "rotate" | "remove"; webhook: Webhook } | { kind: "secret"; secret: string };

export function Webhooks() {
  const query = useQuery(webhooks);
  const [open, setOpen] = useState<Open | null>(null);
  const [shown, setShown] = useState<string | null>(null);
  const close = () => setOpen(null);
  const onSecret = (secret: string) => setOpen({ kind: "secret", secret });
  return (
    <>
      <Heading title="Webhooks" about="Events of the org are sent to these addresses, signed as Standard Webhooks. What does not arrive is tried again for about three days.">
        <Button look="primary" onClick={() => setOpen({ kind: "add" })}>Add a webhook</Button>
      </Heading>
      <Rows name="Webhooks" query={query} none={<>Nothing is sent anywhere. Add an address of yours, or use <code className="font-mono text-xs">countersign webhooks add URL</code>.</>}>
        {(webhook) => <One key={webhook.id} webhook={webhook} isOpen={shown === webhook.id} onToggle={() => setShown(shown === webhook.id ? null : webhook.id)} onOpen={setOpen} />}
      </Rows>
      {open?.kind === "add" && <WriteWebhook onClose={close} onSecret={onSecret} />}
      {open?.kind === "change" && <WriteWebhook webhook={open.webhook} onClose={close} onSecret={onSecret} />}
      {open?.kind === "rotate" && <Rotate webhook={open.webhook} onClose={close} onSecret={onSecret} />}
      {open?.kind === "remove" && <Remove webhook={open.webhook} onClose={close} />}
      {open?.kind === "secret" && <Once title="The webhook's secret" about="It is shown this once. The receiver verifies signatures with it." value={open.secret} onClose={close} />}
    </>
  );
}

function One({ webhook, isOpen, onToggle, onOpen }: { webhook: Webhook; isOpen: boolean; onToggle: () => void; onOpen: (open: Open) => void }) {
  const now = useNow();
  const path = { webhook: webhook.id };
  const test = useMutation({
    mutationFn: () => take(api.POST("/v1/webhooks/{webhook}/test", { params: { path } })),
    onSuccess: async () => {
      await changed("deliveries");
      if (!isOpen) onToggle();
    },
    onError: (error) => notify("warn", "It was not sent", <Line text={error.message} />),
  });
  const turn = useMutation({
    mutationFn: () => take(api.PATCH("/v1/webhooks/{webhook}", { params: { path }, body: { enabled: !webhook.enabled } })),
    onSuccess: () => changed("webhooks"),
    onError: (error) => notify("warn", "It was refused", <Line text={error.message} />),
  });
  const types = webhook.types.length === 0 ? "every event" : webhook.types.join(", ");
  return (
    <>
      <Row about={<><Line text={types} />{webhook.filter != null && " that meet its filter"}{webhook.disabled_reason != null && <> · <Line text={webhook.disabled_reason} /></>}</>}
        title={<><Line text={webhook.url} /><State webhook={webhook} />{webhook.failing_since != null && <span className="text-xs font-normal text-bad">for {span((now - Date.parse(webhook.failing_since)) / 1_000)}</span>}</>}>
        <Button onClick={() => test.mutate()} disabled={test.isPending || !webhook.enabled}>Test</Button>
        <Button onClick={onToggle} aria-expanded={isOpen}>Deliveries</Button>
        <Button onClick={() => onOpen({ kind: "change", webhook })}>Change</Button>
        <Button onClick={() => turn.mutate()} disabled={turn.isPending}>{webhook.enabled ? "Disable" : "Enable"}</Button>
        <Button onClick={() => onOpen({ kind: "rotate", webhook })}>New secret</Button>
        <Button look="bad" onClick={() => onOpen({ kind: "remove", webhook })}>Remove</Button>
      </Row>
      {isOpen && <li className="bg-page px-4 py-3"><Deliveries webhook={webhook.id} /></li>}
    </>
  );
}

function State({ webhook }: { webhook: Webhook }) {
  if (!webhook.enabled) return <Badge>disabled</Badge>;
  return webhook.failing_since == null ? <Badge tone="good">enabled</Badge> : <Badge tone="bad">failing</Badge>;
}

function Rotate({ webhook, onClose, onSecret }: { webhook: Webhook; onClose: () => void; onSecret: (secret: string) => void }) {
  const send = useMutation({
    mutationFn: () => take(api.POST("/v1/webhooks/{webhook}/rotate", { params: { path: { webhook: webhook.id } } })),
    onSuccess: async (made) => {
      await changed("webhooks");
      onSecret(made.secret);
    },
  });
  return (
    <FormDialog title="Make a new secret?" about={<Line text={webhook.url} />} does="Make it" isBusy={send.isPending} error={send.error} onClose={onClose} onSubmit={() => send.mutate()}>
      <p>For a day the secret before it signs as well, so that the receiver can change over. After that it signs nothing.</p>
    </FormDialog>
  );
}

function Remove({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const send = useMutation({
    mutationFn: () => take(api.DELETE("/v1/webhooks/{webhook}", { params: { path: { webhook: webhook.id } } })),
    onSuccess: async () => {
      await changed("webhooks");
      notify("good", "Removed", <>Nothing is sent to <Line text={webhook.url} /> any more.</>);
      onClose();
    },
  });
  return (
    <FormDialog title="Remove this webhook?" about={<Line text={webhook.url} />} does="Remove" look="bad" isBusy={send.isPending} error={send.error} onClose={onClose} onSubmit={() => send.mutate()}>
      <p>What is on its way there is given up, and its deliveries are forgotten.</p>
    </FormDialog>
  );
}
