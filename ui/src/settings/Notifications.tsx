// Where people are told that something waits for them, and which users of Slack may answer as whom.
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, take } from "../api/client";
import { notify } from "../frame/notices";
import { plain } from "../text/visible";
import { Line } from "../text/Visible";
import { Badge } from "../ui/Bits";
import { Button } from "../ui/Button";
import { Field, FormDialog } from "../ui/Form";
import { changed, type Notifier, notifiers, spaces } from "./queries";
import { useMay } from "../api/who";
import { Heading, Row, Rows } from "./Rows";
import { SlackPeople } from "./SlackPeople";

export function Notifications() {
  const query = useQuery(notifiers);
  const known = useQuery(spaces).data;
  const isOwner = useMay("owner") === true;
  const [isAdding, setAdding] = useState(false);
  const [gone, setGone] = useState<Notifier | null>(null);
  const spaceOf = (notifier: Notifier) => {
    if (notifier.space == null) return "of every space";
    const found = known?.find((space) => space.id === notifier.space);
    return <>only of <Line text={found?.name ?? notifier.space} /></>;
  };
  return (
    <>
      <Heading title="Notifiers" about="Slack channels and e-mail addresses where people are told what waits. In Slack they can answer in place.">
        <Button look="primary" onClick={() => setAdding(true)}>Add a notifier</Button>
      </Heading>
      <Rows name="Notifiers" query={query} none="Nobody is told anywhere. Add a Slack channel or an address, so that nothing waits unseen.">
        {(notifier) => (
          <Row key={notifier.id} title={<><Badge>{notifier.kind === "slack" ? "Slack" : "mail"}</Badge><Line text={notifier.target} /></>} about={spaceOf(notifier)}>
            <Test notifier={notifier} />
            <Button look="bad" onClick={() => setGone(notifier)} aria-label={`Remove ${plain(notifier.target)}`}>Remove</Button>
          </Row>
        )}
      </Rows>
      {isOwner && <SlackPeople />}
      {isAdding && <Add onClose={() => setAdding(false)} />}
      {gone !== null && <Remove notifier={gone} onClose={() => setGone(null)} />}
    </>
  );
}

function Test({ notifier }: { notifier: Notifier }) {
  const send = useMutation({ mutationFn: () => take(api.POST("/v1/notifiers/{notifier}/test", { params: { path: { notifier: notifier.id } } })) });
  return (
    <>
      <span role="status" className={`text-xs wrap-anywhere empty:absolute ${send.data?.delivered === true ? "text-good" : "text-bad"}`}>
        {send.data?.delivered === true && "it arrived"}
        {send.data?.delivered === false && <Line text={`it did not arrive: ${send.data.error ?? "nobody says why"}`} />}
        {send.error !== null && <Line text={send.error.message} />}
      </span>
      <Button disabled={send.isPending} onClick={() => send.mutate()} aria-label={`Test now: ${plain(notifier.target)}`}>{send.isPending ? "Sending …" : "Test now"}</Button>
    </>
  );
}

function Add({ onClose }: { onClose: () => void }) {
  const known = useQuery(spaces).data ?? [];
  const [kind, setKind] = useState<Notifier["kind"]>("slack");
  const [target, setTarget] = useState("");
  const [space, setSpace] = useState("");
  const send = useMutation({
    mutationFn: () => take(api.POST("/v1/notifiers", { body: { kind, target: target.trim(), space: space === "" ? null : space } })),
    onSuccess: async (kept) => {
      await changed("notifiers");
      notify("good", "Added", <>People are told at <Line text={kept.target} />. Test it now.</>);
      onClose();
    },
  });
  return (
    <FormDialog title="Add a notifier" does="Add" isBusy={send.isPending} error={send.error} onClose={onClose} onSubmit={() => send.mutate()}>
      <Field name="By">
        <select className="input" value={kind} onChange={(event) => setKind(event.target.value === "email" ? "email" : "slack")}>
          <option value="slack">Slack</option>
          <option value="email">mail</option>
        </select>
      </Field>
      <Field name={kind === "slack" ? "Channel" : "Address"} hint={kind === "slack" ? "The channel's id. It stands at the end of the channel's address. The source slack must be connected, and its bot invited." : "A mail says what waits. It holds no link that answers."}>
        <input className="input" type={kind === "email" ? "email" : "text"} value={target} onChange={(event) => setTarget(event.target.value)} placeholder={kind === "slack" ? "C024BE91L" : "ops@example.com"} required autoFocus />
      </Field>
      <Field name="News of">
        <select className="input" value={space} onChange={(event) => setSpace(event.target.value)}>
          <option value="">every space</option>
          {known.map((each) => <option key={each.id} value={each.id}>{plain(each.name)}</option>)}
        </select>
      </Field>
    </FormDialog>
  );
}

function Remove({ notifier, onClose }: { notifier: Notifier; onClose: () => void }) {
  const send = useMutation({
    mutationFn: () => take(api.DELETE("/v1/notifiers/{notifier}", { params: { path: { notifier: notifier.id } } })),
    onSuccess: async () => {
      await changed("notifiers");
      notify("good", "Removed", <>Nobody is told at <Line text={notifier.target} /> any more.</>);
      onClose();
    },
  });
  return (
    <FormDialog title="Stop telling people there?" about={<Line text={notifier.target} />} does="Remove" look="bad" isBusy={send.isPending} error={send.error} onClose={onClose} onSubmit={() => send.mutate()}>
      <p>Messages that were sent stay where they are. What waits is still in the inbox.</p>
    </FormDialog>
  );
}
