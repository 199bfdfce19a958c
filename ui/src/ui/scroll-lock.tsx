// Stops the page from scrolling behind a dialog. Replaces `react-remove-scroll`, which adds a style element that the
// content-security policy blocks.
import { type ElementType, type ReactNode, useEffect } from "react";

let locks = 0;

interface Props {
  as?: ElementType;
  children?: ReactNode;
  enabled?: boolean;
}

export function RemoveScroll({ as: As = "div", children, enabled = true }: Props) {
  useEffect(() => {
    if (!enabled) return undefined;
    locks += 1;
    document.documentElement.dataset.locked = "";
    return () => {
      locks -= 1;
      if (locks === 0) delete document.documentElement.dataset.locked;
    };
  }, [enabled]);
  return <As>{children}</As>;
}

export default RemoveScroll;
