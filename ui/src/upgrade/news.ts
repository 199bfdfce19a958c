// Whether to say what changed since version 0.1. It is said once per person and browser.
import { useQuery } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import type { Schemas } from "../api/client";
import { me } from "../api/queries";

export interface Upgrade {
  org: string;
  user: string;
  role: string | null;
  /** When the organization was upgraded. RFC 3339. */
  at: string;
}

/** The gateway names the time only to owners and admins who were there before. */
export function upgradeOf({ org, user, role, upgraded_at }: Schemas["MeView"]): Upgrade | null {
  if (user == null || upgraded_at == null || Number.isNaN(Date.parse(upgraded_at))) return null;
  return { org, user, role: role ?? null, at: upgraded_at };
}

const nameFor = (org: string, user: string) => `countersign.upgrade.${org}.${user}`;
/** Closed on this page, for a browser whose storage is full. */
const closed = new Set<string>();
const listeners = new Set<() => void>();

export function isClosed(org: string, user: string): boolean {
  const name = nameFor(org, user);
  if (closed.has(name)) return true;
  try {
    return localStorage.getItem(name) !== null;
  } catch {
    // Without storage it could not be closed for good.
    return true;
  }
}

export function markClosed(org: string, user: string): void {
  closed.add(nameFor(org, user));
  try {
    localStorage.setItem(nameFor(org, user), "closed");
  } catch {
    // It is shown again after the next load.
  }
  listeners.forEach((listener) => listener());
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The upgrade that the signed-in person has yet to be told about; null if there is none. */
export function useUpgrade(): Upgrade | null {
  const person = useQuery(me).data;
  const upgrade = person === undefined ? null : upgradeOf(person);
  const isTold = () => upgrade === null || isClosed(upgrade.org, upgrade.user);
  return useSyncExternalStore(subscribe, isTold, isTold) ? null : upgrade;
}
