// Which row is marked. It is where the person went last; the address, and with it what stands beside the list, follow a
// moment later. Where the address goes by another way, the mark goes with it.
import { useCallback, useEffect, useRef, useState } from "react";

export interface Ahead {
  to: string;
  /** Where the address was, and what it passes on its way. */
  via: readonly (string | undefined)[];
}

export function useMark(address: string | undefined): [string | undefined, (to: string) => void] {
  const [ahead, setAhead] = useState<Ahead | null>(null);
  const now = useRef(address);
  now.current = address;
  useEffect(() => {
    // It arrived. Whoever goes back to where it came from is not on this way any more.
    if (ahead !== null && !ahead.via.includes(address)) setAhead(null);
  }, [ahead, address]);
  const mark = useCallback((to: string) => setAhead((before) => next(before, now.current, to)), []);
  return [marked(ahead, address), mark];
}

export function marked(ahead: Ahead | null, address: string | undefined): string | undefined {
  return ahead !== null && ahead.via.includes(address) ? ahead.to : address;
}

export function next(before: Ahead | null, address: string | undefined, to: string): Ahead | null {
  if (to === address) return null;
  if (before === null || !before.via.includes(address)) return { to, via: [address] };
  return { to, via: [...before.via, before.to].filter((each) => each !== to) };
}
