// Verifies Ed25519 signatures with the browser, or with a library in older browsers.
import { verifyAsync } from "@noble/ed25519";

type Bytes = Uint8Array<ArrayBuffer>;

export async function isSignedBy(publicKey: Bytes, signature: Bytes, message: Bytes): Promise<boolean> {
  let key: CryptoKey;
  try {
    key = await crypto.subtle.importKey("raw", publicKey, "Ed25519", false, ["verify"]);
  } catch {
    // An older browser. Strict verification, like the gateway's own.
    return verifyAsync(signature, message, publicKey, { zip215: false });
  }
  return crypto.subtle.verify("Ed25519", key, signature, message);
}
