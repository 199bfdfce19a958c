// A number that can be left out. What is typed stays as it was typed: `0.0` may become `0.05`.
import { useState } from "react";
import { typedNumber } from "./agent";

interface Props {
  id: string;
  value: unknown;
  /** Shown while nothing is typed: what then holds. */
  usual: string;
  isInvalid: boolean;
  disabled?: boolean;
  onChange: (value: number | string | undefined) => void;
}

export function NumberInput({ id, value, usual, isInvalid, disabled = false, onChange }: Props) {
  const [draft, setDraft] = useState("");
  const isDraft = typedNumber(draft) === value;
  return (
    <input
      id={id}
      className={`input ${isInvalid ? "!border-bad" : ""}`}
      inputMode="decimal"
      spellCheck={false}
      placeholder={usual}
      disabled={disabled}
      aria-invalid={isInvalid || undefined}
      value={isDraft ? draft : value == null ? "" : String(value)}
      onChange={(event) => {
        setDraft(event.target.value);
        onChange(typedNumber(event.target.value));
      }}
    />
  );
}
