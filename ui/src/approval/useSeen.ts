// Whether the end of a request was ever visible.
import { useCallback, useRef } from "react";

export function useSeen(key: string): { end: (element: HTMLDivElement | null) => void; isUnread: () => boolean } {
  const read = useRef<string | null>(null);
  const observer = useRef<IntersectionObserver | null>(null);
  const end = useCallback(
    (element: HTMLDivElement | null) => {
      observer.current?.disconnect();
      if (element === null) return;
      observer.current = new IntersectionObserver((entries) => {
        if (entries.some((entry) => entry.isIntersecting)) read.current = key;
      });
      observer.current.observe(element);
    },
    [key],
  );
  return { end, isUnread: () => read.current !== key };
}
