// Which dialog is open. It lives outside the page, so that it stays when a list behind it changes.
import { useSyncExternalStore } from "react";
import type { ConductView, Restriction, Target } from "./conduct";

export type OpenDialog =
  | {
      kind: "stop";
      /** null: the person chooses in the dialog. */
      target: Target | null;
      restriction: Restriction;
    }
  | { kind: "resume"; conduct: ConductView };

let open: OpenDialog | null = null;
const listeners = new Set<() => void>();

function set(next: OpenDialog | null): void {
  open = next;
  listeners.forEach((listener) => listener());
}

export function openStop(target: Target | null, restriction: Restriction = "halted"): void {
  set({ kind: "stop", target, restriction });
}

export function openResume(conduct: ConductView): void {
  set({ kind: "resume", conduct });
}

export const closeDialog = () => set(null);

export function useOpenDialog(): OpenDialog | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => open,
  );
}
