// A list of short texts: entries as removable chips, and a field that adds one.
import { type KeyboardEvent, useId, useRef, useState } from "react";
import { Line } from "../text/Visible";
import { plain } from "../text/visible";
import { Button } from "../ui/Button";
import { Icon } from "../ui/icons";

interface Props {
  name: string;
  hint: string;
  values: readonly string[];
  known: readonly string[];
  placeholder?: string;
  onChange: (next: string[]) => void;
}

export function ListField({ name, hint, values, known, placeholder, onChange }: Props) {
  const id = useId();
  const [typed, setTyped] = useState("");
  const input = useRef<HTMLInputElement>(null);
  const add = () => {
    const next = typed.trim();
    if (next !== "" && !values.includes(next)) onChange([...values, next]);
    setTyped("");
  };
  const remove = (entry: string) => {
    onChange(values.filter((value) => value !== entry));
    // The button that had the focus is gone.
    input.current?.focus();
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || typed.trim() === "") return;
    event.preventDefault();
    add();
  };
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="font-medium">
        {name}
      </label>
      {values.length > 0 && (
        <ul aria-label={name} className="flex flex-wrap gap-1.5">
          {values.map((each) => (
            <li key={each} className="flex items-center gap-1 rounded-md bg-sunk py-1 pr-1 pl-2 font-mono text-xs">
              <span className="wrap-anywhere">
                <Line text={each} />
              </span>
              <button
                type="button"
                aria-label={`Remove ${plain(each)}`}
                className="rounded p-1 text-faint hover:bg-card hover:text-ink"
                onClick={() => remove(each)}
              >
                <Icon name="close" className="size-3" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className="flex gap-2">
        <input
          ref={input}
          id={id}
          className="input font-mono"
          list={`${id}-known`}
          aria-describedby={`${id}-hint`}
          value={typed}
          placeholder={placeholder}
          spellCheck={false}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={onKey}
          onBlur={add}
        />
        <Button disabled={typed.trim() === ""} onClick={add}>
          Add
        </Button>
      </div>
      <datalist id={`${id}-known`}>
        {known
          .filter((each) => !values.includes(each))
          .map((each) => (
            <option key={each} value={each} />
          ))}
      </datalist>
      <span id={`${id}-hint`} className="text-xs text-faint">
        {hint}
      </span>
    </div>
  );
}
