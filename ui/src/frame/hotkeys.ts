// Single keys that do something, while no field has the focus and no question is open.
import { useEffect, useRef } from "react";

export type Keys = Record<string, () => void>;

export function useHotkeys(keys: Keys): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || event.isComposing) return;
      // A key that is held down would answer one thing after the other.
      if (event.repeat && event.key !== "j" && event.key !== "k") return;
      // Within a shadow root the event names only its host.
      if (isTyping(event.composedPath()[0] ?? null) || document.querySelector('[role="dialog"],[role="menu"]') !== null) return;
      if (event.key === "Enter" && event.target instanceof Element && event.target.closest("a,button") !== null) return;
      const act = latest.current[event.key];
      if (act === undefined) return;
      event.preventDefault();
      act();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}
