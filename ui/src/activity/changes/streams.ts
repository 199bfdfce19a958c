// One list out of several, newest first. A group of changes consists of several kinds, and the API filters by one.

/** The changes of one kind that are fetched and not yet shown, and where to continue. */
export interface Stream<T> {
  prefix: string;
  held: readonly T[];
  cursor: string | null;
  isDone: boolean;
}

export interface MergedPage<T> {
  items: T[];
  /** Where the next page begins; null after the last one. */
  rest: Stream<T>[] | null;
}

type Fetch<T> = (prefix: string, cursor: string | null) => Promise<{ items: T[]; next_cursor?: string | null }>;

export function streams<T>(prefixes: readonly string[]): Stream<T>[] {
  return prefixes.map((prefix) => ({ prefix, held: [], cursor: null, isDone: false }));
}

export async function nextPage<T extends { id: string }>(from: Stream<T>[], fetch: Fetch<T>): Promise<MergedPage<T>> {
  const filled = await Promise.all(from.map((stream) => fill(stream, fetch)));
  // A stream with unfetched changes may have any that is older than its last fetched one: beyond that, wait for it.
  const limits = filled.filter((stream) => !stream.isDone).map((stream) => stream.held.at(-1)?.id);
  const isKnown = ({ id }: T) => limits.every((limit) => limit !== undefined && id >= limit);
  const items = filled.flatMap((stream) => stream.held.filter(isKnown)).sort(byAge);
  const rest = filled.map((stream) => ({ ...stream, held: stream.held.filter((each) => !isKnown(each)) }));
  return { items, rest: rest.every((stream) => stream.isDone && stream.held.length === 0) ? null : rest };
}

async function fill<T>(stream: Stream<T>, fetch: Fetch<T>): Promise<Stream<T>> {
  if (stream.isDone || stream.held.length > 0) return stream;
  const { items, next_cursor: cursor = null } = await fetch(stream.prefix, stream.cursor);
  return { ...stream, held: items, cursor, isDone: cursor === null };
}

/** IDs begin with their time, and the gateway sorts by them too. */
function byAge(a: { id: string }, b: { id: string }): number {
  return a.id < b.id ? 1 : a.id > b.id ? -1 : 0;
}
