// SHA-256 for pages without `crypto.subtle`: browsers offer it only with https and on localhost, and an answer needs
// the digest of what was shown on every page.
import type { Bytes } from "./bytes";

const PRIMES = firstPrimes(64);
/** The first 32 bits of the fractional part. */
const fraction = (root: number) => ((root % 1) * 2 ** 32) | 0;
const START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const ROUNDS = PRIMES.map((prime) => fraction(Math.cbrt(prime)));

function firstPrimes(count: number): number[] {
  const found: number[] = [];
  for (let n = 2; found.length < count; n += 1) if (found.every((prime) => n % prime !== 0)) found.push(n);
  return found;
}

export function plainSha256(bytes: Bytes): Bytes {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(padded.length - 4, bytes.length << 3);
  const state = Int32Array.from(START);
  for (let at = 0; at < padded.length; at += 64) compress(state, view, at);
  const out = new DataView(new ArrayBuffer(32));
  state.forEach((word, n) => out.setInt32(4 * n, word));
  return new Uint8Array(out.buffer);
}

const rotated = (word: number, by: number) => (word >>> by) | (word << (32 - by));

function compress(state: Int32Array, view: DataView, from: number): void {
  const words = new Int32Array(64);
  const word = (at: number) => words[at] as number;
  for (let t = 0; t < 64; t += 1) {
    if (t < 16) {
      words[t] = view.getInt32(from + 4 * t);
      continue;
    }
    const [x, y] = [word(t - 15), word(t - 2)];
    const [low, high] = [rotated(x, 7) ^ rotated(x, 18) ^ (x >>> 3), rotated(y, 17) ^ rotated(y, 19) ^ (y >>> 10)];
    words[t] = (word(t - 16) + low + word(t - 7) + high) | 0;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let t = 0; t < 64; t += 1) {
    const choice = (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + ((e & f) ^ (~e & g));
    const first = (h + choice + (ROUNDS[t] as number) + word(t)) | 0;
    const second = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((part, n) => {
    state[n] = ((state[n] as number) + part) | 0;
  });
}
