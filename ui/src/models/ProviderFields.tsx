// The form of a provider: URL, key, models, and what it may see.
import { useQuery } from "@tanstack/react-query";
import type { RefObject } from "react";
import { org } from "../api/queries";
import { AuthenticationFields, SecretFields } from "../catalog/connect/ConnectFields";
import { Checkbox, Field } from "../ui/Form";
import { isLooser, type ProviderDraft } from "./draft";
import { ModelFields } from "./ModelFields";
import type { Preset } from "./queries";

interface Props {
  draft: ProviderDraft;
  /** The provider as it is saved; null for a new one. */
  before: ProviderDraft | null;
  /** Of a new provider. */
  preset: Preset | null;
  /** The key is read from the field when it is sent and never stored in state. */
  keyField: RefObject<HTMLInputElement | null>;
  onChange: (next: ProviderDraft) => void;
}

export function ProviderFields({ draft, before, preset, keyField, onChange }: Props) {
  const needsTwo = useQuery(org).data?.loosening === "two_people";
  const set = (part: Partial<ProviderDraft>) => onChange({ ...draft, ...part });
  return (
    <>
      <Field name="URL" hint="The part before /messages, /chat/completions or /responses.">
        <input
          className="input font-mono"
          type="url"
          value={draft.base_url}
          maxLength={2000}
          required
          onChange={(event) => set({ base_url: event.target.value.trim() })}
          placeholder="https://models.example.com/v1"
          spellCheck={false}
        />
      </Field>
      <section className="space-y-3">
        <h2 className="font-semibold">Key</h2>
        <KeyFields draft={draft} preset={preset} keyField={keyField} onChange={onChange} />
      </section>
      <ModelFields models={draft.models} onChange={(models) => set({ models })} />
      <Checkbox
        name="May see data that is not public"
        hint="Prompts with data that steps have read from private sources are then sent to this server."
        checked={draft.may_see_private}
        onChange={(may_see_private) => set({ may_see_private })}
      />
      {needsTwo && isLooser(before, draft) && (
        <p role="alert" className="rounded-lg bg-warn-wash px-3 py-2 text-warn">
          A second owner must approve this. Until then nothing changes.
        </p>
      )}
      <Checkbox
        name="Free of charge"
        hint="For a server of your own: tokens cost nothing, and prices of models are not used."
        checked={draft.is_free}
        onChange={(is_free) => set({ is_free })}
      />
    </>
  );
}

/** A server that always needs a key takes it in one way. */
function KeyFields({ draft, preset, keyField, onChange }: Omit<Props, "before">) {
  const { authentication } = draft;
  const set = (next: typeof authentication) => onChange({ ...draft, authentication: next });
  if (preset?.needs_secret !== true)
    return <AuthenticationFields authentication={authentication} kind="openapi" value={keyField} onChange={set} />;
  return (
    <>
      <p className="text-soft">
        {authentication.method === "header" ? (
          <>
            Sent in the header <code className="font-mono">{authentication.header}</code>.
          </>
        ) : (
          "Sent as a bearer token."
        )}
      </p>
      <SecretFields
        name={authentication.secret}
        value={keyField}
        onChange={(secret) => set({ ...authentication, secret })}
      />
    </>
  );
}
