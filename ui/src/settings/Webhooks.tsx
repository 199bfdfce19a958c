// Webhooks: status, test, secret rotation and deliveries.
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, take } from "../api/client";
import { notify } from "../frame/toasts";
import { useNow } from "../text/now";
import { span } from "../text/time";
import { Line } from "../text/Visible";
import { Badge } from "../ui/Bits";
import { Button } from "../ui/Button";
import { FormDialog } from "../ui/Form";
import { SecretDialog } from "../ui/SecretDialog";
import { Deliveries } from "./Deliveries";
import { EditWebhook } from "./EditWebhook";
import { changed, type Webhook, webhooks } from "./queries";
import { Heading, Row, Rows } from "./Rows";

type Open =
  | { kind: "add" }
  | { kind: "change" | "rotate" | "remove"; webhook: Webhook }
  | { kind: "secret"; secret: string };

export function Webhooks() {
  const query = useQuery(webhooks);
  const [open, setOpen] = useState<Open | null>(null);
  const [shown, setShown] = useState<string | null>(null);
  const close = () => setOpen(null);
  const onSecret = (secret: string) => setOpen({ kind: "secret", secret });
  return (
    <>
      <Heading
        title="Webhooks"
        about="Sends signed events to URLs (Standard Webhooks). Failed deliveries are retried for about three days."
      >
        <Button variant="primary" onClick={() => setOpen({ kind: "add" })}>
          Add a webhook
        </Button>
      </Heading>
      <Rows
        name="Webhooks"
        query={query}
        none={
          <>
            No webhooks. Add a URL, or use <code className="font-mono text-xs">countersign webhooks add URL</code>.
          </>
        }
      >
        {(webhook) => (
          <WebhookCard
            key={webhook.id}
            webhook={webhook}
            isOpen={shown === webhook.id}
            onToggle={() => setShown(shown === webhook.id ? null : webhook.id)}
            onOpen={setOpen}
          />
        )}
      </Rows>
      {open?.kind === "add" && <EditWebhook onClose={close} onSecret={onSecret} />}
      {open?.kind === "change" && <EditWebhook webhook={open.webhook} onClose={close} onSecret={onSecret} />}
      {open?.kind === "rotate" && <RotateSecret webhook={open.webhook} onClose={close} onSecret={onSecret} />}
      {open?.kind === "remove" && <DeleteWebhook webhook={open.webhook} onClose={close} />}
      {open?.kind === "secret" && (
        <SecretDialog
          title="Webhook secret"
          about="The secret is shown only once. The receiver verifies signatures with it."
          value={open.secret}
          onClose={close}
        />
      )}
    </>
  );
}

function WebhookCard({
  webhook,
  isOpen,
  onToggle,
  onOpen,
}: {
  webhook: Webhook;
  isOpen: boolean;
  onToggle: () => void;
  onOpen: (open: Open) => void;
}) {
  const now = useNow();
  const path = { webhook: webhook.id };
  const test = useMutation({
    mutationFn: () => take(api.POST("/v1/webhooks/{webhook}/test", { params: { path } })),
    onSuccess: async () => {
      await changed("deliveries");
      if (!isOpen) onToggle();
    },
    onError: (error) => notify("warn", "Test failed", <Line text={error.message} />),
  });
  const turn = useMutation({
    mutationFn: () =>
      take(api.PATCH("/v1/webhooks/{webhook}", { params: { path }, body: { enabled: !webhook.enabled } })),
    onSuccess: () => changed("webhooks"),
    onError: (error) => notify("warn", "Request failed", <Line text={error.message} />),
  });
  const types = webhook.types.length === 0 ? "all events" : webhook.types.join(", ");
  return (
    <>
      <Row
        about={
          <>
            <Line text={types} />
            {webhook.filter != null && ", filtered"}
            {webhook.disabled_reason != null && (
              <>
                {" "}
                · <Line text={webhook.disabled_reason} />
              </>
            )}
          </>
        }
        title={
          <>
            <Line text={webhook.url} />
            <State webhook={webhook} />
            {webhook.failing_since != null && (
              <span className="text-xs font-normal text-bad">
                for {span((now - Date.parse(webhook.failing_since)) / 1_000)}
              </span>
            )}
          </>
        }
      >
        <Button onClick={() => test.mutate()} disabled={test.isPending || !webhook.enabled}>
          Test
        </Button>
        <Button onClick={onToggle} aria-expanded={isOpen}>
          Deliveries
        </Button>
        <Button onClick={() => onOpen({ kind: "change", webhook })}>Edit</Button>
        <Button onClick={() => turn.mutate()} disabled={turn.isPending}>
          {webhook.enabled ? "Disable" : "Enable"}
        </Button>
        <Button onClick={() => onOpen({ kind: "rotate", webhook })}>Rotate secret</Button>
        <Button variant="bad" onClick={() => onOpen({ kind: "remove", webhook })}>
          {" "}
          Delete webhook{" "}
        </Button>
      </Row>
      {isOpen && (
        <li className="bg-page px-4 py-3">
          <Deliveries webhook={webhook.id} />
        </li>
      )}
    </>
  );
}

function State({ webhook }: { webhook: Webhook }) {
  if (!webhook.enabled) return <Badge>disabled</Badge>;
  return webhook.failing_since == null ? <Badge tone="good">enabled</Badge> : <Badge tone="bad">failing</Badge>;
}

function RotateSecret({
  webhook,
  onClose,
  onSecret,
}: {
  webhook: Webhook;
  onClose: () => void;
  onSecret: (secret: string) => void;
}) {
  const send = useMutation({
    mutationFn: () => take(api.POST("/v1/webhooks/{webhook}/rotate", { params: { path: { webhook: webhook.id } } })),
    onSuccess: async (rotated) => {
      await changed("webhooks");
      onSecret(rotated.secret);
    },
  });
  return (
    <FormDialog
      title="Rotate the secret?"
      description={<Line text={webhook.url} />}
      submitLabel="Rotate secret"
      isBusy={send.isPending}
      error={send.error}
      onClose={onClose}
      onSubmit={() => send.mutate()}
    >
      <p>
        The old secret keeps signing for one day, so that the receiver can switch. After that only the new secret signs.
      </p>
    </FormDialog>
  );
}

function DeleteWebhook({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const send = useMutation({
    mutationFn: () => take(api.DELETE("/v1/webhooks/{webhook}", { params: { path: { webhook: webhook.id } } })),
    onSuccess: async () => {
      await changed("webhooks");
      notify(
        "good",
        "Deleted",
        <>
          No more events to <Line text={webhook.url} />.
        </>,
      );
      onClose();
    },
  });
  return (
    <FormDialog
      title="Delete this webhook?"
      description={<Line text={webhook.url} />}
      submitLabel="Delete webhook"
      look="bad"
      isBusy={send.isPending}
      error={send.error}
      onClose={onClose}
      onSubmit={() => send.mutate()}
    >
      <p>Pending deliveries are dropped and the delivery history is deleted.</p>
    </FormDialog>
  );
}
