// Changes a provider. It is tested again with what was changed.
import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { saveSecret } from "../catalog/connect/ConnectFields";
import { plain } from "../text/visible";
import { FormDialog } from "../ui/Form";
import { changesOf, draftError, draftFrom } from "./draft";
import { ProviderFields } from "./ProviderFields";
import { type Provider, putProvider } from "./queries";

interface Props {
  provider: Provider;
  onSaved: (now: Provider) => void;
  onClose: () => void;
}

export function EditProvider({ provider, onSaved, onClose }: Props) {
  const [before] = useState(() => draftFrom(provider));
  const [draft, setDraft] = useState(before);
  const [fieldError, setFieldError] = useState<string | null>(null);
  const keyField = useRef<HTMLInputElement>(null);
  const send = useMutation({
    mutationFn: async () => {
      await saveSecret(draft.authentication, keyField.current);
      return putProvider(provider.provider, changesOf(before, draft));
    },
    onSuccess: (saved) => {
      onSaved(saved);
      onClose();
    },
  });
  const submit = () => {
    const found = draftError(draft, []);
    setFieldError(found);
    if (found === null) send.mutate();
  };
  return (
    <FormDialog
      title={`Edit ${plain(provider.provider)}`}
      description="The first model is asked again when you save, which costs a few tokens. The name cannot change."
      submitLabel="Save and test"
      isBusy={send.isPending}
      error={send.error}
      onClose={onClose}
      onSubmit={submit}
    >
      <ProviderFields draft={draft} before={before} preset={null} keyField={keyField} onChange={setDraft} />
      {fieldError !== null && (
        <p role="alert" className="text-bad">
          {fieldError}
        </p>
      )}
    </FormDialog>
  );
}
