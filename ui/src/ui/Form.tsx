// What forms share: a field with its name, the buttons at the end, and a question before what cannot be undone.
import type { FormEvent, ReactNode } from "react";
import { ProblemCard } from "./Bits";
import { Button } from "./Button";
import { Dialog } from "./Dialog";

export function Field({ name, hint, children }: { name: string; hint?: ReactNode; children: ReactNode }) {
  return (
    <label className="flex flex-col gap-1">
      <span className="font-medium">{name}</span>
      {children}
      {hint !== undefined && <span className="text-xs text-faint">{hint}</span>}
    </label>
  );
}

/** A box to tick, with what it means. */
export function Tick({ name, hint, checked, disabled = false, onChange }: { name: string; hint: string; checked: boolean; disabled?: boolean; onChange: (is: boolean) => void }) {
  return (
    <label className="flex gap-3">
      <input type="checkbox" className="mt-0.5 size-4 shrink-0 accent-accent" checked={checked} disabled={disabled} onChange={(event) => onChange(event.target.checked)} />
      <span>
        <span className="block font-medium">{name}</span>
        <span className="block text-xs text-faint">{hint}</span>
      </span>
    </label>
  );
}

interface Asked {
  title: string;
  about?: ReactNode;
  does: string;
  look?: "primary" | "bad";
  isBusy: boolean;
  error: unknown;
  onClose: () => void;
  onSubmit: () => void;
  children?: ReactNode;
}

/** A form in a dialog: what it does stands on its button, and what was refused stands above it. */
export function FormDialog({ title, about, does, look = "primary", isBusy, error, onClose, onSubmit, children }: Asked) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isBusy) onSubmit();
  };
  return (
    <Dialog title={title} about={about} isOpen onClose={onClose}>
      <form onSubmit={submit} className="space-y-4">
        {children}
        {error !== null && <ProblemCard error={error} />}
        <div className="flex flex-row-reverse gap-2 [&>*]:flex-1 md:[&>*]:flex-none">
          <Button type="submit" look={look} disabled={isBusy}>{isBusy ? "Sending …" : does}</Button>
          <Button look="quiet" onClick={onClose}>Back</Button>
        </div>
      </form>
    </Dialog>
  );
}
