// The reason for a change, which is recorded with it.
import { Field } from "../ui/Form";

interface Props {
  reason: string;
  onChange: (next: string) => void;
}

export function ReasonField({ reason, onChange }: Props) {
  return (
    <Field name="Reason for the change" hint="Optional. Recorded with the change.">
      <textarea
        className="input min-h-16"
        maxLength={500}
        value={reason}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  );
}
