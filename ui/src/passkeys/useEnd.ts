// Ends with what is on the page: a device that still asks is told to stop, and nothing is done with what it would say.
import { useEffect, useRef } from "react";

export function useEnd(): () => AbortSignal {
  const end = useRef(new AbortController());
  useEffect(() => {
    if (end.current.signal.aborted) end.current = new AbortController();
    return () => end.current.abort();
  }, []);
  return () => end.current.signal;
}
