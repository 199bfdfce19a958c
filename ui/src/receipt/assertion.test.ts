// A valid passkey signature passes; every change fails with the code that all verifiers share.
import { createSign, generateKeyPairSync, type KeyObject } from "node:crypto";
import { describe, expect, it } from "vitest";
import { signedVotes } from "./assertion";
import { type Bytes, hex, join, sha256, toBase64url, utf8 } from "./bytes";
import { canonical } from "./canonical";
import { CheckFailed } from "./checks";
import { fromDer } from "./passkeyKey";

// biome-ignore lint/suspicious/noExplicitAny: tampering reaches into documents of any shape.
type Loose = any;

const pair = () => generateKeyPairSync("ec", { namedCurve: "P-256" });
const [ours, theirs] = [pair(), pair()];
const point = (key: KeyObject): Bytes => {
  const { x = "", y = "" } = key.export({ format: "jwk" });
  return join(
    Uint8Array.of(4),
    new Uint8Array(Buffer.from(x, "base64url")),
    new Uint8Array(Buffer.from(y, "base64url")),
  );
};
const FINGERPRINT = `sha256:${hex(await sha256(point(ours.publicKey)))}`;
const VOTE = {
  user: "usr_ada",
  verdict: "approved",
  channel: "web",
  shown_digest: `sha256:${"ab".repeat(32)}`,
  at: "2026-11-15T02:00:00Z",
};

interface Made {
  statement?: object;
  data?: object;
  /** Writes what the browser says of the ceremony. */
  write?: (data: object) => string | Bytes;
  host?: string;
  flags?: number;
  key?: KeyObject;
  more?: number;
  change?: (assertion: Loose, receipt: Loose) => void;
}

async function made({
  statement,
  data,
  write = JSON.stringify,
  host = "localhost",
  flags = 5,
  key = ours.privateKey,
  more = 0,
  change,
}: Made = {}): Promise<Loose> {
  const { user, verdict, shown_digest } = VOTE;
  const vote = {
    format: "countersign/vote/v1",
    org: "org_1",
    invocation: "inv_1",
    user,
    verdict,
    shown_digest,
    ...statement,
  };
  const challenge = toBase64url(await sha256(utf8(canonical(vote))));
  const written = write({
    type: "webauthn.get",
    challenge,
    origin: "http://localhost:9461",
    crossOrigin: false,
    ...data,
  });
  const client = typeof written === "string" ? utf8(written) : written;
  const authenticator = join(await sha256(utf8(host)), Uint8Array.of(flags, 0, 0, 0, 1), new Uint8Array(more));
  const signature = createSign("sha256")
    .update(join(authenticator, await sha256(client)))
    .sign(key);
  const assertion = {
    authenticator_data: toBase64url(authenticator),
    client_data: toBase64url(client),
    credential: "Y3JlZA",
    public_key: toBase64url(point(ours.publicKey)),
    signature: toBase64url(new Uint8Array(signature)),
  };
  const receipt = { org: "org_1", invocation: "inv_1", approvals: [{ ...VOTE, assertion }] };
  change?.(assertion, receipt);
  return receipt;
}

const refusal = async (how: Made) =>
  signedVotes(await made(how)).then(
    () => "verified",
    (error: unknown) => (error instanceof CheckFailed ? error.code : error),
  );

it("says who signed with what", async () => {
  expect(await signedVotes(await made())).toEqual([
    { user: "usr_ada", credential: "Y3JlZA", fingerprint: FINGERPRINT },
  ]);
});

it("finds nothing where nothing is signed, as in receipts from before", async () => {
  expect(await signedVotes({})).toEqual([]);
  expect(await signedVotes({ approvals: [VOTE, { ...VOTE, assertion: null }] })).toEqual([]);
});

it.each<[string, Made]>([
  ["another site of the same kind", { data: { origin: "https://gate.example.com:8443" }, host: "gate.example.com" }],
  ["more flags", { flags: 0x1d }],
  ["no word on other origins", { write: (data) => JSON.stringify({ ...data, crossOrigin: undefined }) }],
  ["as much as is allowed", { more: 2011, write: (data) => JSON.stringify(data).padEnd(4096) }],
])("takes %s", async (_, how) => expect(await refusal(how)).toBe("verified"));

it("takes the passkeys of that person alone, where they are given", async () => {
  const public_key = toBase64url(point(ours.publicKey));
  const own = { user: "usr_ada", credential: "Y3JlZA", public_key };
  const receipt = await made();
  expect(await signedVotes(receipt, [{ ...own, user: "usr_eve" }, own])).toHaveLength(1);
  for (const other of [
    [],
    [{ ...own, user: "usr_eve" }],
    [{ ...own, credential: "AAAA" }],
    [{ ...own, public_key: "BAAA" }],
  ]) {
    await expect(signedVotes(receipt, other)).rejects.toMatchObject({ code: "passkey_unknown" });
  }
});

const NAMES = ["authenticator_data", "client_data", "credential", "public_key", "signature"];
const BAD: unknown[] = [undefined, null, 5, "A", "AB", "YWI=", "ab+/", "ab\n"];
const cut = (text: string) => text.slice(0, -4);

describe("assertion_malformed", () => {
  it.each(NAMES)("%s", async (name) => {
    for (const bad of BAD)
      expect(
        await refusal({
          change: (assertion) => {
            assertion[name] = bad;
          },
        }),
        String(bad),
      ).toBe("assertion_malformed");
  });
  it.each<[string, Made]>([
    [
      "no object",
      {
        change: (_, receipt) => {
          receipt.approvals[0].assertion = ["a"];
        },
      },
    ],
    [
      "a field too many",
      {
        change: (assertion) => {
          assertion.more = 1;
        },
      },
    ],
    [
      "a text",
      {
        change: (_, receipt) => {
          receipt.approvals[0].assertion = "a";
        },
      },
    ],
    [
      "a short key",
      {
        change: (assertion) => {
          assertion.public_key = cut(assertion.public_key);
        },
      },
    ],
    [
      "a key of another kind",
      {
        change: (assertion) => {
          assertion.public_key = `Ag${assertion.public_key.slice(2)}`;
        },
      },
    ],
    [
      "too little from the authenticator",
      {
        change: (assertion) => {
          assertion.authenticator_data = cut(assertion.authenticator_data);
        },
      },
    ],
    ["too much from the authenticator", { more: 2012 }],
    ["too much from the browser", { write: (data) => JSON.stringify(data).padEnd(4097) }],
    ["a name twice", { write: (data) => `{"type":"webauthn.get",${JSON.stringify(data).slice(1)}` }],
    ["a mark in front", { write: (data) => `\ufeff${JSON.stringify(data)}` }],
    ["no UTF-8", { write: (data) => join(utf8(JSON.stringify(data).slice(0, -2)), Uint8Array.of(0xff, 0x22, 0x7d)) }],
    ["a number that readers round", { data: { n: 2 ** 53 } }],
    ["U+0000", { data: { text: "\0" } }],
    ["a list", { write: (data) => JSON.stringify([data]) }],
    ["something after it", { write: (data) => `${JSON.stringify(data)}x` }],
    ["a challenge that is no text", { data: { challenge: 3 } }],
    ["no origin", { data: { origin: null } }],
    ["a type that is no text", { data: { type: ["webauthn.get"] } }],
  ])("%s", async (_, how) => expect(await refusal(how)).toBe("assertion_malformed"));
});

it.each<[string, string, Made]>([
  ["assertion_type", "a passkey that was made", { data: { type: "webauthn.create", challenge: "" } }],
  ...["invocation", "org", "shown_digest", "user", "verdict", "format"].map((name): [string, string, Made] => [
    "assertion_statement",
    `another ${name}`,
    { statement: { [name]: "other" } },
  ]),
  [
    "assertion_statement",
    "the vote of somebody else",
    {
      change: (_, receipt) => {
        receipt.approvals[0].user = "usr_eve";
      },
    },
  ],
  [
    "assertion_statement",
    "a no",
    {
      change: (_, receipt) => {
        receipt.approvals[0].verdict = "denied";
      },
    },
  ],
  [
    "assertion_statement",
    "another receipt",
    {
      change: (_, receipt) => {
        receipt.invocation = "inv_2";
      },
    },
  ],
  [
    "assertion_statement",
    "one yes for two people",
    {
      change: (_, receipt) => {
        receipt.approvals.push({ ...receipt.approvals[0], user: "usr_eve" });
      },
    },
  ],
  [
    "assertion_statement",
    "a challenge in another form",
    { write: (data: Loose) => JSON.stringify({ ...data, challenge: `${data.challenge}=` }) },
  ],
  ["assertion_site", "another host", { host: "example.com" }],
  ["assertion_site", "a host with its port", { host: "localhost:9461" }],
  ["assertion_site", "a part of a host", { data: { origin: "https://sub.example.com" }, host: "example.com" }],
  ["assertion_site", "a site in the clear", { data: { origin: "http://example.com" }, host: "example.com" }],
  ["assertion_site", "an address", { data: { origin: "http://127.0.0.1:80" }, host: "127.0.0.1" }],
  ["assertion_site", "a path", { data: { origin: "https://example.com/" }, host: "example.com" }],
  ["assertion_site", "a frame of another site", { data: { crossOrigin: true } }],
  ["assertion_presence", "nobody there", { flags: 4 }],
  ["assertion_presence", "somebody the device did not know", { flags: 1, key: theirs.privateKey }],
  ["assertion_signature", "another key", { key: theirs.privateKey }],
  [
    "assertion_signature",
    "another public key",
    {
      change: (assertion) => {
        assertion.public_key = toBase64url(point(theirs.publicKey));
      },
    },
  ],
  [
    "assertion_signature",
    "a point beside the curve",
    {
      change: (assertion) => {
        assertion.public_key = toBase64url(Uint8Array.from([4, ...Array<number>(64).fill(1)]));
      },
    },
  ],
  [
    "assertion_signature",
    "a counter that was turned",
    {
      change: (assertion) => {
        assertion.authenticator_data = `${assertion.authenticator_data.slice(0, -1)}g`;
      },
    },
  ],
  [
    "assertion_signature",
    "none",
    {
      change: (assertion) => {
        assertion.signature = "";
      },
    },
  ],
])("%s: %s", async (code, _, how) => expect(await refusal(how)).toBe(code));

it("reads the two numbers of a signature, in their only form", () => {
  const bytes = (...all: number[]) => fromDer(Uint8Array.from(all));
  expect(bytes(0x30, 6, 2, 1, 5, 2, 1, 7)).toEqual(
    Uint8Array.from([...Array<number>(31).fill(0), 5, ...Array<number>(31).fill(0), 7]),
  );
  expect(bytes(0x30, 7, 2, 2, 0, 0x80, 2, 1, 7)?.[31]).toBe(0x80);
  const others = [
    [],
    [0x30],
    [0x31, 6, 2, 1, 5, 2, 1, 7],
    [0x30, 7, 2, 1, 5, 2, 1, 7],
    [0x30, 6, 2, 1, 5, 2, 1, 7, 0],
    [0x30, 7, 2, 1, 5, 2, 1, 7, 0],
    [0x30, 3, 2, 1, 5],
    [0x30, 6, 2, 1, 0x80, 2, 1, 7],
    [0x30, 7, 2, 2, 0, 5, 2, 1, 7],
    [0x30, 5, 2, 0, 2, 1, 7],
    [0x30, 0x81, 6, 2, 1, 5, 2, 1, 7],
    [0x30, 6, 3, 1, 5, 2, 1, 7],
    [0x30, 38, 2, 33, ...Array<number>(33).fill(1), 2, 1, 7],
  ];
  for (const other of others) expect(bytes(...other), String(other)).toBeNull();
});
