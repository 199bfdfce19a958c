// Reveals the hidden values of the displayed document. They are kept in the state of the page only: a mutation or query
// of TanStack would keep them in its cache.
import { useEffect, useMemo, useRef, useState } from "react";
import { ApiError, api, take } from "../../api/client";
import { queries } from "../../api/queries";
import type { ShownDocument } from "../shown";
import { type Revealed, reveal } from "./revealed";

interface State {
  /** The document that the values belong to, as text. */
  of: string;
  isLoading: boolean;
  error: unknown;
  revealed: Revealed | null;
}

export interface Reveal extends Omit<State, "of"> {
  start: () => void;
}

const NOTHING: State = { of: "", isLoading: false, error: null, revealed: null };

/** The same fields in another order are the same document. */
function sorted(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** The values are dropped when another item or another document of the same item is displayed. */
export function useReveal(shown: ShownDocument | null): Reveal {
  // The same document is often loaded again, as another object.
  const of = useMemo(() => (shown === null ? "" : JSON.stringify(shown, sorted)), [shown]);
  const [state, setState] = useState(NOTHING);
  const request = useRef<AbortController | null>(null);
  useEffect(
    () => () => {
      request.current?.abort();
      setState((now) => (now.of === of ? NOTHING : now));
    },
    [of],
  );

  const load = async (document: ShownDocument) => {
    request.current?.abort();
    request.current = new AbortController();
    const { signal } = request.current;
    const set = (next: Partial<State>) => {
      if (!signal.aborted) setState({ ...NOTHING, of, ...next });
    };
    set({ isLoading: true });
    const { invocation } = document;
    try {
      const path = { invocation };
      const { values } = await take(api.POST("/v1/invocations/{invocation}/reveal", { params: { path }, signal }));
      set({ revealed: reveal(document, values) });
    } catch (error) {
      set({ error });
      if (!signal.aborted && error instanceof ApiError && [404, 409, 410].includes(error.status))
        void queries.invalidateQueries({ queryKey: ["inbox-item", invocation] });
    }
  };
  // The effect above runs after the first render with another document.
  const { isLoading, error, revealed } = state.of === of ? state : NOTHING;
  const start = () => {
    if (shown !== null && !isLoading) void load(shown);
  };
  return { isLoading, error, revealed, start };
}
