// Verifies a receipt in the browser, as `countersign receipts verify` does: form, key, signature, canonical bytes, time,
// and then whether what the page shows is what was signed. What comes after a check that failed is not looked at.
import { canonical } from "./canonical";
import { isSignedBy } from "./ed25519";
import { differing, type Shown } from "./shown";

export interface Check {
  name: string;
  state: "ok" | "wrong" | "skipped";
  said: string;
}

export interface Verdict {
  isGenuine: boolean;
  checks: Check[];
  /** `sha256:…` over the signed bytes, once it is known that they were signed. */
  digest: string | null;
}

const PAYLOAD_TYPE = "application/vnd.countersign.receipt+json";
const VERSION = "countersign/receipt/v1";
const KEYS_VERSION = "countersign/keys/v1";

type Bytes = Uint8Array<ArrayBuffer>;
type Fields = Record<string, unknown>;

/** What a check found wrong, in words. */
class Wrong extends Error {}

export async function verify(envelope: unknown, keys: unknown, shown: Shown): Promise<Verdict> {
  let signed: { payload: Bytes; sig: Bytes; keyid: string };
  let key: { bytes: Bytes; fields: Fields };
  let receipt: Fields;
  let digest: string | null = null;
  const steps: [string, () => string | Promise<string>][] = [
    ["It is a signed receipt", () => {
      signed = open(envelope);
      return `an envelope with one signature over ${signed.payload.length} bytes`;
    }],
    ["Its key is published", async () => {
      key = await find(keys, signed.keyid);
      return `${signed.keyid}, in this gateway's list of keys`;
    }],
    ["The signature belongs to these bytes", async () => {
      if (!(await isSignedBy(key.bytes, signed.sig, pae(signed.payload)))) throw new Wrong("not one byte may differ from what was signed, and at least one does");
      digest = `sha256:${hex(await sha256(signed.payload))}`;
      return "unchanged since it was signed";
    }],
    ["The bytes have one meaning", () => {
      receipt = read(signed.payload);
      return `canonical JSON, ${VERSION}`;
    }],
    ["The key was valid then", () => covers(key.fields, receipt)],
    ["This page shows what was signed", () => {
      const { same, differ } = differing(receipt, shown);
      if (differ.length > 0) throw new Wrong(`these differ: ${differ.join(", ")}`);
      return same.join(", ");
    }],
  ];
  const checks: Check[] = [];
  for (const [name, look] of steps) {
    if (checks.some((check) => check.state === "wrong")) checks.push({ name, state: "skipped", said: "not looked at" });
    else checks.push(await one(name, look));
  }
  return { isGenuine: checks.every((check) => check.state === "ok"), checks, digest };
}

async function one(name: string, look: () => string | Promise<string>): Promise<Check> {
  try {
    return { name, state: "ok", said: await look() };
  } catch (error) {
    return { name, state: "wrong", said: error instanceof Wrong ? error.message : "it cannot be read" };
  }
}

function open(envelope: unknown): { payload: Bytes; sig: Bytes; keyid: string } {
  const outer = exactly(envelope, ["payload", "payloadType", "signatures"]);
  if (!Array.isArray(outer["signatures"]) || outer["signatures"].length !== 1) throw new Wrong("it does not have exactly one signature");
  if (outer["payloadType"] !== PAYLOAD_TYPE) throw new Wrong("the envelope holds something other than a receipt");
  const { keyid, sig } = exactly(outer["signatures"][0], ["keyid", "sig"]);
  if (typeof keyid !== "string") throw new Wrong("the signature names no key");
  const bytes = base64(sig);
  if (bytes.length !== 64) throw new Wrong("the signature does not have 64 bytes");
  return { payload: base64(outer["payload"]), sig: bytes, keyid };
}

async function find(keys: unknown, keyid: string): Promise<{ bytes: Bytes; fields: Fields }> {
  const set = fieldsOf(keys);
  if (set["version"] !== KEYS_VERSION || !Array.isArray(set["keys"])) throw new Wrong("the list of keys is not understood");
  const found = set["keys"].map(fieldsOf).filter((key) => key["keyid"] === keyid);
  const [fields] = found;
  if (fields === undefined || found.length > 1) throw new Wrong(`${keyid} is not in this gateway's list of keys`);
  const bytes = base64(fields["public_key"]);
  if (fields["algorithm"] !== "ed25519" || bytes.length !== 32) throw new Wrong(`${keyid} is not a usable key`);
  if (hex(await sha256(bytes)).slice(0, 16) !== keyid) throw new Wrong(`${keyid} is not named after its public half`);
  return { bytes, fields };
}

function read(payload: Bytes): Fields {
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(payload);
  const value = JSON.parse(text) as unknown;
  // A key that occurs twice, a number or a text written in another way: none of them comes out the same.
  if (canonical(value) !== text) throw new Wrong("the bytes are not in canonical form");
  const receipt = fieldsOf(value);
  if (receipt["version"] !== VERSION) throw new Wrong("the receipt is of a version this page does not know");
  return receipt;
}

function covers(key: Fields, receipt: Fields): string {
  const finished = moment(fieldsOf(receipt["timing"])["finished_at"]);
  const ends = [key["not_after"], key["retired_at"]].filter((end) => end !== null && end !== undefined).map(moment);
  if (finished < moment(key["not_before"]) || ends.some((end) => end < finished)) throw new Wrong("the key was not valid when the invocation finished");
  return "when the invocation finished";
}

/** RFC 3339 in UTC, so that the order of texts is the order of time. */
function moment(at: unknown): string {
  const parts = typeof at === "string" ? /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?Z$/.exec(at) : null;
  if (parts === null) throw new Wrong("a time is not RFC 3339 in UTC");
  return `${parts[1]}.${(parts[2] ?? "").padEnd(9, "0")}`;
}

/** What is really signed, by DSSE: lengths keep type and payload apart. */
function pae(payload: Bytes): Bytes {
  const head = new TextEncoder().encode(`DSSEv1 ${PAYLOAD_TYPE.length} ${PAYLOAD_TYPE} ${payload.length} `);
  const all = new Uint8Array(head.length + payload.length);
  all.set(head);
  all.set(payload, head.length);
  return all;
}

/** Standard base64 in its only form: one text per content. */
function base64(text: unknown): Bytes {
  if (typeof text !== "string") throw new Wrong("something in it is no base64");
  const raw = atob(text);
  if (btoa(raw) !== text) throw new Wrong("something in it is not canonical base64");
  return Uint8Array.from(raw, (letter) => letter.charCodeAt(0));
}

async function sha256(bytes: Bytes): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

function hex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function exactly(value: unknown, names: string[]): Fields {
  const fields = fieldsOf(value);
  if (canonical(Object.keys(fields).sort()) !== canonical(names)) throw new Wrong("it has other fields than an envelope");
  return fields;
}

function fieldsOf(value: unknown): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Wrong("something in it is missing");
  return value as Fields;
}
