// Slack channels and email addresses that are notified of pending approvals, and linked Slack users.
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, take } from "../api/client";
import { useMay } from "../api/permissions";
import { notify } from "../frame/toasts";
import { Line } from "../text/Visible";
import { plain } from "../text/visible";
import { Badge } from "../ui/Bits";
import { Button } from "../ui/Button";
import { Field, FormDialog } from "../ui/Form";
import { changed, type Notifier, notifiers, spaces } from "./queries";
import { Heading, Row, Rows } from "./Rows";
import { SlackPeople } from "./SlackPeople";

export function Notifications() {
  const query = useQuery(notifiers);
  const known = useQuery(spaces).data;
  const isOwner = useMay("owner") === true;
  const [isAdding, setAdding] = useState(false);
  const [deleting, setDeleting] = useState<Notifier | null>(null);
  const spaceOf = (notifier: Notifier) => {
    if (notifier.space == null) return "all spaces";
    const found = known?.find((space) => space.id === notifier.space);
    return (
      <>
        only <Line text={found?.name ?? notifier.space} />
      </>
    );
  };
  return (
    <>
      <Heading
        title="Notifications"
        about="Slack channels and email addresses notified of pending requests. They can be answered in Slack."
      >
        <Button variant="primary" onClick={() => setAdding(true)}>
          {" "}
          Add a notification{" "}
        </Button>
      </Heading>
      <Rows name="Notifiers" query={query} none="No notifications. Add a Slack channel or an email address.">
        {(notifier) => (
          <Row
            key={notifier.id}
            title={
              <>
                <Badge>{notifier.kind === "slack" ? "Slack" : "Email"}</Badge>
                <Line text={notifier.target} />
              </>
            }
            about={spaceOf(notifier)}
          >
            <TestButton notifier={notifier} />
            <Button variant="bad" onClick={() => setDeleting(notifier)} aria-label={`Delete ${plain(notifier.target)}`}>
              {" "}
              Delete{" "}
            </Button>
          </Row>
        )}
      </Rows>
      {isOwner && <SlackPeople />}
      {isAdding && <AddNotifier onClose={() => setAdding(false)} />}
      {deleting !== null && <DeleteNotifier notifier={deleting} onClose={() => setDeleting(null)} />}
    </>
  );
}

function TestButton({ notifier }: { notifier: Notifier }) {
  const send = useMutation({
    mutationFn: () => take(api.POST("/v1/notifiers/{notifier}/test", { params: { path: { notifier: notifier.id } } })),
  });
  return (
    <>
      <span
        role="status"
        className={`text-xs wrap-anywhere empty:absolute ${send.data?.delivered === true ? "text-good" : "text-bad"}`}
      >
        {send.data?.delivered === true && "delivered"}
        {send.data?.delivered === false && <Line text={`not delivered: ${send.data.error ?? "no reason given"}`} />}
        {send.error !== null && <Line text={send.error.message} />}
      </span>
      <Button
        disabled={send.isPending}
        onClick={() => send.mutate()}
        aria-label={`Send test to ${plain(notifier.target)}`}
      >
        {send.isPending ? "Sending …" : "Send test"}
      </Button>
    </>
  );
}

function AddNotifier({ onClose }: { onClose: () => void }) {
  const known = useQuery(spaces).data ?? [];
  const [kind, setKind] = useState<Notifier["kind"]>("slack");
  const [target, setTarget] = useState("");
  const [space, setSpace] = useState("");
  const send = useMutation({
    mutationFn: () =>
      take(api.POST("/v1/notifiers", { body: { kind, target: target.trim(), space: space === "" ? null : space } })),
    onSuccess: async (saved) => {
      await changed("notifiers");
      notify(
        "good",
        "Added",
        <>
          Notifications go to <Line text={saved.target} />. Send a test to check it.
        </>,
      );
      onClose();
    },
  });
  return (
    <FormDialog
      title="Add a notification"
      submitLabel="Add"
      isBusy={send.isPending}
      error={send.error}
      onClose={onClose}
      onSubmit={() => send.mutate()}
    >
      <Field name="Type">
        <select
          className="input"
          value={kind}
          onChange={(event) => setKind(event.target.value === "email" ? "email" : "slack")}
        >
          <option value="slack">Slack</option>
          <option value="email">Email</option>
        </select>
      </Field>
      <Field
        name={kind === "slack" ? "Channel ID" : "Email address"}
        hint={
          kind === "slack"
            ? "The last part of the channel URL. The Slack source must be connected and its bot invited."
            : "Emails describe the pending request. They cannot answer it."
        }
      >
        <input
          className="input"
          type={kind === "email" ? "email" : "text"}
          value={target}
          onChange={(event) => setTarget(event.target.value)}
          placeholder={kind === "slack" ? "C024BE91L" : "ops@example.com"}
          required
          autoFocus
        />
      </Field>
      <Field name="Space">
        <select className="input" value={space} onChange={(event) => setSpace(event.target.value)}>
          <option value="">All spaces</option>
          {known.map((each) => (
            <option key={each.id} value={each.id}>
              {plain(each.name)}
            </option>
          ))}
        </select>
      </Field>
    </FormDialog>
  );
}

function DeleteNotifier({ notifier, onClose }: { notifier: Notifier; onClose: () => void }) {
  const send = useMutation({
    mutationFn: () => take(api.DELETE("/v1/notifiers/{notifier}", { params: { path: { notifier: notifier.id } } })),
    onSuccess: async () => {
      await changed("notifiers");
      notify(
        "good",
        "Deleted",
        <>
          No more notifications to <Line text={notifier.target} />.
        </>,
      );
      onClose();
    },
  });
  return (
    <FormDialog
      title="Delete this notification?"
      description={<Line text={notifier.target} />}
      submitLabel="Delete"
      look="bad"
      isBusy={send.isPending}
      error={send.error}
      onClose={onClose}
      onSubmit={() => send.mutate()}
    >
      <p>Messages already sent stay. Pending requests stay in the inbox.</p>
    </FormDialog>
  );
}
