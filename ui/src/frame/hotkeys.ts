// Keyboard shortcuts, single (`j`) or in sequence (`g i`), while no field has the focus and no dialog is open.
import { useEffect, useRef } from "react";

export type Keys = Record<string, () => void>;

/** How long the first key of a sequence waits for the second. */
const SECOND_MS = 1_500;

const all = new Set<{ current: Keys }>();
let first: { key: string; at: number } | null = null;

export function useHotkeys(keys: Keys): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    if (all.size === 0) window.addEventListener("keydown", onKey);
    all.add(latest);
    return () => {
      all.delete(latest);
      if (all.size === 0) window.removeEventListener("keydown", onKey);
    };
  }, []);
}

function onKey(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || event.isComposing) return;
  // A held key would answer one item after the other.
  if (event.repeat && event.key !== "j" && event.key !== "k") return;
  // Within a shadow root the event names only its host.
  if (isTyping(event.composedPath()[0] ?? null) || document.querySelector('[role="dialog"],[role="menu"]') !== null)
    return;
  if (
    /^(Enter| )$/.test(event.key) &&
    event.target instanceof Element &&
    event.target.closest("a,button,summary") !== null
  )
    return;
  if (event.key === "Shift") return;
  // The second key of a sequence has no other meaning: `g a` approves nothing.
  const isSecond = first !== null && Date.now() - first.at < SECOND_MS;
  const name = isSecond ? `${first?.key} ${event.key}` : event.key;
  first = null;
  const maps = [...all].map((each) => each.current).reverse();
  const act = maps.find((keys) => keys[name] !== undefined)?.[name];
  const isFirst =
    !isSecond &&
    act === undefined &&
    maps.some((keys) => Object.keys(keys).some((each) => each.startsWith(`${name} `)));
  if (isFirst) first = { key: event.key, at: Date.now() };
  if (act === undefined && !isFirst && !isSecond) return;
  event.preventDefault();
  act?.();
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement && target.type === "checkbox") return false;
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}
