// Shared form components: fields, checkboxes, form dialogs.
import { cloneElement, type FormEvent, type ReactElement, type ReactNode, useId } from "react";
import { ProblemCard } from "./Bits";
import { Button } from "./Button";
import { Dialog } from "./Dialog";

interface FieldProps {
  name: string;
  /** Described by it, not labelled: a screen reader says it after the name. */
  hint?: ReactNode;
  children: ReactElement<{ "aria-describedby"?: string }>;
}

export function Field({ name, hint, children }: FieldProps) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1">
      <label className="flex flex-col gap-1">
        <span className="font-medium">{name}</span>
        {hint === undefined ? children : cloneElement(children, { "aria-describedby": id })}
      </label>
      {hint !== undefined && (
        <span id={id} className="text-xs text-faint">
          {hint}
        </span>
      )}
    </div>
  );
}

interface ToggleProps {
  name: string;
  hint: string;
  checked: boolean;
  disabled?: boolean;
  onChange: (is: boolean) => void;
}

export function Checkbox({ name, hint, checked, disabled = false, onChange }: ToggleProps) {
  return (
    <label className="flex gap-3">
      <input
        type="checkbox"
        className="mt-0.5 size-4 shrink-0 accent-accent"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span>
        <span className="block font-medium">{name}</span>
        <span className="block text-xs text-faint">{hint}</span>
      </span>
    </label>
  );
}

/** Like a checkbox, for what takes effect at once. */
export function Switch({ name, hint, checked, disabled = false, onChange }: ToggleProps) {
  const id = useId();
  return (
    <div className="flex gap-4">
      <div className="min-w-0 flex-1">
        <label htmlFor={id} className="block cursor-pointer font-medium">
          {name}
        </label>
        <p id={`${id}-hint`} className="text-xs text-faint">
          {hint}
        </p>
      </div>
      <input
        id={id}
        type="checkbox"
        role="switch"
        aria-checked={checked}
        aria-describedby={`${id}-hint`}
        className="switch"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
      />
    </div>
  );
}

interface FormDialogProps {
  title: string;
  description?: ReactNode;
  submitLabel: string;
  look?: "primary" | "bad" | "stop";
  isBusy: boolean;
  error: unknown;
  onClose: () => void;
  onSubmit: () => void;
  children?: ReactNode;
}

/** A form in a dialog. The button says what it does; an error is shown above it. */
export function FormDialog({
  title,
  description,
  submitLabel,
  look = "primary",
  isBusy,
  error,
  onClose,
  onSubmit,
  children,
}: FormDialogProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isBusy) onSubmit();
  };
  return (
    <Dialog title={title} description={description} isOpen onClose={onClose}>
      <form onSubmit={submit} className="space-y-4">
        {children}
        {error !== null && <ProblemCard error={error} />}
        <div className="flex flex-row-reverse gap-2 [&>*]:flex-1 md:[&>*]:flex-none">
          <Button type="submit" variant={look} disabled={isBusy}>
            {isBusy ? "Sending …" : submitLabel}
          </Button>
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
