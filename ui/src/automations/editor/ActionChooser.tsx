// Chooses the action of a step from the catalog.
import { Popover } from "radix-ui";
import { type KeyboardEvent, useId, useState } from "react";
import { Line } from "../../text/Visible";
import { RiskBadge } from "../../ui/Bits";
import { Icon } from "../../ui/icons";
import { type ActionOption, find } from "./options";

interface Props {
  value: string;
  actions: readonly ActionOption[];
  onChoose: (action: string) => void;
  isInvalid?: boolean;
  /** Shown while nothing is chosen. */
  prompt?: string;
}

export function ActionChooser({ value, actions, onChoose, isInvalid = false, prompt = "Choose an action …" }: Props) {
  const [isOpen, setOpen] = useState(false);
  const known = actions.find((each) => each.action === value);
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger
        className={`input flex items-center gap-2 text-left hover:bg-sunk ${isInvalid ? "!border-bad" : ""}`}
      >
        <span className="min-w-0 flex-1 truncate">
          {value === "" ? <span className="text-faint">{prompt}</span> : <Name option={known ?? { action: value }} />}
        </span>
        {known?.risk !== undefined && <RiskBadge risk={known.risk} />}
        <span className="sr-only">{value === "" ? "" : "change action"}</span>
        <Icon name="search" className="size-4 text-faint" />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          aria-label="Choose an action"
          align="start"
          sideOffset={4}
          collisionPadding={8}
          className="z-50 w-[30rem] max-w-[calc(100vw-1rem)] rounded-xl border border-edge bg-card shadow-lg"
        >
          <Search
            actions={actions}
            onChoose={(action) => {
              setOpen(false);
              onChoose(action);
            }}
          />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function Name({ option: { action, title } }: { option: Pick<ActionOption, "action" | "title"> }) {
  if (title !== undefined) return <span className="font-medium">{title}</span>;
  return (
    <code className="font-mono text-[0.8125rem]">
      <Line text={action} />
    </code>
  );
}

function Search({ actions, onChoose }: Pick<Props, "actions" | "onChoose">) {
  const list = useId();
  const [part, setPart] = useState("");
  const [at, setAt] = useState(0);
  const found = find(actions, part);
  const onKey = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0 && found.length > 0) {
      event.preventDefault();
      const next = (at + step + found.length) % found.length;
      setAt(next);
      document.getElementById(`${list}-${next}`)?.scrollIntoView({ block: "nearest" });
    }
    if (event.key === "Enter") {
      event.preventDefault();
      const chosen = found[at]?.action ?? part.trim();
      if (chosen !== "") onChoose(chosen);
    }
  };
  return (
    <div onKeyDown={onKey} className="flex max-h-96 flex-col">
      <div className="border-b border-edge p-2">
        <input
          className="input"
          role="combobox"
          aria-expanded="true"
          aria-controls={list}
          aria-activedescendant={found.length > 0 ? `${list}-${at}` : undefined}
          aria-label="Search actions"
          placeholder="Search actions"
          autoFocus
          value={part}
          onChange={(event) => {
            setPart(event.target.value);
            setAt(0);
          }}
        />
      </div>
      <ul id={list} role="listbox" aria-label="Actions" className="overflow-y-auto p-1">
        {found.map((each, index) => (
          <li
            key={each.action}
            id={`${list}-${index}`}
            role="option"
            aria-selected={index === at}
            onClick={() => onChoose(each.action)}
            onMouseMove={() => setAt(index)}
            className={`cursor-pointer rounded-lg px-3 py-2 ${index === at ? "bg-accent-wash" : ""}`}
          >
            <span className="flex items-center gap-2">
              <span className="min-w-0 flex-1 truncate">
                <Name option={each} />
              </span>
              {each.risk !== undefined && <RiskBadge risk={each.risk} />}
            </span>
            <span className="block truncate text-xs text-faint">
              <Line text={each.description} />
            </span>
          </li>
        ))}
        {found.length === 0 && (
          <li className="p-3 text-faint">No action found. Press Enter to use this name anyway.</li>
        )}
      </ul>
    </div>
  );
}
