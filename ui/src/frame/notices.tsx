// What became of an answer, said once at the edge of the page. Good news goes by itself; what did not work stays until
// it was read.
import { type ReactNode, useEffect, useSyncExternalStore } from "react";
import { Icon } from "../ui/icons";

interface Notice {
  id: number;
  tone: "good" | "warn";
  title: string;
  text: ReactNode;
}

const SHOWN_MS = 6_000;
let notices: Notice[] = [];
let last = 0;
const listeners = new Set<() => void>();

function set(next: Notice[]): void {
  notices = next;
  listeners.forEach((listener) => listener());
}

export function notify(tone: Notice["tone"], title: string, text: ReactNode): void {
  last += 1;
  set([...notices.slice(-2), { id: last, tone, title, text }]);
}

export function Notices() {
  const all = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => notices,
  );
  return (
    <div aria-live="polite" className="pointer-events-none fixed inset-x-3 top-3 z-60 flex flex-col gap-2 md:left-auto md:right-4 md:top-4 md:w-96">
      {all.map((notice) => <One key={notice.id} notice={notice} />)}
    </div>
  );
}

function One({ notice: { id, tone, title, text } }: { notice: Notice }) {
  const close = () => set(notices.filter((notice) => notice.id !== id));
  useEffect(() => {
    if (tone !== "good") return undefined;
    const timer = setTimeout(close, SHOWN_MS);
    return () => clearTimeout(timer);
  });
  const colour = tone === "good" ? "text-good" : "text-warn";
  return (
    <div role={tone === "good" ? "status" : "alert"} className="pointer-events-auto flex gap-3 rounded-xl border border-edge bg-card p-3.5 shadow-lg">
      <span className={colour}><Icon name={tone === "good" ? "check" : "warning"} className="size-5" /></span>
      <div className="min-w-0 flex-1">
        <p className="font-semibold">{title}</p>
        <div className="text-soft">{text}</div>
      </div>
      <button type="button" className="-m-1 self-start rounded p-1 text-faint hover:bg-sunk" onClick={close} aria-label="Close">
        <Icon name="close" />
      </button>
    </div>
  );
}
