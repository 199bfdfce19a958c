// A value that is typed as JSON. Text that cannot be read changes nothing, and stays until the value changes elsewhere.
import { useState } from "react";
import { parse } from "../api/json";
import { write } from "../api/write";

export interface JsonText {
  text: string;
  /** Why the text cannot be read; null if it can. */
  error: string | null;
  change: (text: string) => void;
}

/** An empty text is no value. */
export function useJsonText(value: unknown, onChange: (value: unknown) => void): JsonText {
  const json = value === undefined ? "" : write(value, 2);
  const [draft, setDraft] = useState<{ text: string; of: string; isBroken: boolean } | null>(null);
  const isCurrent = draft !== null && draft.of === json;
  const change = (text: string) => {
    try {
      const next = text.trim() === "" ? undefined : parse(text);
      setDraft({ text, of: next === undefined ? "" : write(next, 2), isBroken: false });
      onChange(next);
    } catch {
      setDraft({ text, of: json, isBroken: true });
    }
  };
  return {
    text: isCurrent ? draft.text : json,
    error: isCurrent && draft.isBroken ? "Invalid JSON." : null,
    change,
  };
}
