// Bytes and their encodings in receipts and the ledger.
import { sha256 as plainSha256 } from "@noble/hashes/sha2.js";
import { CheckFailed } from "./checks";

export type Bytes = Uint8Array<ArrayBuffer>;

export function utf8(text: string): Bytes {
  return new TextEncoder().encode(text);
}

export function join(...parts: Bytes[]): Bytes {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

export function isSame(one: Bytes, other: Bytes): boolean {
  return hex(one) === hex(other);
}

/** Canonical base64 only: one encoding per content. */
export function base64(text: unknown): Bytes {
  if (typeof text !== "string") throw new CheckFailed("invalid base64");
  const raw = atob(text);
  if (btoa(raw) !== text) throw new CheckFailed("base64 is not canonical");
  return Uint8Array.from(raw, (letter) => letter.charCodeAt(0));
}

/** Canonical base64url without padding. */
export function base64url(text: unknown): Bytes {
  if (typeof text !== "string" || !/^[\w-]*$/.test(text)) throw new CheckFailed("invalid base64url");
  return base64(text.replaceAll("-", "+").replaceAll("_", "/") + "=".repeat((4 - (text.length % 4)) % 4));
}

export function toBase64url(bytes: Bytes): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}

/** 32 bytes in base64. */
export function hashOfBase64(text: unknown): Bytes {
  const bytes = base64(text);
  if (bytes.length !== 32) throw new CheckFailed("a hash or seed is not 32 bytes long");
  return bytes;
}

/** 32 bytes in hex, in small letters. */
export function hashOfHex(text: unknown): Bytes {
  if (typeof text !== "string" || !/^[0-9a-f]{64}$/.test(text)) throw new CheckFailed("a hash is not 32 bytes in hex");
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** Browsers offer `crypto.subtle` only with https and on localhost, and an answer needs a digest on every page. */
export async function sha256(...parts: Bytes[]): Promise<Bytes> {
  const subtle: SubtleCrypto | undefined = crypto.subtle;
  const bytes = join(...parts);
  return new Uint8Array(subtle === undefined ? plainSha256(bytes) : await subtle.digest("SHA-256", bytes));
}

export function hex(bytes: Bytes): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
