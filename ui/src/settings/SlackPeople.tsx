// Which users of Slack are which users here. What they click counts as that user's word, so only owners link them.
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, take } from "../api/client";
import { notify } from "../frame/notices";
import { plain } from "../text/visible";
import { Line } from "../text/Visible";
import { Button } from "../ui/Button";
import { Field, FormDialog } from "../ui/Form";
import { Person } from "./People";
import { changed, members, slackPeople } from "./queries";
import { Heading, Row, Rows } from "./Rows";

export function SlackPeople() {
  const query = useQuery(slackPeople);
  const [isAdding, setAdding] = useState(false);
  const [gone, setGone] = useState<string | null>(null);
  return (
    <>
      <Heading title="People in Slack" about="What a linked person clicks in Slack counts as that user's word, by the role they have then. Nobody is guessed by their address.">
        <Button onClick={() => setAdding(true)}>Link somebody</Button>
      </Heading>
      <Rows name="People in Slack" query={query} none="Nobody is linked, so nobody can answer from Slack.">
        {(link) => (
          <Row key={link.slack_user} title={<Person id={link.user} />} about={<>in Slack <code className="font-mono"><Line text={link.slack_user} /></code></>}>
            <Button look="bad" onClick={() => setGone(link.slack_user)} aria-label={`Unlink ${plain(link.slack_user)}`}>Unlink</Button>
          </Row>
        )}
      </Rows>
      {isAdding && <Add onClose={() => setAdding(false)} />}
      {gone !== null && <Unlink slackUser={gone} onClose={() => setGone(null)} />}
    </>
  );
}

function Add({ onClose }: { onClose: () => void }) {
  const known = useQuery(members).data ?? [];
  const [slack_user, setSlackUser] = useState("");
  const [user, setUser] = useState("");
  const send = useMutation({
    mutationFn: () => take(api.PUT("/v1/slack/people/{slack_user}", { params: { path: { slack_user: slack_user.trim() } }, body: { user } })),
    onSuccess: async () => {
      await changed("slack-people");
      notify("good", "Linked", "What they click counts from now on.");
      onClose();
    },
  });
  return (
    <FormDialog title="Link somebody in Slack" does="Link" isBusy={send.isPending} error={send.error} onClose={onClose} onSubmit={() => send.mutate()}>
      <Field name="Member ID in Slack" hint="It stands in their profile in Slack."><input className="input font-mono" value={slack_user} onChange={(event) => setSlackUser(event.target.value)} placeholder="U024BE7LH" required autoFocus /></Field>
      <Field name="Is">
        <select className="input" value={user} onChange={(event) => setUser(event.target.value)} required>
          <option value="">choose a member</option>
          {known.map((member) => <option key={member.user} value={member.user}>{`${plain(member.name)} (${member.role})`}</option>)}
        </select>
      </Field>
    </FormDialog>
  );
}

function Unlink({ slackUser, onClose }: { slackUser: string; onClose: () => void }) {
  const send = useMutation({
    mutationFn: () => take(api.DELETE("/v1/slack/people/{slack_user}", { params: { path: { slack_user: slackUser } } })),
    onSuccess: async () => {
      await changed("slack-people");
      notify("good", "Unlinked", "What they click in Slack no longer counts.");
      onClose();
    },
  });
  return (
    <FormDialog title="Unlink this person?" about={<Line text={slackUser} />} does="Unlink" look="bad" isBusy={send.isPending} error={send.error} onClose={onClose} onSubmit={() => send.mutate()}>
      <p>What they click in Slack no longer counts. Votes they gave stay.</p>
    </FormDialog>
  );
}
