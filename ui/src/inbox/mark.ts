// Which row is marked. It is where the person went last; the address, and with it what stands beside the list, follow a
// moment later. Where the address goes by another way, the mark goes with it.
import { useCallback, useEffect, useRef, useState } from "react";

interface Ahead {
  to: string;
  /** Where the address was, and what it passes on its way. */
  via: readonly (string | undefined)[];
}

export function useMark(address: string | undefined): [string | undefined, (to: string) => void] {
  const [ahead, setAhead] = useState<Ahead | null>(null);
  const now = useRef(address);
  now.current = address;
  useEffect(() => {
    // It arrived. A way back to where it came from is no longer on its way.
    if (ahead !== null && !ahead.via.includes(address)) setAhead(null);
  }, [ahead, address]);
  const mark = useCallback((to: string) => {
    setAhead((before) => {
      if (to === now.current) return null;
      return { to, via: before !== null && before.via.includes(now.current) ? [...before.via, before.to].filter((each) => each !== to) : [now.current] };
    });
  }, []);
  return [markedAt(ahead, address), mark];
}

function markedAt(ahead: Ahead | null, address: string | undefined): string | undefined {
  return ahead !== null && ahead.via.includes(address) ? ahead.to : address;
}
