// The command palette (Ctrl+K): pages, IDs, spaces, themes.
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, useEffect, useState } from "react";
import { api, take } from "../api/client";
import { useMay } from "../api/permissions";
import { me } from "../api/queries";
import { openStop } from "../conduct/dialogs";
import { spaces } from "../settings/queries";
import { plain } from "../text/visible";
import { Dialog } from "../ui/Dialog";
import { Icon, type IconName } from "../ui/icons";
import { jump } from "./jump";
import { signOut, switchOrg } from "./orgs";
import { PAGES } from "./pages";
import { useChooseSpace } from "./Switches";
import { choose } from "./theme";
import { notify } from "./toasts";

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
    ...useStop(),
    ...useSwitches(),
    { name: "Light theme", about: "", icon: "sun", act: () => choose("light") },
    { name: "Dark theme", about: "", icon: "moon", act: () => choose("dark") },
    {
      name: "System theme",
      about: "follow the operating system",
      icon: "settings",
      act: () => choose("system"),
    },
    { name: "Sign out", about: "in this browser", icon: "back", act: () => void signOut() },
  ];
  const there = useJump(text);
  const found =
    there !== null
      ? [there]
      : entries.filter((entry) => `${entry.name} ${entry.about}`.toLowerCase().includes(text.trim().toLowerCase()));
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
      <input
        className="input"
        role="combobox"
        aria-label="Page or command"
        aria-expanded="true"
        aria-controls="palette"
        aria-activedescendant={`palette-${at}`}
        value={text}
        autoFocus
        onChange={(event) => {
          setText(event.target.value);
          setAt(0);
        }}
        placeholder="Type a name or an ID"
      />
      <ul id="palette" role="listbox" aria-label="Pages and commands" className="mt-2">
        {found.map((entry, index) => (
          <li
            key={entry.name}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === at}
            onClick={() => go(entry)}
            onMouseMove={() => setAt(index)}
            className={`flex cursor-pointer items-center gap-3 rounded-lg px-3 py-2.5 md:py-2
              ${index === at ? "bg-accent-wash text-accent" : ""}`}
          >
            <Icon name={entry.icon} />
            <span className="font-medium whitespace-nowrap">{entry.name}</span>
            <span className="min-w-0 truncate text-xs text-faint">{entry.about}</span>
          </li>
        ))}
        {found.length === 0 && <li className="p-3 text-faint">No matches.</li>}
      </ul>
    </div>
  );
}

function useJump(text: string): Entry | null {
  const navigate = useNavigate();
  const to = jump(text);
  if (to === null) return null;
  const { kind, id } = to;
  const act = () => {
    switch (kind) {
      case "invocation":
        return void navigate({ to: "/activity/$invocation", params: { invocation: id } });
      case "run":
        return void navigate({ to: "/runs/$run", params: { run: id } });
      case "automation":
        return void navigate({ to: "/automations/$automation", params: { automation: id } });
      case "session":
        return void navigate({ to: "/activity", search: { session: id } });
      case "change":
        return void navigate({ to: "/activity/changes/$change", params: { change: id } });
      case "receipt":
        // A receipt has no page of its own; it is shown with its invocation.
        return void take(api.GET("/v1/receipts/{receipt}", { params: { path: { receipt: id } } })).then(
          ({ invocation }) => navigate({ to: "/activity/$invocation", params: { invocation } }),
          (error: unknown) => notify("warn", "Not found", plain(String(error))),
        );
    }
  };
  return { name: `Go to this ${kind}`, about: id, icon: "search", act };
}

function useStop(): Entry[] {
  if (useMay("admin") !== true) return [];
  const about = "an agent, a source, a space, an automation or everything";
  return [{ name: "Stop …", about, icon: "stop", act: () => openStop(null) }];
}

function useSwitches(): Entry[] {
  const known = useQuery(spaces).data ?? [];
  const user = useQuery(me).data;
  const choose = useChooseSpace();
  const all: Entry[] = [];
  if (known.length > 1) {
    all.push({ name: "All spaces", about: "show every space", icon: "space", act: () => choose(null) });
    all.push(
      ...known.map(
        (space): Entry => ({
          name: `Space ${plain(space.name)}`,
          about: "show only this space",
          icon: "space",
          act: () => choose(space.slug),
        }),
      ),
    );
  }
  const others = user?.orgs?.filter((each) => each.slug !== user.org_slug) ?? [];
  return [
    ...all,
    ...others.map(
      (each): Entry => ({
        name: `Organization ${plain(each.name)}`,
        about: `switch to it as ${each.role}`,
        icon: "settings",
        act: () => void switchOrg(each.slug),
      }),
    ),
  ];
}
