// Gives and revokes a consent.
import { useMutation } from "@tanstack/react-query";
import { useId, useState } from "react";
import { notify } from "../../frame/toasts";
import { Line } from "../../text/Visible";
import { plain } from "../../text/visible";
import { Field, FormDialog } from "../../ui/Form";
import { ReasonField } from "../ReasonField";
import { type Consent, giveConsent, revokeConsent } from "./queries";

export function GiveDialog({ purposes, onClose }: { purposes: readonly string[]; onClose: () => void }) {
  const id = useId();
  const [typed, setTyped] = useState({ purpose: "", subject: "", until: "", note: "" });
  const set = (next: Partial<typeof typed>) => setTyped({ ...typed, ...next });
  const give = useMutation({
    mutationFn: ({ purpose, subject, until, note }: typeof typed) =>
      giveConsent({
        purpose: purpose.trim(),
        subject: subject.trim(),
        note: note.trim(),
        ...(until === "" ? {} : { expires_at: new Date(until).toISOString() }),
      }),
    networkMode: "always",
    onSuccess: ({ purpose }) => {
      notify("good", "Consent stored", plain(purpose));
      onClose();
    },
  });
  return (
    <FormDialog
      title="Give consent"
      submitLabel="Give consent"
      isBusy={give.isPending}
      error={give.error}
      onClose={onClose}
      onSubmit={() => give.mutate(typed)}
    >
      <Field name="Purpose" hint="As in the gate settings.">
        <input
          className="input"
          list={id}
          maxLength={64}
          value={typed.purpose}
          onChange={(event) => set({ purpose: event.target.value })}
          required
          autoFocus
          spellCheck={false}
          placeholder="newsletter"
        />
      </Field>
      <datalist id={id}>
        {purposes.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
      <Field name="Subject" hint="The person, as actions name them. Only a hash is stored.">
        <input
          className="input"
          maxLength={320}
          value={typed.subject}
          onChange={(event) => set({ subject: event.target.value })}
          required
          spellCheck={false}
          autoComplete="off"
          placeholder="ada@example.com"
        />
      </Field>
      <Field name="Expires" hint="Optional. In the time zone of your browser. Empty until it is revoked.">
        <input
          type="datetime-local"
          className="input"
          value={typed.until}
          onChange={(event) => set({ until: event.target.value })}
        />
      </Field>
      <Field name="Note" hint="Optional. Where the consent is from. It must not name the subject.">
        <input
          className="input"
          maxLength={200}
          value={typed.note}
          onChange={(event) => set({ note: event.target.value })}
          placeholder="form on the website"
        />
      </Field>
    </FormDialog>
  );
}

export function RevokeDialog({ consent, onClose }: { consent: Consent; onClose: () => void }) {
  const [reason, setReason] = useState("");
  const revoke = useMutation({
    mutationFn: () => revokeConsent(consent.id, reason),
    networkMode: "always",
    onSuccess: () => {
      notify("good", "Consent revoked", plain(consent.purpose));
      onClose();
    },
  });
  return (
    <FormDialog
      title="Revoke this consent?"
      description={<Line text={consent.note === "" ? consent.purpose : `${consent.purpose}: ${consent.note}`} />}
      submitLabel="Revoke consent"
      look="bad"
      isBusy={revoke.isPending}
      error={revoke.error}
      onClose={onClose}
      onSubmit={() => revoke.mutate()}
    >
      <p>
        Requests that need this consent are denied from now on, also approved ones. The reason must not name the
        subject.
      </p>
      <ReasonField reason={reason} onChange={setReason} />
    </FormDialog>
  );
}
