// The test vectors of the gateway's own verifier pass, and every change to them fails.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { canonical } from "../canonical";
import { RECEIPT } from "../documents";
import { verifyAll, verifyBundle } from "./ledger";

// biome-ignore lint/suspicious/noExplicitAny: tampering reaches into documents of any shape.
type Loose = any;

const read = (name: string) =>
  readFileSync(new URL(`../../../../crates/receipt/tests/vectors/log/${name}`, import.meta.url), "utf8");
const [good, erased] = [read("bundle.json"), read("erased.json")];
const keys = JSON.parse(read("keys.json")) as Loose;
/** Of another org, at place 2. */
const other = JSON.parse(read("entries.ndjson").split("\n")[1] ?? "") as Loose;

const failing = async (text: string, set: unknown = keys) =>
  (await verifyBundle(text, set, {})).checks.find((check) => check.state === "wrong")?.name;
const changed = (text: string, change: (bundle: Loose) => void) => {
  const bundle = JSON.parse(text) as Loose;
  change(bundle);
  return JSON.stringify(bundle);
};
const bytes = (base64: string, change: (bytes: Buffer) => Buffer) =>
  change(Buffer.from(base64, "base64")).toString("base64");
const flip = (base64: string) =>
  bytes(base64, (all) => Buffer.concat([all.subarray(0, -1), Buffer.of((all.at(-1) ?? 0) ^ 1)]));
const cut = (base64: string) => bytes(base64, (all) => all.subarray(0, -1));

const PROOF = "Proof is complete";
const ENTRY = "Log entry belongs to this receipt";
const COMMITMENT = "Log entry commits to this content";
const STATE = "Checkpoint is signed";
const PLACE = "Log contains the entry";
const ERASURE = "Erasure is recorded in the log";

it("verifies a receipt with its place", async () => {
  const proof = await verifyBundle(good, keys, { action: "linear.create_issue" });
  expect(proof.checks.filter((check) => check.state !== "ok")).toEqual([]);
  expect(proof).toMatchObject({ isGenuine: true, isLogged: true, left: null });
  expect(proof.digest).toMatch(/^sha256:[0-9a-f]{64}$/);
  expect(proof.checks.slice(-2).map((check) => check.message)).toEqual([
    "by b62e867fa2f33afe and c5b940ed3f65c391",
    "entry 1 of this organization, index 1 of 14, signed at 2026-11-15T02:03:00Z",
  ]);
});

it("verifies the second signature of a checkpoint where there is one", async () => {
  const readTwice = (name: string) =>
    readFileSync(new URL(`../../../../crates/receipt/tests/vectors/ml-dsa/${name}`, import.meta.url), "utf8");
  const [twice, twiceKeys] = [readTwice("bundle.json"), JSON.parse(readTwice("keys.json")) as Loose];
  const proof = await verifyBundle(twice, twiceKeys, { action: "linear.create_issue" });
  expect(proof.checks.filter((check) => check.state !== "ok")).toEqual([]);
  expect(proof.checks.find((check) => check.name === STATE)?.message).toBe(
    `by ${twiceKeys.keys[0].keyid}, with Ed25519 and ML-DSA-65`,
  );
  const alone = structuredClone(twiceKeys);
  alone.keys[0].ml_dsa_65 = undefined;
  const unknown = await verifyBundle(twice, alone, { action: "linear.create_issue" });
  expect(unknown.checks.find((check) => check.name === STATE)?.message).toBe(`by ${alone.keys[0].keyid}`);
  const second = (bundle: Loose, change: (encoded: string) => string) => {
    const lines = bundle.checkpoint.split("\n");
    const at = lines.findIndex((line: string) => line.includes("/ml-dsa-65 "));
    const [dash, name, encoded] = lines[at].split(" ");
    lines[at] = [dash, name, change(encoded)].join(" ");
    bundle.checkpoint = lines.join("\n");
  };
  for (const change of [flip, cut])
    expect(
      await failing(
        changed(twice, (b) => second(b, change)),
        twiceKeys,
      ),
    ).toBe(STATE);
});

it("verifies what is left of one whose body was erased", async () => {
  const proof = await verifyBundle(erased, keys, {
    action: "linear.create_issue",
    inputs: "shown, and no longer provable",
  });
  expect(proof.checks.filter((check) => check.state !== "ok")).toEqual([]);
  expect(proof).toMatchObject({
    isGenuine: true,
    isLogged: true,
    digest: null,
    left: { erasedAt: "2026-11-15T02:03:00Z", facts: { agent: "triage-bot" } },
  });
  expect(proof.checks.at(-1)?.message).toBe("at 2026-11-15T02:03:00Z: entry 6 of this organization, index 12");
});

it("verifies the signature alone while there is no place, and nothing where nothing is left yet", async () => {
  const { envelope } = (JSON.parse(good) as Loose).record;
  const proof = await verifyAll(envelope, null, keys, {});
  expect(proof).toMatchObject({ isGenuine: true, isLogged: false, left: null });
  expect(proof?.checks.map((check) => check.name)).not.toContain(PLACE);
  expect(await verifyAll(undefined, null, keys, {})).toBeNull();
  expect(await verifyAll(null, erased, keys, {})).toMatchObject({ isGenuine: true, isLogged: true });
});

it("stops at the first check that fails, and proves nothing then", async () => {
  const proof = await verifyBundle(
    changed(erased, (b) => {
      b.record.kept.facts.agent = "another";
    }),
    keys,
    {},
  );
  expect(proof.checks.map((check) => check.state)).toEqual([
    ...Array(5).fill("ok"),
    "wrong",
    ...Array(6).fill("skipped"),
  ]);
  expect(proof).toMatchObject({ isGenuine: false, left: null });
});

it("notices a page that shows something else", async () => {
  const failed = async (text: string, shown: object) =>
    (await verifyBundle(text, keys, { ...shown })).checks.find((check) => check.state === "wrong");
  expect(await failed(good, { inputs: {} })).toMatchObject({ name: "This page shows what was signed" });
  expect(await failed(erased, { inputs: {}, agent: "another" })).toMatchObject({
    name: "This page shows these facts",
    message: "these differ: agent",
  });
});

const receipts: [string, string, (bundle: Loose) => void][] = [
  [
    "a field too many",
    PROOF,
    (b) => {
      b.more = 1;
    },
  ],
  [
    "a field too many in the record",
    PROOF,
    (b) => {
      b.record.more = 1;
    },
  ],
  [
    "a field too many in the entry",
    PROOF,
    (b) => {
      b.record.entry.more = "1";
    },
  ],
  [
    "no seed",
    PROOF,
    (b) => {
      delete b.record.seed;
    },
  ],
  [
    "no receipt",
    PROOF,
    (b) => {
      delete b.record.envelope;
    },
  ],
  [
    "no checkpoint",
    PROOF,
    (b) => {
      delete b.checkpoint;
    },
  ],
  [
    "neither a body nor what is left",
    PROOF,
    (b) => {
      delete b.record.seed;
      delete b.record.envelope;
    },
  ],
  [
    "a body and what is left",
    PROOF,
    (b) => {
      b.record.kept = (JSON.parse(erased) as Loose).record.kept;
    },
  ],
  [
    "a body and its erasure",
    PROOF,
    (b) => {
      b.erasure = (JSON.parse(erased) as Loose).erasure;
    },
  ],
  [
    "an array in place of the entry",
    PROOF,
    (b) => {
      b.record.entry = Object.values(b.record.entry as object);
    },
  ],
  [
    "an entry of another kind",
    PROOF,
    (b) => {
      b.record.entry.kind = "erasure";
    },
  ],
  [
    "an entry of another version",
    PROOF,
    (b) => {
      b.record.entry.version = "countersign/entry/v2";
    },
  ],
  [
    "a number that is a text",
    PROOF,
    (b) => {
      b.record.entry.number = "1";
    },
  ],
  [
    "a time that is a number",
    PROOF,
    (b) => {
      b.record.entry.at = 1;
    },
  ],
  [
    "a place below zero",
    PROOF,
    (b) => {
      b.record.index = -1;
    },
  ],
  [
    "half a place",
    PROOF,
    (b) => {
      b.record.index = 1.5;
    },
  ],
  [
    "a hash that is too short",
    PROOF,
    (b) => {
      b.proof[0] = cut(b.proof[0]);
    },
  ],
  [
    "a hash in another base64",
    PROOF,
    (b) => {
      b.proof[0] = b.proof[0].replace("=", "");
    },
  ],
  [
    "a proof longer than any",
    PROOF,
    (b) => {
      b.proof = Array(65).fill(b.proof[0]);
    },
  ],
  [
    "a proof that is no list",
    PROOF,
    (b) => {
      b.proof = b.proof[0];
    },
  ],
  [
    "a second signature",
    "Receipt has one signature",
    (b) => {
      b.record.envelope.signatures.push(b.record.envelope.signatures[0]);
    },
  ],
  [
    "a key nobody knows",
    "Key is published",
    (b) => {
      b.record.envelope.signatures[0].keyid = "0011223344556677";
    },
  ],
  [
    "another payload",
    "Signature is valid",
    (b) => {
      b.record.envelope.payload = other.envelope.payload;
    },
  ],
  [
    "another signature",
    "Signature is valid",
    (b) => {
      b.record.envelope.signatures = other.envelope.signatures;
    },
  ],
  [
    "another receipt",
    ENTRY,
    (b) => {
      b.record.envelope = other.envelope;
    },
  ],
  [
    "another id",
    ENTRY,
    (b) => {
      b.record.entry.id = other.entry.id;
    },
  ],
  [
    "another org",
    ENTRY,
    (b) => {
      b.record.entry.org = other.entry.org;
    },
  ],
  [
    "another key",
    ENTRY,
    (b) => {
      b.record.entry.keyid = keys.keys[1].keyid;
    },
  ],
  [
    "another entry",
    ENTRY,
    (b) => {
      b.record.entry = other.entry;
    },
  ],
  [
    "another seed",
    COMMITMENT,
    (b) => {
      b.record.seed = other.seed;
    },
  ],
  [
    "a seed that is too short",
    COMMITMENT,
    (b) => {
      b.record.seed = cut(b.record.seed);
    },
  ],
  [
    "another commitment",
    COMMITMENT,
    (b) => {
      b.record.entry.commitment = other.entry.commitment;
    },
  ],
  [
    "a commitment in capitals",
    COMMITMENT,
    (b) => {
      b.record.entry.commitment = b.record.entry.commitment.toUpperCase();
    },
  ],
  [
    "a place after the end of its key",
    "Key was active in the log",
    (b) => {
      b.record.index = 12;
    },
  ],
  [
    "logged more than five minutes before it finished",
    "Logged after it finished",
    (b) => {
      b.record.entry.at = "2026-11-15T01:57:00Z";
    },
  ],
  [
    "logged at another time, five minutes before",
    PLACE,
    (b) => {
      b.record.entry.at = "2026-11-15T01:57:01Z";
    },
  ],
  [
    "logged at no time",
    "Logged after it finished",
    (b) => {
      b.record.entry.at = "2026-11-15T24:00:00Z";
    },
  ],
  [
    "another record",
    PLACE,
    (b) => {
      b.record = other;
    },
  ],
  [
    "another number",
    PLACE,
    (b) => {
      b.record.entry.number = 2;
    },
  ],
  [
    "the place before",
    PLACE,
    (b) => {
      b.record.index = 0;
    },
  ],
  [
    "the place after",
    PLACE,
    (b) => {
      b.record.index = 2;
    },
  ],
  [
    "hashes that changed places",
    PLACE,
    (b) => {
      b.proof.reverse();
    },
  ],
  [
    "a hash too few",
    PLACE,
    (b) => {
      b.proof.pop();
    },
  ],
  [
    "a hash too many",
    PLACE,
    (b) => {
      b.proof.push(b.proof[0]);
    },
  ],
  [
    "no hashes",
    PLACE,
    (b) => {
      b.proof = [];
    },
  ],
  [
    "another hash",
    PLACE,
    (b) => {
      b.proof[3] = flip(b.proof[3]);
    },
  ],
];

const remains: [string, string, (bundle: Loose) => void][] = [
  [
    "a body that is missing without an erasure",
    PROOF,
    (b) => {
      delete b.erasure;
    },
  ],
  [
    "an erasure that is a receipt",
    PROOF,
    (b) => {
      b.erasure.entry = b.record.entry;
    },
  ],
  [
    "a field too many in what is left",
    PROOF,
    (b) => {
      b.record.kept.inputs = {};
    },
  ],
  [
    "a field too many in the erasure",
    PROOF,
    (b) => {
      b.erasure.more = 1;
    },
  ],
  [
    "an erasure of another version",
    PROOF,
    (b) => {
      b.erasure.entry.version = "countersign/entry/v2";
    },
  ],
  [
    "facts of another version",
    "Remaining facts are readable",
    (b) => {
      b.record.kept.facts.version = "countersign/receipt/v2";
    },
  ],
  [
    "a key nobody knows",
    "Key is published",
    (b) => {
      b.record.entry.keyid = "0011223344556677";
    },
  ],
  [
    "facts of another org",
    ENTRY,
    (b) => {
      b.record.kept.facts.org = other.entry.org;
    },
  ],
  [
    "facts of another id",
    ENTRY,
    (b) => {
      b.record.kept.facts.id = other.entry.id;
    },
  ],
  [
    "another fact",
    COMMITMENT,
    (b) => {
      b.record.kept.facts.agent = "another";
    },
  ],
  [
    "another fact, deep inside",
    COMMITMENT,
    (b) => {
      b.record.kept.facts.approvals[0].verdict = "denied";
    },
  ],
  [
    "a fact too many",
    COMMITMENT,
    (b) => {
      b.record.kept.facts.more = null;
    },
  ],
  [
    "a fact too few",
    COMMITMENT,
    (b) => {
      delete b.record.kept.facts.reward;
    },
  ],
  [
    "another salt",
    COMMITMENT,
    (b) => {
      b.record.kept.salt = flip(b.record.kept.salt);
    },
  ],
  [
    "another hash of what was erased",
    COMMITMENT,
    (b) => {
      b.record.kept.erased[2] = b.record.kept.erased[3];
    },
  ],
  [
    "hashes of it that changed places",
    COMMITMENT,
    (b) => {
      b.record.kept.erased.reverse();
    },
  ],
  [
    "a hash of it too few",
    COMMITMENT,
    (b) => {
      b.record.kept.erased.pop();
    },
  ],
  [
    "a hash of it too many",
    COMMITMENT,
    (b) => {
      b.record.kept.erased.push(b.record.kept.erased[0]);
    },
  ],
  [
    "a hash of it in capitals",
    COMMITMENT,
    (b) => {
      b.record.kept.erased[0] = b.record.kept.erased[0].toUpperCase();
    },
  ],
  [
    "another key that is known",
    PLACE,
    (b) => {
      b.record.entry.keyid = keys.keys[1].keyid;
    },
  ],
  [
    "the erasure of another receipt",
    ERASURE,
    (b) => {
      b.erasure.entry.id = other.entry.id;
    },
  ],
  [
    "the erasure of another org",
    ERASURE,
    (b) => {
      b.erasure.entry.org = other.entry.org;
    },
  ],
  [
    "an erasure at another place",
    ERASURE,
    (b) => {
      b.erasure.index = 11;
    },
  ],
  [
    "an erasure at another time",
    ERASURE,
    (b) => {
      b.erasure.entry.at = "2026-11-14T02:03:00Z";
    },
  ],
  [
    "an erasure with another number",
    ERASURE,
    (b) => {
      b.erasure.entry.number = 5;
    },
  ],
  [
    "an erasure without its proof",
    ERASURE,
    (b) => {
      b.erasure.proof = [];
    },
  ],
  [
    "an erasure with the proof of the receipt",
    ERASURE,
    (b) => {
      b.erasure.proof = b.proof;
    },
  ],
];

const NAME = "countersign/34750f98bd59fcfc";
const WITNESS = `— example.org/witness ${Buffer.alloc(70, 7).toString("base64")}\n`;
const notes: [string, (note: string) => unknown][] = [
  ["another size", (n) => n.replace("\n14\n", "\n15\n")],
  ["a size with a zero before it", (n) => n.replace("\n14\n", "\n014\n")],
  ["a size that nobody can count", (n) => n.replace("\n14\n", "\n9007199254740993\n")],
  ["another root", (n) => n.replace(/\n(.{43}=)\n/, (_, root: string) => `\n${flip(root)}\n`)],
  ["a root that is too short", (n) => n.replace(/\n(.{43}=)\n/, (_, root: string) => `\n${cut(root)}\n`)],
  ["another time", (n) => n.replace("02:03:00Z", "02:03:01Z")],
  ["no time", (n) => n.replace(/time .*\n/, "")],
  ["a time elsewhere", (n) => n.replace("02:03:00Z", "02:03:00+00:00")],
  ["another name above", (n) => n.replace(NAME, `${NAME}0`)],
  ["another name everywhere", (n) => n.replaceAll(NAME, `${NAME}0`)],
  ["a line more", (n) => n.replace("\n\n", "\nmore\n\n")],
  ["an empty line more", (n) => n.replace("\n\n", "\n\n\n")],
  ["line ends of another system", (n) => n.replaceAll("\n", "\r\n")],
  ["a character that cannot be seen", (n) => n.replace("time ", "time \u0085")],
  ["a witness whose name cannot be seen", (n) => n + WITNESS.replace("example", "exa\u0007mple")],
  ["a witness with two names", (n) => n + WITNESS.replace("example", "exa mple")],
  ["no last line end", (n) => n.slice(0, -1)],
  ["something after a signature", (n) => n.replace(/\n$/, " more\n")],
  ["something after all signatures", (n) => `${n}more\n`],
  ["a hyphen in place of the dash", (n) => n.replace("— ", "- ")],
  ["no signature", (n) => n.slice(0, n.indexOf("— "))],
  ["the signature of a witness alone", (n) => n.slice(0, n.indexOf("— ")) + WITNESS],
  ["one good signature and one bad", (n) => n.replace(/ (\S+)\n$/, (_, sig: string) => ` ${flip(sig)}\n`)],
  ["one good signature and one that is too short", (n) => n.replace(/ (\S+)\n$/, (_, sig: string) => ` ${cut(sig)}\n`)],
  ["a signature without a key", (n) => `${n}— ${NAME} AAAA\n`],
  ["more signatures than anybody needs", (n) => n + WITNESS.repeat(99)],
  ["more bytes than anybody needs", (n) => `${n}— example.org/witness ${"AAAA".repeat(20_000)}\n`],
  ["no text", () => ({})],
];

describe("refuses", () => {
  it.each(receipts)("a receipt with %s", async (_, step, change) =>
    expect(await failing(changed(good, change))).toBe(step),
  );
  it.each(remains)("what is left with %s", async (_, step, change) =>
    expect(await failing(changed(erased, change))).toBe(step),
  );
  it.each(notes)("a checkpoint with %s", async (_, change) => {
    const text = changed(good, (bundle) => {
      bundle.checkpoint = change(bundle.checkpoint as string);
    });
    expect(text).not.toBe(JSON.stringify(JSON.parse(good)));
    expect(await failing(text)).toBe(STATE);
  });
  it.each([
    ["no JSON", "no"],
    ["a list", "[]"],
    ["nothing", "null"],
    ["two documents", good + good],
    ["a name twice", good.replace('"index":1', '"index":9,"index":1')],
    ["half a character", good.replace("\\ntime ", "\\ntime \\ud800")],
    ["U+0000", good.replace("\\ntime ", "\\ntime \\u0000")],
    ["a name that a reader takes for its own", good.replace('"index":1', '"$serde_json::private::Number":"1"')],
    ["more levels than anybody needs", `${"[".repeat(65)}${"]".repeat(65)}`],
    ["a number that a double cannot hold", good.replace('"index":1', '"index":9007199254740993')],
  ])("%s", async (_, text) => expect(await failing(text)).toBe(PROOF));

  it.each<[string, string, (keys: Loose) => void]>([
    [
      "that lacks the receipt's",
      "Key is published",
      (set) => {
        set.keys.shift();
      },
    ],
    [
      "that lacks those of the checkpoint",
      STATE,
      (set) => {
        set.keys.length = 1;
      },
    ],
    [
      "that has one twice",
      STATE,
      (set) => {
        set.keys.push(set.keys[2]);
      },
    ],
    [
      "with one that is not named after itself",
      STATE,
      (set) => {
        set.keys[2].public_key = set.keys[1].public_key;
      },
    ],
    [
      "with one that was not valid when it signed the checkpoint",
      STATE,
      (set) => {
        set.keys[2].not_after = "2026-11-15T02:02:59Z";
      },
    ],
    [
      "with one that was retired before",
      STATE,
      (set) => {
        set.keys[1].retired_at = "2026-11-15T02:02:59Z";
      },
    ],
    [
      "with one that began after",
      STATE,
      (set) => {
        set.keys[1].not_before = "2026-11-15T02:03:01Z";
      },
    ],
    [
      "in which the receipt's ended before",
      "Key was active in the log",
      (set) => {
        set.keys[0].ended.index = 0;
      },
    ],
    [
      "of another version",
      "Key is published",
      (set) => {
        set.version = "countersign/keys/v2";
      },
    ],
  ])("a list of keys %s", async (_, step, change) => {
    const set = structuredClone(keys) as Loose;
    change(set);
    expect(await failing(good, set)).toBe(step);
  });
});

it("refuses a body that somebody took away under the erasure of another receipt", async () => {
  const hash = (...parts: (string | Buffer)[]) =>
    parts.reduce((all, part) => all.update(part), createHash("sha256")).digest();
  const text = changed(good, (b) => {
    const { envelope, seed: encoded, ...record } = b.record;
    const receipt = JSON.parse(Buffer.from(envelope.payload as string, "base64").toString("utf8")) as Loose;
    const seed = Buffer.from(encoded as string, "base64");
    const facts = Object.fromEntries(
      Object.entries(receipt as object).filter(([name]) => !RECEIPT.parts.includes(name)),
    );
    const present = RECEIPT.parts.filter((part) => part !== "shown" || Object.hasOwn(receipt, part));
    const gone = present.map((part) => hash(hash(seed, part), canonical(receipt[part])).toString("hex"));
    b.record = { ...record, kept: { facts, salt: hash(seed, "facts").toString("base64"), erased: gone } };
    b.erasure = (JSON.parse(erased) as Loose).erasure;
  });
  expect((await verifyBundle(text, keys, {})).checks.find((check) => check.state === "wrong")).toMatchObject({
    name: ERASURE,
    message: "the erasure belongs to another receipt",
  });
});

it("passes over witnesses, and is content with one key it knows", async () => {
  expect(
    await failing(
      changed(good, (b) => {
        b.checkpoint += WITNESS;
      }),
    ),
  ).toBeUndefined();
  expect(
    await failing(
      changed(good, (b) => {
        b.checkpoint += WITNESS.replace("example.org/witness", NAME);
      }),
    ),
  ).toBeUndefined();
  expect(
    await failing(
      changed(good, (b) => {
        b.checkpoint = b.checkpoint.replace(/— .*\n/, "");
      }),
    ),
  ).toBeUndefined();
  expect(await failing(good, { ...keys, keys: keys.keys.slice(0, 2) })).toBeUndefined();
});

it.each([
  ["has not ended", null],
  ["ended at this very place", { index: 1, at: "2026-11-15T02:03:00Z" }],
])("takes a key that %s", async (_, ended) => {
  const [first, ...others] = keys.keys as Loose[];
  expect(await failing(good, { ...keys, keys: [{ ...first, ended }, ...others] })).toBeUndefined();
});

/** The text with one byte flipped, at every place from one on, wherever it still is text and JSON. */
function* flips(text: string, from = 0): Generator<string> {
  const raw = Buffer.from(text);
  for (let place = from; place < raw.length; place += 1) {
    const copy = Buffer.from(raw);
    copy[place] = (copy[place] ?? 0) ^ (1 << (place % 7));
    try {
      const after = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(copy);
      JSON.parse(after);
      yield after;
    } catch {
      // It cannot even be read.
    }
  }
}

/** Whether a line below a checkpoint names one of the two keys that signed it. What others say is passed over. */
const isKnown = (line: string) => {
  const [dash, name, encoded = ""] = line.split(" ");
  return (
    dash === "—" &&
    name === NAME &&
    ["f7afceb8", "a8542c57"].includes(Buffer.from(encoded, "base64").toString("hex").slice(0, 8))
  );
};

it.each([
  ["a receipt", good],
  ["what is left of one", erased],
])(
  "notices every flipped byte of %s, but in the name of one signature of two",
  async (_, text) => {
    const before = JSON.parse(text) as Loose;
    const lines = (before.checkpoint as string).split("\n");
    expect(lines.filter(isKnown)).toHaveLength(2);
    let passed = 0;
    for (const after of flips(text)) {
      if ((await failing(after)) !== undefined) continue;
      // Then one of the two signatures has become that of a witness nobody knows, and nothing else has changed.
      const now = JSON.parse(after) as Loose;
      const different = (now.checkpoint as string).split("\n").filter((line, at) => line !== lines[at]);
      expect(different.map((line) => [line.startsWith("— "), isKnown(line)])).toEqual([[true, false]]);
      expect({ ...now, checkpoint: "" }).toEqual({ ...before, checkpoint: "" });
      passed += 1;
    }
    expect(passed).toBeGreaterThan(0);
  },
  60_000,
);

it("notices every flipped byte where one key signed", async () => {
  const text = changed(good, (b) => {
    b.checkpoint = b.checkpoint.replace(/— .*\n/, "");
  });
  expect(await failing(text)).toBeUndefined();
  for (const after of flips(text, text.indexOf('"payloadType"'))) expect(await failing(after), after).toBeDefined();
}, 60_000);
