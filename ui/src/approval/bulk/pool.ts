// Works on a list, a few items at a time.

/** Concurrent requests. */
const AT_ONCE = 4;

export async function eachAtOnce<T>(
  items: readonly T[],
  work: (item: T, at: number) => Promise<void>,
  atOnce = AT_ONCE,
): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const at = next++;
      await work(items[at] as T, at);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
