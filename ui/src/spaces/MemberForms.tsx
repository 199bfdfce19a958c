// Adds a member to a space, changes what they may use there, or removes them.
import { useMutation, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { notify } from "../frame/toasts";
import { isService } from "../people/members";
import { type Member, members } from "../people/queries";
import type { Space } from "../settings/queries";
import { Line } from "../text/Visible";
import { plain } from "../text/visible";
import { Field, FormDialog } from "../ui/Form";
import { Ending } from "./Ending";
import { candidates, removalText } from "./members";
import { removeSpaceMember, type SpaceMember, setSpaceMember } from "./queries";
import { ReachFields } from "./ReachFields";
import { capabilitiesOf, NOTHING, type Reach, readReach } from "./reach";

export function AddSpaceMember(props: { space: Space; listed: readonly SpaceMember[]; onClose: () => void }) {
  const { space, listed, onClose } = props;
  const [user, setUser] = useState("");
  const all = useQuery(members).data;
  const free = all === undefined ? undefined : candidates(all, listed);
  const chosen = free?.find((member) => member.user === user) ?? null;
  return (
    <ReachForm
      title={`Add a member to ${plain(space.name)}`}
      submitLabel="Add"
      done="Added"
      space={space}
      member={chosen}
      start={NOTHING}
      onClose={onClose}
    >
      <Field name="Member" hint="Admins and owners belong to every space.">
        <select className="input" value={user} onChange={(event) => setUser(event.target.value)} required autoFocus>
          <option value="">
            {free === undefined ? "Loading …" : free.length === 0 ? "Every member is listed already" : "Choose"}
          </option>
          {free?.map((member) => (
            <option key={member.user} value={member.user}>
              {optionText(member)}
            </option>
          ))}
        </select>
      </Field>
    </ReachForm>
  );
}

/** People can have the same name. */
function optionText(member: Member): string {
  return plain(`${member.name} (${isService(member) ? "service account" : (member.email ?? member.user)})`);
}

export function ChangeSpaceMember(props: { space: Space; member: SpaceMember; onClose: () => void }) {
  const { space, member, onClose } = props;
  return (
    <ReachForm
      title={`Change what ${plain(member.name)} may use in ${plain(space.name)}`}
      submitLabel="Save"
      done="Saved"
      space={space}
      member={member}
      start={readReach(member.capabilities)}
      onClose={onClose}
    />
  );
}

interface Props {
  title: string;
  submitLabel: string;
  done: string;
  space: Space;
  /** null until one is chosen. */
  member: Pick<SpaceMember, "user" | "name" | "role"> | null;
  start: Reach;
  onClose: () => void;
  children?: ReactNode;
}

function ReachForm({ title, submitLabel, done, space, member, start, onClose, children }: Props) {
  const [reach, setReach] = useState(start);
  const [isMissing, setMissing] = useState(false);
  const capabilities = capabilitiesOf(reach);
  const send = useMutation({
    mutationFn: (user: string) => setSpaceMember(space.id, user, capabilities),
    onSuccess: (saved) => {
      notify(
        "good",
        done,
        <>
          <Line text={saved.name} /> can open sessions in <Line text={space.name} />.
        </>,
      );
      onClose();
    },
  });
  const submit = () => {
    setMissing(capabilities.length === 0);
    if (member !== null && capabilities.length > 0) send.mutate(member.user);
  };
  return (
    <FormDialog
      title={title}
      submitLabel={submitLabel}
      isBusy={send.isPending}
      error={send.error}
      onClose={onClose}
      onSubmit={submit}
    >
      {children}
      <ReachFields reach={reach} onChange={setReach} />
      {isMissing && capabilities.length === 0 && (
        <p role="alert" className="text-bad">
          Select at least one source.
        </p>
      )}
      {member !== null && capabilities.length > 0 && (
        <Ending space={space} member={member} capabilities={capabilities} />
      )}
    </FormDialog>
  );
}

export function RemoveSpaceMember(props: { space: Space; member: SpaceMember; onClose: () => void }) {
  const { space, member, onClose } = props;
  const send = useMutation({
    mutationFn: () => removeSpaceMember(space.id, member.user),
    onSuccess: () => {
      notify(
        "good",
        "Removed",
        <>
          <Line text={member.name} /> is no longer listed in <Line text={space.name} />.
        </>,
      );
      onClose();
    },
  });
  return (
    <FormDialog
      title={`Remove ${plain(member.name)} from ${plain(space.name)}?`}
      submitLabel="Remove"
      look="bad"
      isBusy={send.isPending}
      error={send.error}
      onClose={onClose}
      onSubmit={() => send.mutate()}
    >
      <p>{removalText(space.open_to, member.role)}</p>
      <Ending space={space} member={member} capabilities={null} isConfirmation />
    </FormDialog>
  );
}
