// Verifies a receipt in the browser like `countersign receipts verify` does, and compares it with what the page shows.
import { type Passkey, type Signed, signedVotes } from "./assertion";
import { type Bytes, base64, hex, join, sha256, utf8 } from "./bytes";
import { canonical } from "./canonical";
import { CheckFailed, runChecks, type Step, type Verdict } from "./checks";
import { differing, type ShownFields } from "./compare";
import { isSignedBy } from "./ed25519";
import { exactly, type Fields, fieldsOf } from "./fields";
import { covers, find, type Key } from "./keys";
import { checkShown } from "./shown";

const PAYLOAD_TYPE = "application/vnd.countersign.receipt+json";
export const VERSION = "countersign/receipt/v1";

/** Results of earlier checks that later checks use. */
export interface VerifiedReceipt {
  keyid: string;
  receipt: Fields;
  digest: string | null;
  signed: Signed[];
}

/** With `passkeys`, only these passkeys count. */
export async function verify(
  envelope: unknown,
  keys: unknown,
  shown: ShownFields,
  passkeys?: readonly Passkey[],
): Promise<Verdict> {
  const { steps, found } = signature(envelope, keys, shown, passkeys);
  const checks = await runChecks(steps);
  return {
    isGenuine: checks.every((check) => check.state === "ok"),
    checks,
    digest: found.digest,
    signed: found.signed,
  };
}

export function signature(
  envelope: unknown,
  keys: unknown,
  shown: ShownFields,
  passkeys?: readonly Passkey[],
): { steps: Step[]; found: VerifiedReceipt } {
  let signed: { payload: Bytes; sig: Bytes; keyid: string };
  let key: Key;
  const found: VerifiedReceipt = { keyid: "", receipt: {}, digest: null, signed: [] };
  const steps: Step[] = [
    [
      "Receipt has one signature",
      () => {
        signed = open(envelope);
        return `one signature over ${signed.payload.length} bytes`;
      },
    ],
    [
      "Key is published",
      async () => {
        key = await find(keys, signed.keyid);
        found.keyid = key.keyid;
        return `${key.keyid}, in this gateway's list of keys`;
      },
    ],
    [
      "Signature is valid",
      async () => {
        if (!(await isSignedBy(key.bytes, signed.sig, pae(signed.payload))))
          throw new CheckFailed("the content differs from what was signed");
        found.digest = `sha256:${hex(await sha256(signed.payload))}`;
        return "unchanged since it was signed";
      },
    ],
    [
      "Content is canonical JSON",
      () => {
        found.receipt = read(signed.payload);
        return VERSION;
      },
    ],
    [
      "Key was valid",
      () => {
        if (!covers(key, fieldsOf(found.receipt.timing).finished_at))
          throw new CheckFailed("the key was not valid when the invocation finished");
        return "when the invocation finished";
      },
    ],
    votes(found, passkeys),
    ["Documents shown to voters are unchanged", () => checkShown(found.receipt)],
    ["This page shows what was signed", () => matchesPage(found.receipt, shown)],
  ];
  return { steps, found };
}

export function votes(found: VerifiedReceipt, passkeys?: readonly Passkey[]): Step {
  return [
    "Passkey signatures of votes are valid",
    async () => {
      found.signed = await signedVotes(found.receipt, passkeys);
      if (found.signed.length === 0) return "no vote is signed with a passkey";
      return found.signed.map((each) => `signed by ${each.user} (${each.fingerprint})`).join(", ");
    },
  ];
}

/** Compares what the page shows with what is proven. */
export function matchesPage(receipt: Fields, shown: ShownFields): string {
  const { same, differ } = differing(receipt, shown);
  if (differ.length > 0) throw new CheckFailed(`these differ: ${differ.join(", ")}`);
  return same.join(", ");
}

function open(envelope: unknown): { payload: Bytes; sig: Bytes; keyid: string } {
  const outer = exactly(envelope, ["payload", "payloadType", "signatures"]);
  if (!Array.isArray(outer.signatures) || outer.signatures.length !== 1)
    throw new CheckFailed("expected exactly one signature");
  if (outer.payloadType !== PAYLOAD_TYPE) throw new CheckFailed("the envelope does not contain a receipt");
  const { keyid, sig } = exactly(outer.signatures[0], ["keyid", "sig"]);
  if (typeof keyid !== "string") throw new CheckFailed("the signature has no key ID");
  const bytes = base64(sig);
  if (bytes.length !== 64) throw new CheckFailed("the signature is not 64 bytes long");
  return { payload: base64(outer.payload), sig: bytes, keyid };
}

function read(payload: Bytes): Fields {
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(payload);
  const value = JSON.parse(text) as unknown;
  // A duplicate key, or a number or string in another notation, would not come out the same.
  if (canonical(value) !== text) throw new CheckFailed("the bytes are not in canonical form");
  const receipt = fieldsOf(value);
  if (receipt.version !== VERSION) throw new CheckFailed("unknown receipt version");
  return receipt;
}

/** The bytes that DSSE signs; the lengths separate type and payload. */
function pae(payload: Bytes): Bytes {
  return join(utf8(`DSSEv1 ${PAYLOAD_TYPE.length} ${PAYLOAD_TYPE} ${payload.length} `), payload);
}
