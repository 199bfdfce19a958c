// The public key of a passkey. Its own form decides the algorithm, never anything that comes with a signature.
import { type Bytes, isSame, join } from "./bytes";

export type PasskeyKey =
  /** ECDSA over P-256 with SHA-256: an uncompressed point, which need not be on the curve. */
  | { algorithm: "ES256"; bytes: Bytes }
  /** RSASSA-PKCS1-v1_5 with SHA-256 and the exponent 65537: SubjectPublicKeyInfo in DER. */
  | { algorithm: "RS256"; bytes: Bytes };

const POINT_LENGTH = 65;
const [FEWEST_MODULUS_BYTES, MOST_MODULUS_BYTES] = [256, 512];
/** The bytes before the modulus in a SubjectPublicKeyInfo. All lengths before it take two bytes. */
const BEFORE_MODULUS = 32;
/** 65537 in DER. */
const EXPONENT = Uint8Array.of(0x02, 0x03, 1, 0, 1);
/** rsaEncryption with the parameter NULL, in DER. */
const RSA = Uint8Array.of(0x30, 0x0d, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01, 0x05, 0x00);

/** Parses a key in one of its two forms; null if it is neither, or too weak. */
export function passkeyKey(bytes: Bytes): PasskeyKey | null {
  if (bytes[0] === 0x04) return bytes.length === POINT_LENGTH ? { algorithm: "ES256", bytes } : null;
  return bytes[0] === 0x30 && isRsa(bytes) ? { algorithm: "RS256", bytes } : null;
}

export function verifies(key: PasskeyKey, signature: Bytes, message: Bytes): Promise<boolean> {
  return key.algorithm === "ES256"
    ? verifiesEs256(key.bytes, signature, message)
    : verifiesRs256(key.bytes, signature, message);
}

async function verifiesEs256(point: Bytes, signature: Bytes, message: Bytes): Promise<boolean> {
  const curve = { name: "ECDSA", namedCurve: "P-256" };
  const pair = fromDer(signature);
  // A point that is not on the curve is not a key.
  const key = await crypto.subtle.importKey("raw", point, curve, false, ["verify"]).catch(() => null);
  return pair !== null && key !== null && crypto.subtle.verify({ name: "ECDSA", hash: "SHA-256" }, key, pair, message);
}

async function verifiesRs256(spki: Bytes, signature: Bytes, message: Bytes): Promise<boolean> {
  const algorithm = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("spki", spki, algorithm, false, ["verify"]).catch(() => null);
  return key !== null && crypto.subtle.verify(algorithm.name, key, signature, message);
}

/** A modulus of 2048 to 4096 bits that is odd, the exponent 65537, and the only encoding of both. */
function isRsa(bytes: Bytes): boolean {
  const integer = bytes.slice(BEFORE_MODULUS, -EXPONENT.length);
  const modulus = integer[0] === 0 ? integer.slice(1) : integer;
  const [first = 0, last = 0] = [modulus[0], modulus.at(-1)];
  const isLong = modulus.length === FEWEST_MODULUS_BYTES ? first >= 0x80 : first > 0;
  return (
    modulus.length >= FEWEST_MODULUS_BYTES &&
    modulus.length <= MOST_MODULUS_BYTES &&
    isLong &&
    last % 2 === 1 &&
    isSame(subjectPublicKeyInfo(modulus), bytes)
  );
}

function subjectPublicKeyInfo(modulus: Bytes): Bytes {
  // A number whose first bit is set would be negative.
  const sign = new Uint8Array((modulus[0] ?? 0) >= 0x80 ? 1 : 0);
  const key = der(0x30, der(0x02, sign, modulus), EXPONENT);
  return der(0x30, RSA, der(0x03, Uint8Array.of(0), key));
}

/** A DER value of 256 to 65535 bytes. */
function der(tag: number, ...parts: Bytes[]): Bytes {
  const content = join(...parts);
  return join(Uint8Array.of(tag, 0x82, content.length >> 8, content.length & 0xff), content);
}

/** Converts a DER signature to the 64 bytes that WebCrypto expects; null if it is not canonical DER. */
export function fromDer(der: Bytes): Bytes | null {
  const [sequence, length, ...inner] = der;
  if (sequence !== 0x30 || length !== inner.length || length > 0x7f) return null;
  const first = number(inner);
  const second = first && number(first.rest);
  return second && second.rest.length === 0 ? Uint8Array.from([...first.value, ...second.value]) : null;
}

function number(bytes: number[]): { value: number[]; rest: number[] } | null {
  const [tag, length = 0, ...after] = bytes;
  const digits = after.slice(0, length);
  const [first = 0x80, next = 0] = digits;
  // Not negative, and no unnecessary leading zero.
  if (tag !== 0x02 || digits.length !== length || first > 0x7f || (first === 0 && length > 1 && next <= 0x7f))
    return null;
  const value = first === 0 ? digits.slice(1) : digits;
  return value.length > 32
    ? null
    : { value: [...Array<number>(32 - value.length).fill(0), ...value], rest: after.slice(length) };
}
