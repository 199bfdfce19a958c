// The published assertions are judged as stated, and a key has one form.
import { generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Bytes } from "./bytes";
import { fieldsOf } from "./fields";
import { passkeyKey, verifies } from "./passkeyKey";
import { verify } from "./verify";

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../crates/receipt/tests/vectors/${name}`, import.meta.url), "utf8"));
const keys = read("keys.json");
const cases = (read("passkeys.json") as unknown[]).map(fieldsOf);

describe("published assertions", () => {
  it("are there", () => expect(cases.length).toBeGreaterThan(20));
  it.each(cases)("$case: $expected", async ({ envelope, expected }) => {
    const { checks, isGenuine, signed } = await verify(envelope, keys, {});
    const wrong = checks.find((check) => check.state === "wrong");
    expect(wrong?.code ?? "verified").toBe(expected);
    expect(isGenuine).toBe(expected === "verified");
    expect(signed).toHaveLength(expected === "verified" ? 1 : 0);
  });
});

const spki = (modulusLength: number, publicExponent = 65_537): Bytes =>
  new Uint8Array(
    generateKeyPairSync("rsa", { modulusLength, publicExponent }).publicKey.export({ type: "spki", format: "der" }),
  );

it("takes RSA keys of 2048 to 4096 bits with the exponent 65537", () => {
  expect(passkeyKey(spki(2048))?.algorithm).toBe("RS256");
  expect(passkeyKey(spki(2056))?.algorithm).toBe("RS256");
  expect(passkeyKey(spki(4096))?.algorithm).toBe("RS256");
  expect(passkeyKey(spki(2040))).toBeNull();
  expect(passkeyKey(spki(2048, 3))).toBeNull();
});

it("reads a key in its one form alone", () => {
  const good = spki(2048);
  for (const place of [...Array(32).keys(), ...[1, 2, 3, 4, 5].map((back) => good.length - back)]) {
    for (let bit = 0; bit < 8; bit += 1) {
      const changed = good.slice();
      changed[place] = (changed[place] ?? 0) ^ (1 << bit);
      expect(passkeyKey(changed), `bit ${bit} of byte ${place}`).toBeNull();
    }
  }
  for (let length = 0; length < good.length; length += 1) expect(passkeyKey(good.slice(0, length))).toBeNull();
  expect(passkeyKey(Uint8Array.from([...good, 0]))).toBeNull();
  expect(passkeyKey(Uint8Array.from([4, ...good.slice(0, 63)]))).toBeNull();
});

it("checks a signature by the algorithm of the key", async () => {
  const { publicKey, privateKey } = await crypto.subtle.generateKey(
    { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256", modulusLength: 2048, publicExponent: Uint8Array.of(1, 0, 1) },
    true,
    ["sign", "verify"],
  );
  const message = Uint8Array.of(1, 2, 3);
  const signature = new Uint8Array(await crypto.subtle.sign("RSASSA-PKCS1-v1_5", privateKey, message));
  const bytes = new Uint8Array(await crypto.subtle.exportKey("spki", publicKey));
  expect(await verifies({ algorithm: "RS256", bytes }, signature, message)).toBe(true);
  expect(await verifies({ algorithm: "RS256", bytes }, signature, Uint8Array.of(1, 2, 4))).toBe(false);
  expect(await verifies({ algorithm: "ES256", bytes }, signature, message)).toBe(false);
});
