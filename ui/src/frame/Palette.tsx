// Ctrl-K: go anywhere, or do one of the few things that are the same everywhere, by typing a part of its name.
import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, useEffect, useState } from "react";
import { signOut } from "../api/token";
import { Dialog } from "../ui/Dialog";
import { Icon, type IconName } from "../ui/icons";
import { PAGES } from "./pages";
import { choose } from "./theme";

interface Entry {
  name: string;
  about: string;
  icon: IconName;
  act: () => void;
}

export function usePalette(): { isOpen: boolean; open: () => void; close: () => void } {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      setOpen((is) => !is);
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
  return { isOpen, open: () => setOpen(true), close: () => setOpen(false) };
}

export function Palette({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog title="Go to" isOpen={isOpen} onClose={onClose} isHigh>
      <Search onClose={onClose} />
    </Dialog>
  );
}

function Search({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const entries: Entry[] = [
    ...PAGES.map((page) => ({ ...page, act: () => void navigate({ to: page.path }) })),
    { name: "Light", about: "use light colours", icon: "sun", act: () => choose("light") },
    { name: "Dark", about: "use dark colours", icon: "moon", act: () => choose("dark") },
    { name: "Colours of the system", about: "light or dark as the system prefers", icon: "settings", act: () => choose("system") },
    { name: "Sign out", about: "forget the token", icon: "back", act: () => signOut() },
  ];
  const found = entries.filter((entry) => `${entry.name} ${entry.about}`.toLowerCase().includes(text.trim().toLowerCase()));
  const go = (entry: Entry | undefined) => {
    if (entry === undefined) return;
    onClose();
    entry.act();
  };
  const onKey = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0 && found.length > 0) {
      event.preventDefault();
      setAt((at + step + found.length) % found.length);
    }
    if (event.key === "Enter") {
      event.preventDefault();
      go(found[at]);
    }
  };
  return (
    <div onKeyDown={onKey}>
      <input className="input" role="combobox" aria-label="Page or command" aria-expanded="true" aria-controls="palette" aria-activedescendant={`palette-${at}`} value={text} autoFocus
        onChange={(event) => { setText(event.target.value); setAt(0); }} placeholder="Type a part of a name" />
      <ul id="palette" role="listbox" aria-label="Pages and commands" className="mt-2">
        {found.map((entry, index) => (
          <li key={entry.name} id={`palette-${index}`} role="option" aria-selected={index === at} onClick={() => go(entry)} onMouseMove={() => setAt(index)}
            className={`flex cursor-pointer items-center gap-3 rounded-lg px-3 py-2.5 md:py-2 ${index === at ? "bg-accent-wash text-accent" : ""}`}>
            <Icon name={entry.icon} />
            <span className="font-medium whitespace-nowrap">{entry.name}</span>
            <span className="min-w-0 truncate text-xs text-faint">{entry.about}</span>
          </li>
        ))}
        {found.length === 0 && <li className="p-3 text-faint">Nothing is called so.</li>}
      </ul>
    </div>
  );
}
