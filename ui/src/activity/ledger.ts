// Verifies a receipt with its place in the ledger, as docs/ledger.md has it: the receipt itself or what is left of it, that
// the entry is of this receipt and of no other, and that the log whose state is signed holds the entry.
import type { Passkey } from "./assertion";
import { type Bundle, open, type Placed } from "./bundle";
import { isSame, utf8 } from "./bytes";
import { canonical } from "./canonical";
import { type Step, type Verdict, walk, Wrong } from "./checks";
import { commitment, PARTS } from "./commitment";
import { count, type Fields, fieldsOf, moment, seconds } from "./fields";
import { find } from "./keys";
import { leaf, rootFrom } from "./merkle";
import { type Checkpoint, checkpoint } from "./note";
import type { Shown } from "./shown";
import { type Found, held, signature, verify, VERSION, votes } from "./verify";

export interface Proof extends Verdict {
  /** Whether its place in the ledger was looked at, too. */
  isLogged: boolean;
  /** What is left of a receipt whose body was erased, and when that was: once it is proven. */
  left: { facts: Fields; erasedAt: string } | null;
}

/** How far clocks of one deployment may differ, in seconds. */
const SKEW = 300;

/** Verifies what there is: a receipt without a place in the ledger has its signature. Null where neither is there. */
export async function verifyAll(envelope: unknown, bundle: string | null, keys: unknown, shown: Shown, passkeys?: readonly Passkey[]): Promise<Proof | null> {
  if (bundle !== null) return verifyBundle(bundle, keys, shown, passkeys);
  if (envelope === null || envelope === undefined) return null;
  return { ...(await verify(envelope, keys, shown, passkeys)), isLogged: false, left: null };
}

/** `text` is the bundle as the gateway wrote it. */
export async function verifyBundle(text: string, keys: unknown, shown: Shown, passkeys?: readonly Passkey[]): Promise<Proof> {
  const opened: { bundle?: Bundle } = {};
  const checks = await walk([["It comes with its proof", () => {
    const { body, proof } = opened.bundle = open(text);
    return `${"facts" in body ? "what is left of the receipt" : "the receipt"}, its entry, ${proof.length} hashes and a state of the log`;
  }]]);
  if (opened.bundle === undefined) return { isGenuine: false, checks, digest: null, signed: [], isLogged: true, left: null };
  const { body, entry } = opened.bundle;
  const { steps, found } = "facts" in body ? remains(body.facts, entry, keys, shown) : signature(body.envelope, keys, shown, passkeys);
  checks.push(...(await walk([...steps, ...logged(opened.bundle, keys, found, passkeys)])));
  const isGenuine = checks.every((check) => check.state === "ok");
  const left = isGenuine && "facts" in body ? { facts: body.facts, erasedAt: String(body.erasure.entry["at"]) } : null;
  return { isGenuine, checks, digest: found.digest, signed: found.signed, isLogged: true, left };
}

/** Without its body a receipt has no signature any more: the log vouches for the facts. */
function remains(facts: Fields, entry: Fields, keys: unknown, shown: Shown): { steps: Step[]; found: Found } {
  const found: Found = { keyid: String(entry["keyid"]), receipt: facts, digest: null, signed: [] };
  const steps: Step[] = [
    ["Its facts are left", () => {
      if (facts["version"] !== VERSION) throw new Wrong("they are of a version this page does not know");
      return `the body was erased, and with it the signature; the facts are ${VERSION}`;
    }],
    ["Its key is published", async () => `${(await find(keys, found.keyid)).keyid}, in this gateway's list of keys`],
    ["This page shows these facts", () => held(facts, Object.fromEntries(Object.entries(shown).filter(([path]) => !PARTS.includes(path.split(".")[0] ?? ""))))],
  ];
  return { steps, found };
}

function logged(bundle: Bundle, keys: unknown, found: Found, passkeys?: readonly Passkey[]): Step[] {
  const { entry, index, body } = bundle;
  let log: Checkpoint;
  const steps: Step[] = [
    ["The entry is of this receipt", () => {
      for (const name of ["id", "org"]) if (entry[name] !== found.receipt[name]) throw new Wrong(`it names another ${name}`);
      if (entry["keyid"] !== found.keyid) throw new Wrong("it names another key than the one that signed");
      return `${String(entry["id"])} of ${String(entry["org"])}`;
    }],
    ["The log committed to this very content", async () => {
      if (entry["commitment"] !== (await commitment(found.receipt, body))) throw new Wrong("it committed to something else");
      return "all parts together give the hash that was put into it";
    }],
    // Of a whole receipt it was looked at with its signature; facts are known to be genuine only now.
    ...("facts" in body ? [votes(found, passkeys)] : []),
    ["Its key had not ended in the log", async () => {
      const { ended } = (await find(keys, found.keyid)).fields;
      if (ended === null || ended === undefined) return "the log has not ended it";
      const end = count(fieldsOf(ended)["index"]);
      if (end < index) throw new Wrong(`it had signed its last at place ${grouped(end)}, before this receipt appeared`);
      return `it signed its last at place ${grouped(end)}, after this`;
    }],
    ["It was logged once it had finished", () => {
      const finished = fieldsOf(found.receipt["timing"])["finished_at"];
      if (seconds(finished) > seconds(entry["at"]) + SKEW) throw new Wrong(`it was logged at ${String(entry["at"])} and finished at ${String(finished)}`);
      return `at ${String(entry["at"])}`;
    }],
    ["The state of the log is signed", async () => {
      log = await checkpoint(bundle.checkpoint, keys);
      return `by ${log.signers.join(" and ")}`;
    }],
    ["The log holds the entry", async () => {
      if (!(await isIn(log, bundle))) throw new Wrong(`the log that is signed does not hold it at place ${grouped(index)}`);
      return `entry ${grouped(entry["number"])} of this org, place ${grouped(index)} in the log of ${grouped(log.size)}, signed at ${log.time}`;
    }],
  ];
  if ("facts" in body) steps.push(["The log says that the body was erased", async () => {
    const { erasure } = body;
    if (erasure.entry["id"] !== entry["id"] || erasure.entry["org"] !== entry["org"]) throw new Wrong("it says so of another receipt");
    if (!(await isIn(log, erasure))) throw new Wrong(`the log that is signed does not say so at place ${grouped(erasure.index)}`);
    moment(erasure.entry["at"]);
    return `at ${String(erasure.entry["at"])}: entry ${grouped(erasure.entry["number"])} of this org, place ${grouped(erasure.index)}`;
  }]);
  return steps;
}

async function isIn(log: Checkpoint, { index, entry, proof }: Placed): Promise<boolean> {
  const root = await rootFrom(await leaf(utf8(canonical(entry))), index, log.size, proof);
  return root !== null && isSame(root, log.root);
}

/** 1 234 567 */
function grouped(number: unknown): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, " ");
}
