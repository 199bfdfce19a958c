// Whether the parameters of the displayed request are being edited.
import { useEffect, useState } from "react";
import type { ShownDocument } from "../shown";

export interface Edit {
  isOpen: boolean;
  start: () => void;
  stop: () => void;
}

/** Otherwise the request would run as it is displayed, without the changes that are being typed. */
export const FINISH_EDITING = "Save or cancel your changes first";

/** The editor stays open when the request is loaded again, and is closed when another request is displayed. */
export function useEdit(shown: ShownDocument | null): Edit {
  const of = shown?.invocation ?? null;
  const [edited, setEdited] = useState<string | null>(null);
  const stop = () => setEdited((now) => (now === of ? null : now));
  useEffect(() => () => setEdited((now) => (now === of ? null : now)), [of]);
  return { isOpen: of !== null && edited === of, start: () => setEdited(of), stop };
}
