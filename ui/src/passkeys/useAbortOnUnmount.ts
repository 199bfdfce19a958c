// An abort signal that ends with the component, so that the device stops asking.
import { useEffect, useRef } from "react";

export function useAbortOnUnmount(): () => AbortSignal {
  const end = useRef(new AbortController());
  useEffect(() => {
    if (end.current.signal.aborted) end.current = new AbortController();
    return () => end.current.abort();
  }, []);
  return () => end.current.signal;
}
