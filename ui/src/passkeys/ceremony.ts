// What happens between this page and a person's device: making a passkey, and signing with one. What hinders it is said as
// a refusal, in words that tell what to do.
import { type Bytes, base64url, toBase64url } from "../activity/bytes";
import { Refusal, type Schemas } from "../api/client";

type Assertion = Schemas["AssertionRequest"];
type Offer = Schemas["PasskeyOffer"];

const TIMEOUT_MS = 120_000;
const ES256 = -7;

export interface Made {
  credential: string;
  public_key: string;
  client_data: string;
  authenticator_data: string;
}

export async function makePasskey(offer: Offer, signal: AbortSignal): Promise<Made> {
  const { id: site } = offer.rp;
  if (site !== location.hostname) throw hindered("Passkeys of this gateway belong to another address", `This page is open at ${location.host}, and its passkeys are for ${site}.`, elsewhere(location, site));
  const publicKey: PublicKeyCredentialCreationOptions = {
    challenge: base64url(offer.challenge),
    rp: offer.rp,
    user: { id: base64url(offer.user.id), name: offer.user.name, displayName: offer.user.display_name },
    pubKeyCredParams: [{ type: "public-key", alg: ES256 }],
    authenticatorSelection: { residentKey: "preferred", userVerification: "required" },
    attestation: "none",
    excludeCredentials: offer.exclude.map(named),
    timeout: TIMEOUT_MS,
  };
  const { rawId, response } = await ceremony(() => navigator.credentials.create({ publicKey, signal }));
  const { clientDataJSON, getAuthenticatorData, getPublicKey } = response as AuthenticatorAttestationResponse;
  const spki = getPublicKey.call(response);
  if (spki === null) throw hindered("This device makes passkeys of another kind", "Countersign knows those with an ES256 key.", "use another device, or another place to keep passkeys");
  return { credential: text(rawId), public_key: await point(spki), client_data: text(clientDataJSON), authenticator_data: text(getAuthenticatorData.call(response)) };
}

export async function signWith(credentials: readonly string[], challenge: Bytes, signal: AbortSignal): Promise<Assertion> {
  const publicKey: PublicKeyCredentialRequestOptions = { challenge, allowCredentials: credentials.map(named), userVerification: "required", timeout: TIMEOUT_MS };
  const { rawId, response } = await ceremony(() => navigator.credentials.get({ publicKey, signal }));
  const { clientDataJSON, authenticatorData, signature } = response as AuthenticatorAssertionResponse;
  return { credential: text(rawId), client_data: text(clientDataJSON), authenticator_data: text(authenticatorData), signature: text(signature) };
}

/** Why passkeys do not work on this page, if they do not. */
export function hindrance(place: Pick<Location, "hostname" | "port" | "host"> = location, isThere = "PublicKeyCredential" in globalThis, isSecure = isSecureContext): Refusal | null {
  if (/^(\d+\.){3}\d+$|^\[/.test(place.hostname)) {
    const isLocal = place.hostname.startsWith("127.") || place.hostname === "[::1]";
    return hindered("Passkeys do not work at an address of numbers", `This page is open at ${place.host}, and a passkey belongs to a name.`, isLocal ? elsewhere(place, "localhost") : "open the gateway by its name, with https");
  }
  if (!isSecure) return hindered("Passkeys need https", `This page is open at ${place.host} without it.`, "open the gateway with https");
  if (!isThere) return hindered("This browser knows no passkeys", "It lacks what pages make and use them with (WebAuthn).", "use a newer browser");
  return null;
}

function elsewhere({ port }: Pick<Location, "port">, site: string): string {
  return `open ${site === "localhost" ? `http://localhost${port === "" ? "" : `:${port}`}` : `https://${site}`} instead`;
}

async function ceremony(ask: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  const reason = hindrance();
  if (reason !== null) throw reason;
  try {
    const found = await ask();
    if (found === null) throw new DOMException("", "NotAllowedError");
    return found as PublicKeyCredential;
  } catch (error) {
    throw why(error);
  }
}

/** What a browser says of a ceremony that failed, in words. It does not say more, so that pages cannot find out who has what. */
export function why(error: unknown): Refusal {
  switch (error instanceof DOMException ? error.name : "") {
    case "NotAllowedError":
    case "AbortError":
      return hindered("It was cancelled", "You cancelled it, it took too long, or this device could not do it.", "try again, or use a device that has a passkey of yours");
    case "InvalidStateError":
      return hindered("This device has a passkey of yours already", "Another one on it would prove nothing more.", "use the one it has, or add one on another device");
    case "SecurityError":
      return hindered("Passkeys of this gateway belong to another address", `The browser does not let ${location.host} use them.`, "open the gateway at its own address");
    default:
      return hindered("The device could not do it", error instanceof Error ? `It says: ${error.message}.` : "It does not say why.", "try again, or use another device");
  }
}

function hindered(title: string, detail: string, hint: string): Refusal {
  return new Refusal({ type: "passkey", code: "passkey", status: 0, title, detail, hint });
}

const named = (credential: string): PublicKeyCredentialDescriptor => ({ type: "public-key", id: base64url(credential) });
const text = (bytes: ArrayBuffer): string => toBase64url(new Uint8Array(bytes));

/** The 65 bytes of the key, from the form in which a browser tells it. */
async function point(spki: ArrayBuffer): Promise<string> {
  const key = await crypto.subtle.importKey("spki", spki, { name: "ECDSA", namedCurve: "P-256" }, true, ["verify"]);
  return text(await crypto.subtle.exportKey("raw", key));
}
