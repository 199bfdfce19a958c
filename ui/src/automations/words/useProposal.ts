// Asks a model for a definition. It takes minutes and can be cancelled.
import { useEffect, useRef, useState } from "react";
import type { Fields } from "../definition";
import { type Proposal, propose } from "../queries";

interface State {
  isWaiting: boolean;
  answer: Proposal | null;
  error: unknown;
}

const IDLE: State = { isWaiting: false, answer: null, error: null };

export function useProposal(onAnswer: (answer: Proposal) => void) {
  const [state, setState] = useState<State>(IDLE);
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);
  const start = async (request: Fields) => {
    stop.current?.abort();
    const mine = new AbortController();
    stop.current = mine;
    setState({ ...IDLE, isWaiting: true });
    try {
      const answer = await propose(request, mine.signal);
      if (mine.signal.aborted) return;
      setState({ ...IDLE, answer });
      onAnswer(answer);
    } catch (error) {
      if (!mine.signal.aborted) setState({ ...IDLE, error });
    }
  };
  const cancel = () => {
    stop.current?.abort();
    setState(IDLE);
  };
  return { ...state, start, cancel };
}
