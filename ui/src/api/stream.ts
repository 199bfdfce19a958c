// The gateway's events as they happen (`text/event-stream`), read by `fetch`: unlike `EventSource` it tells why there is no
// stream, and hears when the gateway says that it is still there.

export interface Told {
  /** Where to go on after a break. */
  id: string;
  type: string;
  data: Readonly<Record<string, unknown>>;
}

/** The messages of a stream, from whatever pieces it comes in. */
export class Messages {
  private rest = "";

  /** What is complete now. */
  take(piece: string): Told[] {
    const parts = (this.rest + piece).replaceAll("\r\n", "\n").split("\n\n");
    this.rest = parts.pop() ?? "";
    return parts.flatMap(message);
  }
}

function message(part: string): Told[] {
  const fields = new Map<string, string>();
  for (const line of part.split("\n")) {
    const [, name = "", value = ""] = /^([^:]*): ?([^]*)$/.exec(line) ?? [];
    if (name !== "") fields.set(name, fields.has(name) ? `${fields.get(name)}\n${value}` : value);
  }
  const data = fields.get("data");
  // A comment keeps the connection open and says nothing.
  if (data === undefined) return [];
  const event = JSON.parse(data) as { data?: Told["data"] };
  return [{ id: fields.get("id") ?? "", type: fields.get("event") ?? "", data: event.data ?? {} }];
}

interface Listener {
  after: string | null;
  signal: AbortSignal;
  /** It is there, or says that it still is. */
  onHeard: () => void;
  onTold: (told: Told) => void;
}

/** Ends when the stream does, and fails when there is none. */
export async function listen(types: string, { after, signal, onHeard, onTold }: Listener): Promise<void> {
  const query = new URLSearchParams({ type: types, ...(after === null ? {} : { after }) });
  const response = await fetch(`/v1/events/stream?${query}`, { signal, redirect: "error", credentials: "same-origin" });
  if (!response.ok || response.body === null) throw new Error(`no stream: ${response.status}`);
  onHeard();
  const messages = new Messages();
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    onHeard();
    messages.take(value).forEach(onTold);
  }
}
