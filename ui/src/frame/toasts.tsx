// Toasts: short messages at the edge of the page. Success disappears by itself; warnings stay until closed.
import { type ReactNode, useEffect, useSyncExternalStore } from "react";
import { Icon } from "../ui/icons";

interface Toast {
  id: number;
  tone: "good" | "warn";
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

export function notify(tone: Toast["tone"], title: string, text: ReactNode): void {
  last += 1;
  set([...toasts.slice(-2), { id: last, tone, title, text }]);
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
      className={`pointer-events-none fixed inset-x-3 top-3 z-60 flex flex-col gap-2 md:left-auto md:right-4 md:top-4
        md:w-96`}
    >
      {all.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </div>
  );
}

function ToastCard({ toast: { id, tone, title, text } }: { toast: Toast }) {
  const close = () => set(toasts.filter((toast) => toast.id !== id));
  useEffect(() => {
    if (tone !== "good") return undefined;
    const timer = setTimeout(close, SHOWN_MS);
    return () => clearTimeout(timer);
  });
  const colour = tone === "good" ? "text-good" : "text-warn";
  return (
    <div
      role={tone === "good" ? "status" : "alert"}
      className="pointer-events-auto flex gap-3 rounded-xl border border-edge bg-card p-3.5 shadow-lg"
    >
      <span className={colour}>
        <Icon name={tone === "good" ? "check" : "warning"} className="size-5" />
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
