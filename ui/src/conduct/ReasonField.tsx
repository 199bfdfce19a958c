// The reason, with suggestions that fill it: on a phone one tap instead of a keyboard.
import { Field } from "../ui/Form";
import { REASON_MAX } from "./conduct";

interface Props {
  value: string;
  suggestions: readonly string[];
  hint: string;
  onChange: (next: string) => void;
}

export function ReasonField({ value, suggestions, hint, onChange }: Props) {
  return (
    <div className="space-y-2">
      <div role="group" aria-label="Suggested reasons" className="flex flex-wrap gap-2">
        {suggestions.map((each, index) => (
          <button
            key={each}
            type="button"
            // The text field would open the keyboard of a phone.
            autoFocus={index === 0}
            aria-pressed={value === each}
            onClick={() => onChange(each)}
            className={`min-h-11 rounded-full border px-3.5 font-medium md:min-h-8
              ${value === each ? "border-accent bg-accent-wash text-accent" : "border-strong bg-card hover:bg-sunk"}`}
          >
            {each}
          </button>
        ))}
      </div>
      <Field name="Reason" hint={hint}>
        <input
          className="input"
          value={value}
          maxLength={REASON_MAX}
          autoComplete="off"
          onChange={(event) => onChange(event.target.value)}
        />
      </Field>
    </div>
  );
}

export const REASON_REQUIRED = "A reason is required. Choose one or write your own.";
