// The gateway's events as they happen (`text/event-stream`), read with `fetch`. Unlike `EventSource` it reports why
// there is no stream, and sees the comments with which the gateway keeps the connection open.
import { createParser } from "eventsource-parser";

export interface LiveEvent {
  /** Pass it as `after` to continue from here. */
  id: string;
  type: string;
  /** When it happened, RFC 3339. */
  created: string;
  data: Readonly<Record<string, unknown>>;
}

/** Collects the events of a stream, however the stream is cut into pieces. */
export class EventReader {
  private found: LiveEvent[] = [];
  private readonly parser = createParser({
    onEvent: ({ id = "", event = "", data }) => {
      const document = JSON.parse(data) as { created?: string; data?: LiveEvent["data"] };
      this.found.push({ id, type: event, created: document.created ?? "", data: document.data ?? {} });
    },
  });

  /** The events that are complete with this piece. */
  read(piece: string): LiveEvent[] {
    this.parser.feed(piece);
    const complete = this.found;
    this.found = [];
    return complete;
  }
}

interface Listener {
  after: string | null;
  signal: AbortSignal;
  /** The connection is open, or still is. */
  onAlive: () => void;
  onEvent: (event: LiveEvent) => void;
}

/** Ends when the stream does, and fails when there is none. */
export async function listen(types: string, { after, signal, onAlive, onEvent }: Listener): Promise<void> {
  const query = new URLSearchParams({ type: types, ...(after === null ? {} : { after }) });
  const response = await fetch(`/v1/events/stream?${query}`, { signal, redirect: "error", credentials: "same-origin" });
  if (!response.ok || response.body === null) throw new Error(`no stream: ${response.status}`);
  onAlive();
  const events = new EventReader();
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    onAlive();
    events.read(value).forEach(onEvent);
  }
}
