// Links Slack users to members. Their clicks count as votes, so only owners link them.
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, take } from "../api/client";
import { notify } from "../frame/toasts";
import { isService } from "../people/members";
import { Person } from "../people/Person";
import { members } from "../people/queries";
import { Line } from "../text/Visible";
import { plain } from "../text/visible";
import { Button } from "../ui/Button";
import { Field, FormDialog } from "../ui/Form";
import { changed, slackPeople } from "./queries";
import { Heading, Row, Rows } from "./Rows";

export function SlackPeople() {
  const query = useQuery(slackPeople);
  const [isAdding, setAdding] = useState(false);
  const [unlinking, setUnlinking] = useState<string | null>(null);
  return (
    <>
      <Heading title="Slack users" about="An answer in Slack counts as an answer of the linked member.">
        <Button onClick={() => setAdding(true)}>Link a Slack user</Button>
      </Heading>
      <Rows name="Slack users" query={query} none="No Slack users are linked, so requests cannot be answered in Slack.">
        {(link) => (
          <Row
            key={link.slack_user}
            title={<Person id={link.user} />}
            about={
              <>
                Slack user{" "}
                <code className="font-mono">
                  <Line text={link.slack_user} />
                </code>
              </>
            }
          >
            <Button
              variant="bad"
              onClick={() => setUnlinking(link.slack_user)}
              aria-label={`Unlink ${plain(link.slack_user)}`}
            >
              Unlink
            </Button>
          </Row>
        )}
      </Rows>
      {isAdding && <LinkSlackUser onClose={() => setAdding(false)} />}
      {unlinking !== null && <UnlinkSlackUser slackUser={unlinking} onClose={() => setUnlinking(null)} />}
    </>
  );
}

function LinkSlackUser({ onClose }: { onClose: () => void }) {
  const people = useQuery(members).data?.filter((member) => !isService(member)) ?? [];
  const [slack_user, setSlackUser] = useState("");
  const [user, setUser] = useState("");
  const send = useMutation({
    mutationFn: () =>
      take(
        api.PUT("/v1/slack/people/{slack_user}", {
          params: { path: { slack_user: slack_user.trim() } },
          body: { user },
        }),
      ),
    onSuccess: async () => {
      await changed("slack-people");
      notify("good", "Linked", "Their answers in Slack now count.");
      onClose();
    },
  });
  return (
    <FormDialog
      title="Link a Slack user"
      submitLabel="Link"
      isBusy={send.isPending}
      error={send.error}
      onClose={onClose}
      onSubmit={() => send.mutate()}
    >
      <Field name="Slack member ID" hint="Shown in their Slack profile.">
        <input
          className="input font-mono"
          value={slack_user}
          onChange={(event) => setSlackUser(event.target.value)}
          placeholder="U024BE7LH"
          required
          autoFocus
        />
      </Field>
      <Field name="Member">
        <select className="input" value={user} onChange={(event) => setUser(event.target.value)} required>
          <option value="">Choose a member</option>
          {people.map((member) => (
            <option key={member.user} value={member.user}>{`${plain(member.name)} (${member.role})`}</option>
          ))}
        </select>
      </Field>
    </FormDialog>
  );
}

function UnlinkSlackUser({ slackUser, onClose }: { slackUser: string; onClose: () => void }) {
  const send = useMutation({
    mutationFn: () =>
      take(api.DELETE("/v1/slack/people/{slack_user}", { params: { path: { slack_user: slackUser } } })),
    onSuccess: async () => {
      await changed("slack-people");
      notify("good", "Unlinked", "Their answers in Slack no longer count.");
      onClose();
    },
  });
  return (
    <FormDialog
      title="Unlink this Slack user?"
      description={<Line text={slackUser} />}
      submitLabel="Unlink"
      look="bad"
      isBusy={send.isPending}
      error={send.error}
      onClose={onClose}
      onSubmit={() => send.mutate()}
    >
      <p>Their answers in Slack no longer count. Earlier votes stay valid.</p>
    </FormDialog>
  );
}
