// A change record that is signed here passes, alone and with its place in a log; every change to it fails.
import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { canonical } from "../canonical";
import { CHANGE, RECEIPT } from "../documents";
import type { Fields } from "../fields";
import { verifyAll, verifyBundle } from "./ledger";

// biome-ignore lint/suspicious/noExplicitAny: tampering reaches into documents of any shape.
type Loose = any;

const sha256 = (...parts: (string | Buffer)[]) =>
  parts.reduce((all, part) => all.update(part), createHash("sha256")).digest();
const { publicKey, privateKey } = generateKeyPairSync("ed25519");
const raw = publicKey.export({ type: "spki", format: "der" }).subarray(-32);
const keyid = sha256(raw).toString("hex").slice(0, 16);
const signed = (bytes: string | Buffer) => sign(null, Buffer.from(bytes), privateKey);
const SEED = Buffer.alloc(32, 7);
const [ONE, OTHER] = ["chg_00112233445566778899aabbccddeeff", "chg_ffeeddccbbaa99887766554433221100"];

const keys = {
  version: "countersign/keys/v1",
  keys: [
    {
      keyid,
      algorithm: "ed25519",
      public_key: raw.toString("base64"),
      not_before: "2026-06-01T00:00:00Z",
      not_after: null,
      retired_at: null,
      ended: null,
    },
  ],
};

const change: Fields = {
  version: CHANGE.version,
  id: ONE,
  org: "org_1",
  change: "rule.set",
  subject: "rul_1",
  name: "linear.create_issue",
  by: { user: "usr_1", method: "api_token", token: "tok_1" },
  address: "127.0.0.1",
  reason: "Triage is careful.",
  before: { mode: "require_approval" },
  after: { mode: "allow", where: null },
  at: "2026-11-18T02:00:00.123456Z",
};

function envelope(document: unknown, payloadType = CHANGE.payloadType): Loose {
  const payload = Buffer.from(typeof document === "string" ? document : canonical(document));
  const sig = signed(
    Buffer.concat([Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${payload.length} `), payload]),
  );
  return { payload: payload.toString("base64"), payloadType, signatures: [{ keyid, sig: sig.toString("base64") }] };
}

/** Written apart from what is tested. */
function commitmentOf(document: Fields): string {
  const { address, after, before, name, reason, ...facts } = document;
  const part = (label: string, value: unknown) => sha256(sha256(SEED, label), canonical(value ?? null));
  const parts = { address, after, before, name, reason };
  const hashes = Object.entries(parts).map(([label, value]) => part(label, value));
  return sha256("countersign/commitment/v1\n", part("facts", facts), ...hashes).toString("hex");
}

const entryOf = (document: Fields): Fields => ({
  kind: "change",
  version: "countersign/entry/v1",
  org: document.org,
  number: 1,
  id: document.id,
  keyid,
  commitment: commitmentOf(document),
  at: "2026-11-18T02:00:01Z",
});

/** A log of two entries, of which this is the second. What is given replaces fields of the record and of its entry. */
function bundle(document: Fields, given: { entry?: Fields } & Fields = {}): string {
  const good = { index: 1, envelope: envelope(document), seed: SEED.toString("base64") };
  const record = { ...good, ...given, entry: { ...entryOf(document), ...given.entry } };
  const leaf = (text: string) => sha256(Buffer.of(0), text);
  const first = leaf("another entry");
  const root = sha256(Buffer.of(1), first, leaf(canonical(record.entry))).toString("base64");
  const log = `countersign/${keyid}`;
  const note = `${log}\n2\n${root}\ntime 2026-11-18T02:00:01Z\n`;
  const hash = sha256(`${log}\n\u0001`, raw).subarray(0, 4);
  const below = `— ${log} ${Buffer.concat([hash, signed(note)]).toString("base64")}\n`;
  return JSON.stringify({ record, proof: [first.toString("base64")], checkpoint: `${note}\n${below}` });
}

const wrong = async (text: string, set: unknown = keys, kind = CHANGE) =>
  (await verifyBundle(text, set, {}, { kind })).checks.find((check) => check.state === "wrong")?.name;
const wrongAlone = async (given: unknown, set: unknown = keys, kind = CHANGE) =>
  (await verifyAll(given, null, set, {}, { kind }))?.checks.find((check) => check.state === "wrong")?.name;
const without = (name: string) => Object.fromEntries(Object.entries(change).filter(([each]) => each !== name));

const PROOF = "Proof is complete";
const FORM = "Change record has one signature";
const SIGNATURE = "Signature is valid";
const CONTENT = "Content is canonical JSON";
const VALIDITY = "Key was valid";
const ENTRY = "Log entry belongs to this change record";
const COMMITMENT = "Log entry commits to this content";

it("verifies a change record with its place", async () => {
  const proof = await verifyBundle(bundle(change), keys, { ...change }, { kind: CHANGE });
  expect(proof.checks.filter((check) => check.state !== "ok")).toEqual([]);
  expect(proof).toMatchObject({ isGenuine: true, isLogged: true, left: null, signed: [] });
  expect(proof.digest).toBe(`sha256:${sha256(canonical(change)).toString("hex")}`);
  expect(proof.checks.map((check) => check.message)).toContain("when the change was made");
});

it("verifies the signature alone while there is no place", async () => {
  const proof = await verifyAll(envelope(change), null, keys, { ...change }, { kind: CHANGE });
  expect(proof?.checks.filter((check) => check.state !== "ok")).toEqual([]);
  expect(proof).toMatchObject({ isGenuine: true, isLogged: false });
});

it("takes fields that are newer, and covers them", async () => {
  const newer = { ...change, device: "laptop", by: { ...(change.by as Fields), country: "AT" } };
  expect(await wrong(bundle(newer))).toBeUndefined();
  const spoiled = bundle(newer, { entry: { commitment: commitmentOf({ ...newer, device: "phone" }) } });
  expect(await wrong(spoiled)).toBe(COMMITMENT);
});

it("takes a change of the gateway itself, with nothing but what every record has", async () => {
  const by = { user: null, method: "system", token: null };
  expect(await wrong(bundle({ ...change, by, address: null, reason: null, before: null }))).toBeUndefined();
});

it("notices a page that shows something else", async () => {
  const shown = { ...change, "by.user": "usr_2" };
  const proof = await verifyBundle(bundle(change), keys, shown, { kind: CHANGE });
  expect(proof.checks.find((check) => check.state === "wrong")).toMatchObject({ message: "these differ: user" });
});

describe("refuses the envelope", () => {
  it.each(Object.keys(change))("with another %s", async (name) => {
    const given = envelope(change);
    const payload = Buffer.from(canonical({ ...change, [name]: "other" })).toString("base64");
    expect(await wrongAlone({ ...given, payload })).toBe(SIGNATURE);
  });

  it("of another type", async () => {
    expect(await wrongAlone(envelope(change, RECEIPT.payloadType))).toBe(FORM);
    expect(await wrongAlone({ ...envelope(change, RECEIPT.payloadType), payloadType: CHANGE.payloadType })).toBe(
      SIGNATURE,
    );
    expect(await wrongAlone(envelope(change), keys, RECEIPT)).toBe("Receipt has one signature");
  });

  it("with the content of a receipt, or of an unknown version", async () => {
    for (const version of [RECEIPT.version, "countersign/change/v2"])
      expect(await wrongAlone(envelope({ ...change, version }))).toBe(CONTENT);
  });

  it("that is not canonical", async () =>
    expect(await wrongAlone(envelope(JSON.stringify(change, null, 1)))).toBe(CONTENT));

  it.each(Object.keys(change))("without %s", async (name) =>
    expect(await wrongAlone(envelope(without(name)))).toBe(CONTENT),
  );

  it.each(["id", "org", "change", "subject", "name", "by", "at"])("with %s null", async (name) =>
    expect(await wrongAlone(envelope({ ...change, [name]: null }))).toBe(CONTENT),
  );

  it.each([
    ["a method that is missing", { by: { user: "usr_1", token: null } }],
    ["a user that is missing", { by: { method: "browser", token: null } }],
    ["a user that is a number", { by: { user: 1, method: "browser", token: null } }],
    ["a list in place of who", { by: ["usr_1", "browser", null] }],
    ["an address that is an object", { address: {} }],
    ["a reason that is a list", { reason: ["why"] }],
  ])("with %s", async (_, other) => expect(await wrongAlone(envelope({ ...change, ...other }))).toBe(CONTENT));

  it("with a time that is none", async () =>
    expect(await wrongAlone(envelope({ ...change, at: "yesterday" }))).toBe(VALIDITY));

  it("of a key that was not valid then, or that nobody knows", async () => {
    const set = (more: Fields) => ({ ...keys, keys: keys.keys.map((key) => ({ ...key, ...more })) });
    expect(await wrongAlone(envelope(change), set({ not_before: "2026-11-18T02:00:00.2Z" }))).toBe(VALIDITY);
    expect(await wrongAlone(envelope(change), set({ retired_at: "2026-11-18T02:00:00.1Z" }))).toBe(VALIDITY);
    expect(await wrongAlone(envelope(change), { ...keys, keys: [] })).toBe("Key is published");
  });
});

const receipts = JSON.parse(
  readFileSync(new URL("../../../../crates/receipt/tests/vectors/log/bundle.json", import.meta.url), "utf8"),
) as Loose;
const receipt: Fields = { version: RECEIPT.version, id: ONE, org: "org_1", timing: { finished_at: change.at } };

describe("refuses the bundle with", () => {
  it.each<[string, string, Fields]>([
    ["the entry of a receipt", PROOF, { entry: { kind: "receipt" } }],
    ["an entry of another version", PROOF, { entry: { version: "countersign/entry/v2" } }],
    ["no seed", PROOF, { seed: undefined }],
    ["kept facts", PROOF, { kept: { facts: change, salt: SEED.toString("base64"), erased: [] } }],
    ["a receipt under the entry of a change", FORM, { envelope: envelope(receipt, RECEIPT.payloadType) }],
    ["a receipt signed as a change", CONTENT, { envelope: envelope(receipt) }],
    ["the id of another change in the entry", ENTRY, { entry: { id: OTHER } }],
    ["another organization in the entry", ENTRY, { entry: { org: "org_2" } }],
    ["another key in the entry", ENTRY, { entry: { keyid: "0011223344556677" } }],
    ["another seed", COMMITMENT, { seed: Buffer.alloc(32, 8).toString("base64") }],
    ["a seed that is too short", COMMITMENT, { seed: Buffer.alloc(31, 7).toString("base64") }],
    ["another commitment", COMMITMENT, { entry: { commitment: commitmentOf({ ...change, after: null }) } }],
    ["another time of the log", "Logged after it was made", { entry: { at: "2026-11-18T01:54:59Z" } }],
    ["another place", "Log contains the entry", { index: 0 }],
  ])("%s", async (_, step, given) => expect(await wrong(bundle(change, given))).toBe(step));

  it.each(["address", "after", "before", "name", "reason", "subject"])("a commitment to another %s", async (name) => {
    const text = bundle(change, { entry: { commitment: commitmentOf({ ...change, [name]: "other" }) } });
    expect(await wrong(text)).toBe(COMMITMENT);
  });

  it("what is left of an erased one", async () => {
    const opened = JSON.parse(bundle(change)) as Loose;
    const { envelope: _, seed, ...record } = opened.record;
    const kept = { facts: change, salt: seed, erased: [] };
    expect(await wrong(JSON.stringify({ ...opened, record: { ...record, kept } }))).toBe(PROOF);
    const erasure = { index: 0, entry: entryOf(change), proof: [] };
    expect(await wrong(JSON.stringify({ ...opened, erasure }))).toBe(PROOF);
  });

  it("a change where a receipt is expected, and the reverse", async () => {
    expect(await wrong(bundle(change), keys, RECEIPT)).toBe(PROOF);
    expect(await wrong(JSON.stringify(receipts))).toBe(PROOF);
    const text = bundle(change, { entry: { kind: "receipt" } });
    expect(await wrong(text, keys, RECEIPT)).toBe("Receipt has one signature");
  });

  it("a key that ended before", async () => {
    const ended = { index: 0, at: "2026-11-18T02:00:00Z" };
    const set = { ...keys, keys: keys.keys.map((key) => ({ ...key, ended })) };
    expect(await wrong(bundle(change), set)).toBe("Key was active in the log");
  });
});
