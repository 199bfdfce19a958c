// The time zone in which policies see the time.
import { useId } from "react";
import { Field } from "../ui/Form";

interface Props {
  zone: string;
  disabled: boolean;
  onChange: (next: string) => void;
}

export function TimeZone({ zone, disabled, onChange }: Props) {
  const id = useId();
  return (
    <>
      <Field name="Time zone" hint="Policies see the time in this zone, for example Europe/Berlin.">
        <input
          className="input max-w-72"
          list={id}
          value={zone}
          disabled={disabled}
          required
          spellCheck={false}
          onChange={(event) => onChange(event.target.value)}
        />
      </Field>
      <datalist id={id}>
        {["UTC", ...Intl.supportedValuesOf("timeZone")].map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
    </>
  );
}
