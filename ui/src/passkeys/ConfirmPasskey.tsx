// Another approver confirms the first passkey of a person.
import { useMutation, useQuery } from "@tanstack/react-query";
import { api, take } from "../api/client";
import { notify } from "../frame/toasts";
import { FreshSignIn, needsFreshSignIn } from "../people/FreshSignIn";
import { Person } from "../people/Person";
import { members } from "../people/queries";
import { changed } from "../settings/queries";
import { useNow } from "../text/now";
import { ago, moment } from "../text/time";
import { Line } from "../text/Visible";
import { FormDialog } from "../ui/Form";
import { Fact, Facts } from "../ui/Section";
import type { Passkey } from "./queries";

export function ConfirmPasskey({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const now = useNow();
  const email = useQuery(members).data?.find((member) => member.user === passkey.user)?.email;
  const send = useMutation({
    mutationFn: () => take(api.POST("/v1/passkeys/{passkey}/confirm", { params: { path: { passkey: passkey.id } } })),
    onSuccess: async (confirmed) => {
      await changed("passkeys");
      notify(
        "good",
        "Confirmed",
        <>
          <Person id={confirmed.user} /> can now sign with <Line text={confirmed.name} />.
        </>,
      );
      onClose();
    },
  });
  if (needsFreshSignIn(send.error)) return <FreshSignIn onConfirmed={() => send.mutate()} onClose={onClose} />;
  return (
    <FormDialog
      title="Confirm this passkey?"
      submitLabel="Confirm passkey"
      isBusy={send.isPending}
      error={send.error}
      onClose={onClose}
      onSubmit={() => send.mutate()}
    >
      <Facts>
        <Fact name="Member">
          <Person id={passkey.user} />
          {email != null && (
            <span className="text-soft">
              {" "}
              (<Line text={email} />)
            </span>
          )}
        </Fact>
        <Fact name="Passkey">
          <Line text={passkey.name} />
        </Fact>
        <Fact name="Added">
          {moment(passkey.created_at)} ({ago(passkey.created_at, now)})
        </Fact>
        <Fact name="Fingerprint">
          <code className="font-mono text-xs break-all">
            <Line text={passkey.fingerprint} />
          </code>
        </Fact>
      </Facts>
      <p className="rounded-lg bg-warn-wash px-3 py-2 text-warn">
        Ask them in person or on the phone whether they added it. Someone with a stolen token could have.
      </p>
      <p className="text-soft">Once confirmed, the passkey signs approvals in their name.</p>
    </FormDialog>
  );
}
