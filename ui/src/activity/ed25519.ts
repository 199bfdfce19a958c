// Whether an Ed25519 key signed these bytes: asked of the browser, or of a library where the browser cannot.
import { verifyAsync } from "@noble/ed25519";

type Bytes = Uint8Array<ArrayBuffer>;

export async function isSignedBy(publicKey: Bytes, signature: Bytes, message: Bytes): Promise<boolean> {
  let key: CryptoKey;
  try {
    key = await crypto.subtle.importKey("raw", publicKey, "Ed25519", false, ["verify"]);
  } catch {
    // An older browser. The stricter branch, as the gateway's own verifier is strict.
    return verifyAsync(signature, message, publicKey, { zip215: false });
  }
  return crypto.subtle.verify("Ed25519", key, signature, message);
}
