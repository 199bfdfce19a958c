// A secret that is shown once. It warns before it is left without copying.
import { type RefObject, useRef, useState } from "react";

export interface OneTimeSecret {
  value: string;
  field: RefObject<HTMLTextAreaElement | null>;
  isStored: boolean;
  isWarned: boolean;
  copy: () => Promise<void>;
  markStored: () => void;
  /** Whether it was copied, or the person was warned. Warns otherwise. */
  mayLeave: () => boolean;
}

export function useSecret(value: string): OneTimeSecret {
  const [isStored, setStored] = useState(false);
  const [isWarned, setWarned] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const copy = async () => {
    field.current?.select();
    try {
      await navigator.clipboard.writeText(value);
      setStored(true);
    } catch {
      // The clipboard is not available. The text is selected, so that it can be copied by hand.
      setWarned(true);
    }
  };
  const mayLeave = () => {
    if (!isStored && !isWarned) setWarned(true);
    return isStored || isWarned;
  };
  return { value, field, isStored, isWarned, copy, markStored: () => setStored(true), mayLeave };
}

/** The secret, and the warning: `before` says before what it must be copied. */
export function SecretField({ secret, label, before }: { secret: OneTimeSecret; label: string; before: string }) {
  return (
    <>
      <textarea
        ref={secret.field}
        readOnly
        aria-label={label}
        rows={2}
        value={secret.value}
        onCopy={secret.markStored}
        spellCheck={false}
        className="input resize-none bg-sunk font-mono text-sm break-all"
      />
      {secret.isWarned && !secret.isStored && (
        <p role="alert" className="text-warn">
          This value cannot be shown again. Copy it before {before}.
        </p>
      )}
    </>
  );
}
