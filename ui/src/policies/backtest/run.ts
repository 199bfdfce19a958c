// Runs a backtest: progress while it is streamed, then the result. It can be cancelled.
import { useEffect, useRef, useState } from "react";
import { ApiError, type Problem } from "../../api/client";
import { backtestStream } from "../queries";
import type { BacktestRequest, BacktestResult } from "../types";
import { LineReader, type Piece, type Progress } from "./result";

const INTERRUPTED: Problem = {
  type: "unexpected",
  code: "unexpected",
  status: 0,
  title: "Backtest interrupted",
  detail: "The connection ended before the result.",
  hint: "start the backtest again",
};

/** Reads a stream to its result. Fails with the problem that the stream names. */
export async function readResult(
  stream: ReadableStream<Uint8Array>,
  onProgress: (progress: Progress) => void,
): Promise<BacktestResult> {
  const lines = new LineReader();
  const decoder = new TextDecoder();
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      const found = done ? lines.end() : lines.read(decoder.decode(value, { stream: true }));
      for (const piece of found) {
        const result = resultOf(piece, onProgress);
        if (result !== null) return result;
      }
      if (done) throw new ApiError(INTERRUPTED);
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}

function resultOf(piece: Piece, onProgress: (progress: Progress) => void): BacktestResult | null {
  if ("problem" in piece) throw new ApiError(piece.problem as Problem);
  if ("progress" in piece) onProgress(piece.progress);
  return "result" in piece ? piece.result : null;
}

interface State {
  isRunning: boolean;
  progress: Progress | null;
  /** With the request that it is about. */
  result: { of: BacktestRequest; value: BacktestResult } | null;
  error: unknown;
}

const IDLE: State = { isRunning: false, progress: null, result: null, error: null };

export function useBacktest() {
  const [state, setState] = useState<State>(IDLE);
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);
  const start = async (request: BacktestRequest) => {
    stop.current?.abort();
    const mine = new AbortController();
    stop.current = mine;
    const set = (next: Partial<State>) => !mine.signal.aborted && setState((last) => ({ ...last, ...next }));
    set({ ...IDLE, isRunning: true });
    try {
      const stream = await backtestStream(request, mine.signal);
      const value = await readResult(stream, (progress) => set({ progress }));
      set({ isRunning: false, result: { of: request, value } });
    } catch (error) {
      set({ isRunning: false, error: error instanceof ApiError ? error : new ApiError(INTERRUPTED) });
    }
  };
  const cancel = () => {
    stop.current?.abort();
    stop.current = null;
    setState(IDLE);
  };
  return { ...state, start, cancel };
}
