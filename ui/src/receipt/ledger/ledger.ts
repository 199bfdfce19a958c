// Verifies a signed document and its place in the ledger, as described in docs/ledger.md.
import { number } from "../../text/number";
import { isSame, utf8 } from "../bytes";
import { canonical } from "../canonical";
import { CheckFailed, runChecks, type Step, type Verdict } from "../checks";
import type { ShownFields } from "../compare";
import { type DocumentKind, RECEIPT } from "../documents";
import { count, type Fields, fieldsOf, moment, seconds } from "../fields";
import { find } from "../keys";
import { matchesPage, type Options, signature, type Verified, verify, votes } from "../verify";
import { type Bundle, open, type PlacedRecord } from "./bundle";
import { type Checkpoint, checkpoint } from "./checkpoint";
import { commitment } from "./commitment";
import { leaf, rootFrom } from "./merkle";

export interface Proof extends Verdict {
  /** Whether the ledger proof was checked too. */
  isLogged: boolean;
  /** The proven facts of an erased document. */
  left: { facts: Fields; erasedAt: string } | null;
}

/** How far clocks of one deployment may differ, in seconds. */
const SKEW = 300;

/** Verifies the bundle, or the signature alone where there is no bundle yet. Null where there is neither. */
export async function verifyAll(
  envelope: unknown,
  bundle: string | null,
  keys: unknown,
  shown: ShownFields,
  options: Options = {},
): Promise<Proof | null> {
  if (bundle !== null) return verifyBundle(bundle, keys, shown, options);
  if (envelope === null || envelope === undefined) return null;
  return { ...(await verify(envelope, keys, shown, options)), isLogged: false, left: null };
}

/** `text` is the bundle as the gateway wrote it. */
export async function verifyBundle(
  text: string,
  keys: unknown,
  shown: ShownFields,
  options: Options = {},
): Promise<Proof> {
  const { kind = RECEIPT } = options;
  const opened: { bundle?: Bundle } = {};
  const checks = await runChecks([
    [
      "Proof is complete",
      () => {
        opened.bundle = open(text, kind);
        const { body, proof } = opened.bundle;
        return `${"facts" in body ? "remaining facts" : kind.noun}, log entry, ${proof.length} hashes and a checkpoint`;
      },
    ],
  ]);
  if (opened.bundle === undefined)
    return { isGenuine: false, checks, digest: null, signed: [], isLogged: true, left: null };
  const { body, entry } = opened.bundle;
  const { steps, found } =
    "facts" in body
      ? erasedSteps(kind, body.facts, entry, keys, shown)
      : signature(body.envelope, keys, shown, options);
  checks.push(...(await runChecks([...steps, ...ledgerSteps(opened.bundle, keys, found, options)])));
  const isGenuine = checks.every((check) => check.state === "ok");
  const left = isGenuine && "facts" in body ? { facts: body.facts, erasedAt: String(body.erasure.entry.at) } : null;
  return { isGenuine, checks, digest: found.digest, signed: found.signed, isLogged: true, left };
}

/** An erased document has no signature; the log proves its facts. */
function erasedSteps(
  kind: DocumentKind,
  facts: Fields,
  entry: Fields,
  keys: unknown,
  shown: ShownFields,
): { steps: Step[]; found: Verified } {
  const found: Verified = { keyid: String(entry.keyid), document: facts, digest: null, signed: [] };
  const steps: Step[] = [
    [
      "Remaining facts are readable",
      () => {
        if (facts.version !== kind.version) throw new CheckFailed("unknown version");
        return `content and signature were erased; the facts are ${kind.version}`;
      },
    ],
    ["Key is published", async () => `${(await find(keys, found.keyid)).keyid}, in this gateway's list of keys`],
    [
      "This page shows these facts",
      () =>
        matchesPage(
          facts,
          Object.fromEntries(Object.entries(shown).filter(([path]) => !kind.parts.includes(path.split(".")[0] ?? ""))),
        ),
    ],
  ];
  return { steps, found };
}

function ledgerSteps(bundle: Bundle, keys: unknown, found: Verified, { kind = RECEIPT, passkeys }: Options): Step[] {
  const { entry, index, body } = bundle;
  const [, happened] = kind.event;
  let log: Checkpoint;
  const steps: Step[] = [
    [
      `Log entry belongs to this ${kind.noun}`,
      () => {
        for (const name of ["id", "org"])
          if (entry[name] !== found.document[name]) throw new CheckFailed(`the entry has a different ${name}`);
        if (entry.keyid !== found.keyid) throw new CheckFailed("the entry names a different key");
        return `${String(entry.id)} of ${String(entry.org)}`;
      },
    ],
    [
      "Log entry commits to this content",
      async () => {
        if (entry.commitment !== (await commitment(kind, found.document, body)))
          throw new CheckFailed("the commitment does not match");
        return "the hash of all parts matches the entry";
      },
    ],
    // For a complete document this was checked with its signature.
    ...("facts" in body && kind.hasVotes ? [votes(found, passkeys)] : []),
    [
      "Key was active in the log",
      async () => {
        const { ended } = (await find(keys, found.keyid)).fields;
        if (ended === null || ended === undefined) return "the key is still active";
        const end = count(fieldsOf(ended).index);
        if (end < index) throw new CheckFailed(`the key ended at index ${grouped(end)}, before this ${kind.noun}`);
        return `the key ended at index ${grouped(end)}, after this ${kind.noun}`;
      },
    ],
    [
      `Logged after it ${happened}`,
      () => {
        const time = kind.time(found.document);
        if (seconds(time) > seconds(entry.at) + SKEW)
          throw new CheckFailed(`logged at ${String(entry.at)}, but ${happened} at ${String(time)}`);
        return `at ${String(entry.at)}`;
      },
    ],
    [
      "Checkpoint is signed",
      async () => {
        log = await checkpoint(bundle.checkpoint, keys);
        return `by ${log.signers.join(" and ")}${log.isPostQuantum ? ", with Ed25519 and ML-DSA-65" : ""}`;
      },
    ],
    [
      "Log contains the entry",
      async () => {
        if (!(await isIn(log, bundle)))
          throw new CheckFailed(`the signed log does not contain the entry at index ${grouped(index)}`);
        const where = `index ${grouped(index)} of ${grouped(log.size)}`;
        return `entry ${grouped(entry.number)} of this organization, ${where}, signed at ${log.time}`;
      },
    ],
  ];
  if ("facts" in body)
    steps.push([
      "Erasure is recorded in the log",
      async () => {
        const { erasure } = body;
        if (erasure.entry.id !== entry.id || erasure.entry.org !== entry.org)
          throw new CheckFailed(`the erasure belongs to another ${kind.noun}`);
        if (!(await isIn(log, erasure)))
          throw new CheckFailed(`the signed log does not contain the erasure at index ${grouped(erasure.index)}`);
        moment(erasure.entry.at);
        const where = `entry ${grouped(erasure.entry.number)} of this organization, index ${grouped(erasure.index)}`;
        return `at ${String(erasure.entry.at)}: ${where}`;
      },
    ]);
  return steps;
}

async function isIn(log: Checkpoint, { index, entry, proof }: PlacedRecord): Promise<boolean> {
  const root = await rootFrom(await leaf(utf8(canonical(entry))), index, log.size, proof);
  return root !== null && isSame(root, log.root);
}

function grouped(value: unknown): string {
  return typeof value === "number" ? number(value) : String(value);
}
