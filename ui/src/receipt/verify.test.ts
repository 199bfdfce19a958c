// The test vectors of the gateway's own verifier pass, and every change to them fails.
import { readFileSync } from "node:fs";
import { expect, it, vi } from "vitest";
import { differing } from "./compare";
import { verify } from "./verify";

const read = (name: string) =>
  JSON.parse(
    readFileSync(new URL(`../../../crates/receipt/tests/vectors/${name}.json`, import.meta.url), "utf8"),
  ) as never;
const keys = read("keys") as { version: string; keys: Record<string, unknown>[] };
const envelope = read("succeeded") as {
  payload: string;
  payloadType: string;
  signatures: { keyid: string; sig: string }[];
};
const receipt = JSON.parse(Buffer.from(envelope.payload, "base64").toString("utf8")) as Record<string, unknown>;
const wrong = async (given: unknown, set: unknown = keys, shown = {}) =>
  (await verify(given, set, shown)).checks.find((check) => check.state === "wrong")?.name;

it("verifies what is genuine", async () => {
  for (const name of ["succeeded", "denied"]) {
    const verdict = await verify(read(name), keys, {});
    expect(verdict.checks.filter((check) => check.state !== "ok")).toEqual([]);
    expect(verdict.isGenuine).toBe(true);
  }
});

it("notices every flipped byte of the payload", async () => {
  const raw = atob(envelope.payload);
  for (let place = 0; place < raw.length; place += 97) {
    const flipped = raw.slice(0, place) + String.fromCharCode(raw.charCodeAt(place) ^ 1) + raw.slice(place + 1);
    expect(await wrong({ ...envelope, payload: btoa(flipped) })).toBe("Signature is valid");
  }
});

it("notices another signature, another key, another form", async () => {
  const [signature] = envelope.signatures;
  const swapped = {
    keyid: signature?.keyid,
    sig: btoa(
      atob(signature?.sig ?? "")
        .split("")
        .reverse()
        .join(""),
    ),
  };
  expect(await wrong({ ...envelope, signatures: [swapped] })).toBe("Signature is valid");
  expect(await wrong({ ...envelope, signatures: [signature, signature] })).toBe("Receipt has one signature");
  expect(await wrong({ ...envelope, payloadType: "text/plain" })).toBe("Receipt has one signature");
  expect(await wrong({ ...envelope, more: 1 })).toBe("Receipt has one signature");
  expect(await wrong({ ...envelope, payload: `${envelope.payload}\n` })).toBe("Receipt has one signature");
  expect(await wrong(envelope, { ...keys, keys: [] })).toBe("Key is published");
  const other = keys.keys.map((key) => ({
    ...key,
    public_key: keys.keys.find((each) => each !== key)?.public_key,
  }));
  expect(await wrong(envelope, { ...keys, keys: other })).toBe("Key is published");
});

it("notices a key that was not valid then", async () => {
  const late = keys.keys.map((key) => ({ ...key, not_before: "2099-01-01T00:00:00Z" }));
  expect(await wrong(envelope, { ...keys, keys: late })).toBe("Key was valid");
});

it("notices a page that shows something else", async () => {
  const shown = {
    action: receipt.action,
    inputs: receipt.inputs,
    "timing.finished_at": (receipt.timing as Record<string, unknown>).finished_at,
  };
  expect(await wrong(envelope, keys, shown)).toBeUndefined();
  expect(await wrong(envelope, keys, { ...shown, action: "linear.delete_issue" })).toBe(
    "This page shows what was signed",
  );
  expect(differing(receipt, { inputs: { ...(shown.inputs as object), more: 1 } }).differ).toEqual(["inputs"]);
});

it("says the same where the browser knows no Ed25519", async () => {
  const old = vi
    .spyOn(crypto.subtle, "importKey")
    .mockRejectedValue(new DOMException("no Ed25519", "NotSupportedError"));
  expect(await wrong(envelope)).toBeUndefined();
  expect(await wrong({ ...envelope, payload: btoa(`${atob(envelope.payload)} `) })).toBe("Signature is valid");
  expect(old).toHaveBeenCalledTimes(2);
  old.mockRestore();
});
