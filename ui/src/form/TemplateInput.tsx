// A text field for templates, with a menu of available names and filters.
import { Popover } from "radix-ui";
import { type ReactNode, useRef, useState } from "react";
import { Line } from "../text/Visible";
import { insertFilter, insertName, isTemplate, type Name, type Names } from "./insert";

interface Props {
  id: string;
  value: string;
  names: Names;
  onChange: (value: string) => void;
  label?: string;
  describedBy?: string | undefined;
  isLong?: boolean;
  isInvalid?: boolean;
  /** Use the code font, also without a template. */
  isCode?: boolean;
  placeholder?: string;
}

export function TemplateInput({
  id,
  value,
  names,
  onChange,
  label,
  describedBy,
  isLong = false,
  isInvalid = false,
  isCode = false,
  placeholder = "",
}: Props) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [isOpen, setOpen] = useState(false);
  const write = (name: Name, isFilter: boolean) => {
    const { selectionStart: from, selectionEnd: to } = field.current ?? {
      selectionStart: value.length,
      selectionEnd: value.length,
    };
    const insertion = isFilter ? insertFilter(value, to, name.write) : insertName(value, from, to, name.write);
    onChange(insertion.text);
    setOpen(false);
    requestAnimationFrame(() => {
      field.current?.focus();
      field.current?.setSelectionRange(insertion.at, insertion.at);
    });
  };
  return (
    <div className="relative">
      <textarea
        ref={field}
        id={id}
        rows={isLong ? 2 : 1}
        value={value}
        placeholder={placeholder}
        spellCheck={false}
        aria-label={label}
        aria-describedby={describedBy}
        aria-invalid={isInvalid || undefined}
        onChange={(event) => onChange(event.target.value)}
        className={`input field-sizing-content max-h-80 resize-none pr-12
          ${isCode || isTemplate(value) ? "!font-mono !text-[0.8125rem]" : ""} ${isInvalid ? "!border-bad" : ""}`}
      />
      <Popover.Root open={isOpen} onOpenChange={setOpen}>
        <Popover.Trigger
          className={`absolute top-1 right-1 rounded-md px-1.5 py-1.5 font-mono text-xs text-faint hover:bg-sunk
            hover:text-ink`}
          aria-label={`Insert a name or a filter${label === undefined ? "" : ` into ${label}`}`}
          title="Insert a name or a filter"
        >
          {"{ }"}
        </Popover.Trigger>
        <Popover.Portal>
          <Popover.Content
            aria-label="Names and filters"
            align="end"
            sideOffset={4}
            collisionPadding={8}
            className="z-50 w-80 max-w-[calc(100vw-1rem)] rounded-xl border border-edge bg-card shadow-lg"
          >
            <Choices names={names} onChoose={write} />
          </Popover.Content>
        </Popover.Portal>
      </Popover.Root>
    </div>
  );
}

function Choices({ names, onChoose }: { names: Names; onChoose: (name: Name, isFilter: boolean) => void }) {
  const [part, setPart] = useState("");
  const isFound = (name: Name) => `${name.write} ${name.about}`.toLowerCase().includes(part.trim().toLowerCase());
  const groups = [
    ...names.groups.map((group) => ({ ...group, isFilter: false })),
    { title: "Filters", names: names.filters, isFilter: true },
  ];
  const found = groups
    .map((group) => ({ ...group, names: group.names.filter(isFound) }))
    .filter((group) => group.names.length > 0);
  const [first] = found;
  return (
    <div className="flex max-h-80 flex-col">
      <div className="border-b border-edge p-2">
        <input
          className="input"
          aria-label="Search names"
          placeholder="Search names"
          value={part}
          autoFocus
          onChange={(event) => setPart(event.target.value)}
          onKeyDown={(event) => {
            const name = first?.names[0];
            if (event.key === "Enter" && first !== undefined && name !== undefined) {
              event.preventDefault();
              onChoose(name, first.isFilter);
            }
          }}
        />
      </div>
      <div className="overflow-y-auto p-1">
        {found.map((group) => (
          <div key={group.title} role="group" aria-label={group.title}>
            <p className="eyebrow px-2.5 pt-2 pb-1">{group.title}</p>
            {group.names.map((name) => (
              <Choice key={name.write} name={name} onClick={() => onChoose(name, group.isFilter)} />
            ))}
          </div>
        ))}
        {found.length === 0 && <p className="p-3 text-faint">No matches.</p>}
      </div>
    </div>
  );
}

function Choice({ name, onClick }: { name: Name; onClick: () => void }): ReactNode {
  return (
    <button
      type="button"
      onClick={onClick}
      className={`flex w-full items-baseline gap-2 rounded-md px-2.5 py-1.5 text-left hover:bg-sunk
        focus-visible:bg-sunk`}
    >
      <code className="font-mono text-[0.8125rem] whitespace-nowrap">
        <Line text={name.write} />
      </code>
      <span className="min-w-0 truncate text-xs text-faint">
        <Line text={name.about} />
      </span>
    </button>
  );
}
