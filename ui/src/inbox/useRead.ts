// Knows whether the end of what would be done was ever on the screen. Text that was pushed below it was not read.
import { useCallback, useRef } from "react";

export function useRead(key: string): { end: (element: HTMLDivElement | null) => void; isUnread: () => boolean } {
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
