// Verifies a signed document in the browser like `countersign receipts verify` does, and compares it with what the page
// shows.
import { type Passkey, type Signed, signedVotes } from "./assertion";
import { type Bytes, base64, hex, join, sha256, utf8 } from "./bytes";
import { canonical } from "./canonical";
import { CheckFailed, runChecks, type Step, type Verdict } from "./checks";
import { differing, type ShownFields } from "./compare";
import { type DocumentKind, RECEIPT } from "./documents";
import { isSignedBy } from "./ed25519";
import { exactly, type Fields, fieldsOf } from "./fields";
import { covers, find, type Key } from "./keys";
import { checkShown } from "./shown";

/** Results of earlier checks that later checks use. */
export interface Verified {
  keyid: string;
  document: Fields;
  digest: string | null;
  signed: Signed[];
}

export interface Options {
  /** The kind that the page expects; any other one is refused. A receipt unless stated. */
  kind?: DocumentKind;
  /** If given, only these passkeys count. */
  passkeys?: readonly Passkey[];
}

export async function verify(
  envelope: unknown,
  keys: unknown,
  shown: ShownFields,
  options: Options = {},
): Promise<Verdict> {
  const { steps, found } = signature(envelope, keys, shown, options);
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
  { kind = RECEIPT, passkeys }: Options,
): { steps: Step[]; found: Verified } {
  let signed: { payload: Bytes; sig: Bytes; keyid: string };
  let key: Key;
  const found: Verified = { keyid: "", document: {}, digest: null, signed: [] };
  const when = `when ${kind.event.join(" ")}`;
  const steps: Step[] = [
    [
      `${kind.noun.charAt(0).toUpperCase()}${kind.noun.slice(1)} has one signature`,
      () => {
        signed = open(envelope, kind);
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
        if (!(await isSignedBy(key.bytes, signed.sig, pae(kind.payloadType, signed.payload))))
          throw new CheckFailed("the content differs from what was signed");
        found.digest = `sha256:${hex(await sha256(signed.payload))}`;
        return "unchanged since it was signed";
      },
    ],
    [
      "Content is canonical JSON",
      () => {
        found.document = read(signed.payload, kind);
        return kind.version;
      },
    ],
    [
      "Key was valid",
      () => {
        if (!covers(key, kind.time(found.document))) throw new CheckFailed(`the key was not valid ${when}`);
        return when;
      },
    ],
    ...(kind.hasVotes ? [votes(found, passkeys), shownToVoters(found)] : []),
    ["This page shows what was signed", () => matchesPage(found.document, shown)],
  ];
  return { steps, found };
}

function shownToVoters(found: Verified): Step {
  return ["Documents shown to voters are unchanged", () => checkShown(found.document)];
}

export function votes(found: Verified, passkeys?: readonly Passkey[]): Step {
  return [
    "Passkey signatures of votes are valid",
    async () => {
      found.signed = await signedVotes(found.document, passkeys);
      if (found.signed.length === 0) return "no vote is signed with a passkey";
      return found.signed.map((each) => `signed by ${each.user} (${each.fingerprint})`).join(", ");
    },
  ];
}

/** Compares what the page shows with what is proven. */
export function matchesPage(document: Fields, shown: ShownFields): string {
  const { same, differ } = differing(document, shown);
  if (differ.length > 0) throw new CheckFailed(`these differ: ${differ.join(", ")}`);
  return same.join(", ");
}

function open(envelope: unknown, kind: DocumentKind): { payload: Bytes; sig: Bytes; keyid: string } {
  const outer = exactly(envelope, ["payload", "payloadType", "signatures"]);
  if (!Array.isArray(outer.signatures) || outer.signatures.length !== 1)
    throw new CheckFailed("expected exactly one signature");
  if (outer.payloadType !== kind.payloadType) throw new CheckFailed(`the envelope does not contain a ${kind.noun}`);
  const { keyid, sig } = exactly(outer.signatures[0], ["keyid", "sig"]);
  if (typeof keyid !== "string") throw new CheckFailed("the signature has no key ID");
  const bytes = base64(sig);
  if (bytes.length !== 64) throw new CheckFailed("the signature is not 64 bytes long");
  return { payload: base64(outer.payload), sig: bytes, keyid };
}

function read(payload: Bytes, kind: DocumentKind): Fields {
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(payload);
  const value = JSON.parse(text) as unknown;
  // A duplicate key, or a number or string in another notation, would not come out the same.
  if (canonical(value) !== text) throw new CheckFailed("the bytes are not in canonical form");
  const document = fieldsOf(value);
  if (document.version !== kind.version) throw new CheckFailed(`unknown ${kind.noun} version`);
  kind.checkFields(document);
  return document;
}

/** The bytes that DSSE signs; the lengths separate type and payload. */
function pae(payloadType: string, payload: Bytes): Bytes {
  return join(utf8(`DSSEv1 ${payloadType.length} ${payloadType} ${payload.length} `), payload);
}
