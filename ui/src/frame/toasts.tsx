// Toasts: short messages at the edge of the page. Success disappears by itself; the others stay until closed.
import { type ReactNode, useEffect, useSyncExternalStore } from "react";
import { Icon } from "../ui/icons";

interface Toast {
  id: number;
  tone: "good" | "wait" | "warn";
  title: string;
  text: ReactNode;
}

const SHOWN_MS = 6_000;
let toasts: Toast[] = [];
let last = 0;
const listeners = new Set<() => void>();

function set(next: Toast[]): void {
  toasts = next;
  listeners.forEach((listener) => listener());
}

const LOOKS = {
  good: { colour: "text-good", icon: "check" },
  wait: { colour: "text-accent", icon: "clock" },
  warn: { colour: "text-warn", icon: "warning" },
} as const;

/** Returns how to close it. */
export function notify(tone: Toast["tone"], title: string, text: ReactNode): () => void {
  last += 1;
  const id = last;
  set([...toasts.slice(-2), { id, tone, title, text }]);
  return () => remove(id);
}

function remove(id: number): void {
  set(toasts.filter((toast) => toast.id !== id));
}

export function Toasts() {
  const all = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => toasts,
  );
  return (
    <div
      aria-live="polite"
      // On a desk, above the buttons of the inbox and away from those in the heads of pages.
      className={`pointer-events-none fixed inset-x-3 top-3 z-60 flex flex-col gap-2 md:top-auto md:right-4
        md:bottom-20 md:left-auto md:w-96`}
    >
      {all.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </div>
  );
}

function ToastCard({ toast: { id, tone, title, text } }: { toast: Toast }) {
  const close = () => remove(id);
  useEffect(() => {
    if (tone !== "good") return undefined;
    const timer = setTimeout(close, SHOWN_MS);
    return () => clearTimeout(timer);
  });
  const { colour, icon } = LOOKS[tone];
  return (
    <div
      role={tone === "warn" ? "alert" : "status"}
      className="pointer-events-auto flex gap-3 rounded-xl border border-edge bg-card p-3.5 shadow-lg"
    >
      <span className={colour}>
        <Icon name={icon} className="size-5" />
      </span>
      <div className="min-w-0 flex-1">
        <p className="font-semibold">{title}</p>
        <div className="text-soft">{text}</div>
      </div>
      <button
        type="button"
        className="-m-1 self-start rounded p-1 text-faint hover:bg-sunk"
        onClick={close}
        aria-label="Close"
      >
        <Icon name="close" />
      </button>
    </div>
  );
}
