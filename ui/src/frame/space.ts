// The selected space of this tab. A space in the URL takes precedence, so that a link shows what it names.
import { useRouterState } from "@tanstack/react-router";
import { useSyncExternalStore } from "react";

const NAME = "countersign.space";
const listeners = new Set<() => void>();
let chosen = read();

function read(): string | null {
  try {
    return sessionStorage.getItem(NAME);
  } catch {
    return null;
  }
}

/** The slug of the space, or null for all of them. */
export function chooseSpace(slug: string | null): void {
  chosen = slug;
  try {
    if (slug === null) sessionStorage.removeItem(NAME);
    else sessionStorage.setItem(NAME, slug);
  } catch {
    // Without storage, the choice lasts until the next load.
  }
  listeners.forEach((listener) => listener());
}

export function useSpace(): string | null {
  const stored = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => chosen,
  );
  const named = useRouterState({ select: (state) => (state.location.search as { space?: unknown }).space });
  return typeof named === "string" && named !== "" ? named : stored;
}
