// Creates passkeys and signs with them (WebAuthn). Problems are `ApiError`s with a hint.

import { ApiError, type Schemas } from "../api/client";
import { type Bytes, base64url, toBase64url } from "../receipt/bytes";

type Assertion = Schemas["AssertionRequest"];
type Offer = Schemas["PasskeyOffer"];

const TIMEOUT_MS = 120_000;
// COSE algorithms, the preferred one first. Windows Hello makes RS256 keys on many devices.
const [ES256, RS256] = [-7, -257];

export interface NewPasskey {
  credential: string;
  public_key: string;
  client_data: string;
  authenticator_data: string;
}

export async function createPasskey(offer: Offer, signal: AbortSignal): Promise<NewPasskey> {
  const { id: site } = offer.rp;
  if (site !== location.hostname)
    throw passkeyError(
      "Wrong address for passkeys",
      `This page is open at ${location.host}, but passkeys of this gateway belong to ${site}.`,
      elsewhere(location, site),
    );
  const publicKey: PublicKeyCredentialCreationOptions = {
    challenge: base64url(offer.challenge),
    rp: offer.rp,
    user: { id: base64url(offer.user.id), name: offer.user.name, displayName: offer.user.display_name },
    pubKeyCredParams: [ES256, RS256].map((alg) => ({ type: "public-key", alg })),
    authenticatorSelection: { residentKey: "preferred", userVerification: "required" },
    attestation: "none",
    excludeCredentials: offer.exclude.map(named),
    timeout: TIMEOUT_MS,
  };
  const { rawId, response } = await ceremony(() => navigator.credentials.create({ publicKey, signal }));
  const made = response as AuthenticatorAttestationResponse;
  return {
    credential: text(rawId),
    public_key: await publicKeyOf(made),
    client_data: text(made.clientDataJSON),
    authenticator_data: text(made.getAuthenticatorData()),
  };
}

export async function signWith(
  credentials: readonly string[],
  challenge: Bytes,
  signal: AbortSignal,
): Promise<Assertion> {
  const publicKey: PublicKeyCredentialRequestOptions = {
    challenge,
    allowCredentials: credentials.map(named),
    userVerification: "required",
    timeout: TIMEOUT_MS,
  };
  const { rawId, response } = await ceremony(() => navigator.credentials.get({ publicKey, signal }));
  const { clientDataJSON, authenticatorData, signature } = response as AuthenticatorAssertionResponse;
  return {
    credential: text(rawId),
    client_data: text(clientDataJSON),
    authenticator_data: text(authenticatorData),
    signature: text(signature),
  };
}

/** Why passkeys do not work here; null if they do. */
export function passkeyProblem(
  place: Pick<Location, "hostname" | "port" | "host"> = location,
  isThere = "PublicKeyCredential" in globalThis,
  isSecure = isSecureContext,
): ApiError | null {
  if (/^(\d+\.){3}\d+$|^\[/.test(place.hostname)) {
    const isLocal = place.hostname.startsWith("127.") || place.hostname === "[::1]";
    return passkeyError(
      "Passkeys do not work with an IP address",
      `This page is open at ${place.host}, but a passkey belongs to a host name.`,
      isLocal ? elsewhere(place, "localhost") : "open the gateway by its host name, with https",
    );
  }
  if (!isSecure)
    return passkeyError(
      "Passkeys need https",
      `This page is open at ${place.host} without https.`,
      "open the gateway with https",
    );
  if (!isThere)
    return passkeyError(
      "This browser does not support passkeys",
      "The WebAuthn API is not available.",
      "use a newer browser",
    );
  return null;
}

function elsewhere({ port }: Pick<Location, "port">, site: string): string {
  const local = `http://localhost${port === "" ? "" : `:${port}`}`;
  return `open ${site === "localhost" ? local : `https://${site}`} instead`;
}

async function ceremony(ask: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  const reason = passkeyProblem();
  if (reason !== null) throw reason;
  try {
    const found = await ask();
    if (found === null) throw new DOMException("", "NotAllowedError");
    return found as PublicKeyCredential;
  } catch (error) {
    throw explainError(error);
  }
}

/** Explains a WebAuthn error. Browsers say little, so that pages cannot find out who has which passkey. */
export function explainError(error: unknown): ApiError {
  switch (error instanceof DOMException ? error.name : "") {
    case "NotAllowedError":
    case "AbortError":
      return passkeyError(
        "Cancelled",
        "The request was cancelled, timed out, or is not possible on this device.",
        "try again, or use a device that has one of your passkeys",
      );
    case "InvalidStateError":
      return passkeyError(
        "This device already has one of your passkeys",
        "A second passkey on the same device is not needed.",
        "use the existing passkey, or add one on another device",
      );
    case "SecurityError":
      return passkeyError(
        "Wrong address for passkeys",
        `The browser does not allow ${location.host} to use these passkeys.`,
        "open the gateway at its own address",
      );
    default:
      return passkeyError(
        "The device reported an error",
        error instanceof Error ? `Message from the device: ${error.message}.` : "The device gave no reason.",
        "try again, or use another device",
      );
  }
}

function passkeyError(title: string, detail: string, hint: string): ApiError {
  return new ApiError({ type: "passkey", code: "passkey", status: 0, title, detail, hint });
}

const named = (credential: string): PublicKeyCredentialDescriptor => ({
  type: "public-key",
  id: base64url(credential),
});
const text = (bytes: ArrayBuffer): string => toBase64url(new Uint8Array(bytes));

/** The public key as the gateway stores it: the point of an ES256 key, the SPKI format of an RS256 key. */
export async function publicKeyOf(
  made: Pick<AuthenticatorAttestationResponse, "getPublicKey" | "getPublicKeyAlgorithm">,
): Promise<string> {
  const spki = made.getPublicKey();
  const algorithm = made.getPublicKeyAlgorithm();
  if (spki !== null && algorithm === RS256) return text(spki);
  if (spki !== null && algorithm === ES256) return point(spki);
  throw passkeyError(
    "Unsupported passkey type",
    "Countersign supports passkeys with an ES256 or RS256 key.",
    "use another device or password manager",
  );
}

async function point(spki: ArrayBuffer): Promise<string> {
  const key = await crypto.subtle.importKey("spki", spki, { name: "ECDSA", namedCurve: "P-256" }, true, ["verify"]);
  return text(await crypto.subtle.exportKey("raw", key));
}
