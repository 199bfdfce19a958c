// The selected row. The URL follows a moment later; when the URL changes in another way, the selection follows it.
import { useCallback, useEffect, useRef, useState } from "react";

export interface PendingSelection {
  to: string;
  /** The URL before, and what it passes on the way. */
  via: readonly (string | undefined)[];
}

export function useSelection(address: string | undefined): [string | undefined, (to: string) => void] {
  const [pending, setPending] = useState<PendingSelection | null>(null);
  const now = useRef(address);
  now.current = address;
  useEffect(() => {
    // The URL has arrived.
    if (pending !== null && !pending.via.includes(address)) setPending(null);
  }, [pending, address]);
  const mark = useCallback((to: string) => setPending((before) => next(before, now.current, to)), []);
  return [selectedRow(pending, address), mark];
}

export function selectedRow(pending: PendingSelection | null, address: string | undefined): string | undefined {
  return pending?.via.includes(address) ? pending.to : address;
}

export function next(
  before: PendingSelection | null,
  address: string | undefined,
  to: string,
): PendingSelection | null {
  if (to === address) return null;
  if (before === null || !before.via.includes(address)) return { to, via: [address] };
  return { to, via: [...before.via, before.to].filter((each) => each !== to) };
}
