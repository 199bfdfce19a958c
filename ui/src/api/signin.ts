// Whether somebody is signed in in this browser. What proves it is a cookie that no script can read, so it is known only
// from what the gateway answers.

type State = "unknown" | "in" | "out";

let state: State = "unknown";
let reason: string | null = null;
/** Counts sign-ins, so that an answer to an earlier one says nothing about this one. */
let era = 0;
const listeners = new Set<() => void>();

export const currentState = (): State => state;
export const currentEra = (): number => era;

/** Why the person was signed out, when it was not their own doing. */
export const signedOutBecause = (): string | null => reason;

export function signedIn(): void {
  if (state !== "in") set("in", null);
}

export function signedOut(because: string | null = null): void {
  set("out", because);
}

function set(next: State, because: string | null): void {
  [state, reason] = [next, because];
  era += 1;
  listeners.forEach((listener) => listener());
}

export function onSignInChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** What the identity provider's way back said went wrong. Read before any page moves on from that address. */
export const failedBecause: string | null = new URLSearchParams(location.search).get("signin_error");

const TO = "countersign.to";

/** Where a person wanted to go before they had to sign in; an attempt at the identity provider that failed comes back without. */
export function rememberPage(path: string): void {
  try {
    sessionStorage.setItem(TO, path);
  } catch {
    // Then they begin at the inbox.
  }
}

export function rememberedPage(): string | null {
  try {
    const kept = sessionStorage.getItem(TO);
    sessionStorage.removeItem(TO);
    return kept !== null && /^\/(?![/\\])/.test(kept) ? kept : null;
  } catch {
    return null;
  }
}
