// Problems with passkeys say what to do.
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { expect, it } from "vitest";
import { base64url } from "../receipt/bytes";
import { passkeyKey } from "../receipt/passkeyKey";

// The page this would run on.
Object.assign(globalThis, {
  location: { origin: "http://localhost:9461", host: "localhost:9461", hostname: "localhost", port: "9461" },
});
const { passkeyProblem, explainError, publicKeyOf } = await import("./ceremony");

const at = (host: string, isThere = true, isSecure = true) => {
  const { hostname, port } = new URL(`http://${host}`);
  return passkeyProblem({ host, hostname, port }, isThere, isSecure)?.problem;
};

it("sends whoever opened it at an address of numbers to its name", () => {
  expect(at("127.0.0.1:9461")?.hint).toBe("open http://localhost:9461 instead");
  expect(at("[::1]:9461")?.hint).toBe("open http://localhost:9461 instead");
  expect(at("10.0.0.7")?.hint).toBe("open the gateway by its host name, with https");
  expect(at("localhost:9461")).toBeUndefined();
  expect(at("gate.example.com")).toBeUndefined();
});

it("tells a page without https from a browser without passkeys", () => {
  expect(at("gate.example.com", false, false)?.title).toBe("Passkeys need https");
  expect(at("gate.example.com", false)?.title).toBe("This browser does not support passkeys");
});

it("says of a failed ceremony what the browser lets one know", () => {
  const said = (name: string) => explainError(new DOMException("", name)).problem.title;
  expect(said("NotAllowedError")).toBe("Cancelled");
  expect(said("InvalidStateError")).toBe("This device already has one of your passkeys");
  expect(said("SecurityError")).toBe("Wrong address for passkeys");
  expect(explainError(new Error("no")).problem.detail).toBe("Message from the device: no.");
});

it("gives the public key in the form of receipts, for both algorithms", async () => {
  const made = ({ publicKey }: { publicKey: KeyObject }, algorithm: number, isReadable = true) => {
    const spki = new Uint8Array(publicKey.export({ type: "spki", format: "der" })).buffer;
    return publicKeyOf({ getPublicKey: () => (isReadable ? spki : null), getPublicKeyAlgorithm: () => algorithm });
  };
  const [ec, rsa] = [
    generateKeyPairSync("ec", { namedCurve: "P-256" }),
    generateKeyPairSync("rsa", { modulusLength: 2048 }),
  ];
  expect(passkeyKey(base64url(await made(ec, -7)))?.algorithm).toBe("ES256");
  expect(passkeyKey(base64url(await made(rsa, -257)))?.algorithm).toBe("RS256");
  await expect(made(ec, -7, false)).rejects.toMatchObject({ problem: { title: "Unsupported passkey type" } });
  await expect(made(ec, -8)).rejects.toMatchObject({ problem: { title: "Unsupported passkey type" } });
});
