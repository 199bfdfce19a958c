// Whether someone is signed in. The proof is a cookie that scripts cannot read, so it is known only from responses of
// the gateway.

type State = "unknown" | "in" | "out";

let state: State = "unknown";
let reason: string | null = null;
/** Counts sign-ins, so that a late response to an earlier session is ignored. */
let era = 0;
const listeners = new Set<() => void>();

export const currentState = (): State => state;
export const currentEra = (): number => era;

/** Why the person was signed out, if not by themselves. */
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

/** The error of the sign-in callback. Read before the URL changes. */
export const failedBecause: string | null = new URLSearchParams(location.search).get("signin_error");

const RETURN_PATH = "countersign.to";

/** The page to open after sign-in; a failed attempt at the identity provider returns without it. */
export function rememberPage(path: string): void {
  try {
    sessionStorage.setItem(RETURN_PATH, path);
  } catch {
    // Without storage, they start at the inbox.
  }
}

export function rememberedPage(): string | null {
  try {
    const path = sessionStorage.getItem(RETURN_PATH);
    sessionStorage.removeItem(RETURN_PATH);
    return path !== null && /^\/(?![/\\])/.test(path) ? path : null;
  } catch {
    return null;
  }
}
