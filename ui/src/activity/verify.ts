// Verifies a receipt in the browser, as `countersign receipts verify` does: form, key, signature, canonical bytes, time,
// and then whether what the page shows is what was signed. What comes after a check that failed is not looked at.
import { type Passkey, type Signed, signedVotes } from "./assertion";
import { base64, type Bytes, hex, join, sha256, utf8 } from "./bytes";
import { canonical } from "./canonical";
import { type Step, type Verdict, walk, Wrong } from "./checks";
import { isSignedBy } from "./ed25519";
import { exactly, type Fields, fieldsOf } from "./fields";
import { covers, find, type Key } from "./keys";
import { differing, type Shown } from "./shown";

const PAYLOAD_TYPE = "application/vnd.countersign.receipt+json";
export const VERSION = "countersign/receipt/v1";

/** What the checks of a receipt find, for those that come after them. */
export interface Found {
  keyid: string;
  receipt: Fields;
  digest: string | null;
  signed: Signed[];
}

/** With `passkeys`, a vote may be signed with those alone. */
export async function verify(envelope: unknown, keys: unknown, shown: Shown, passkeys?: readonly Passkey[]): Promise<Verdict> {
  const { steps, found } = signature(envelope, keys, shown, passkeys);
  const checks = await walk(steps);
  return { isGenuine: checks.every((check) => check.state === "ok"), checks, digest: found.digest, signed: found.signed };
}

export function signature(envelope: unknown, keys: unknown, shown: Shown, passkeys?: readonly Passkey[]): { steps: Step[]; found: Found } {
  let signed: { payload: Bytes; sig: Bytes; keyid: string };
  let key: Key;
  const found: Found = { keyid: "", receipt: {}, digest: null, signed: [] };
  const steps: Step[] = [
    ["It is a signed receipt", () => {
      signed = open(envelope);
      return `an envelope with one signature over ${signed.payload.length} bytes`;
    }],
    ["Its key is published", async () => {
      key = await find(keys, signed.keyid);
      found.keyid = key.keyid;
      return `${key.keyid}, in this gateway's list of keys`;
    }],
    ["The signature belongs to these bytes", async () => {
      if (!(await isSignedBy(key.bytes, signed.sig, pae(signed.payload)))) throw new Wrong("not one byte may differ from what was signed, and at least one does");
      found.digest = `sha256:${hex(await sha256(signed.payload))}`;
      return "unchanged since it was signed";
    }],
    ["The bytes have one meaning", () => {
      found.receipt = read(signed.payload);
      return `canonical JSON, ${VERSION}`;
    }],
    ["The key was valid then", () => {
      if (!covers(key, fieldsOf(found.receipt["timing"])["finished_at"])) throw new Wrong("the key was not valid when the invocation finished");
      return "when the invocation finished";
    }],
    votes(found, passkeys),
    ["This page shows what was signed", () => held(found.receipt, shown)],
  ];
  return { steps, found };
}

/** Whether those who signed their votes signed these. */
export function votes(found: Found, passkeys?: readonly Passkey[]): Step {
  return ["Votes signed with a passkey hold", async () => {
    found.signed = await signedVotes(found.receipt, passkeys);
    if (found.signed.length === 0) return "none is signed with one";
    return found.signed.map((each) => `signed with a passkey by ${each.user} (${each.fingerprint})`).join(", ");
  }];
}

/** Holds what the page shows against what is proven. */
export function held(receipt: Fields, shown: Shown): string {
  const { same, differ } = differing(receipt, shown);
  if (differ.length > 0) throw new Wrong(`these differ: ${differ.join(", ")}`);
  return same.join(", ");
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

function read(payload: Bytes): Fields {
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(payload);
  const value = JSON.parse(text) as unknown;
  // A key that occurs twice, a number or a text written in another way: none of them comes out the same.
  if (canonical(value) !== text) throw new Wrong("the bytes are not in canonical form");
  const receipt = fieldsOf(value);
  if (receipt["version"] !== VERSION) throw new Wrong("the receipt is of a version this page does not know");
  return receipt;
}

/** What is really signed, by DSSE: lengths keep type and payload apart. */
function pae(payload: Bytes): Bytes {
  return join(utf8(`DSSEv1 ${PAYLOAD_TYPE.length} ${PAYLOAD_TYPE} ${payload.length} `), payload);
}
