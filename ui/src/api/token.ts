// Who is signed in: the one place that knows how the browser proves it.
//
// For now a token is kept in memory and in `sessionStorage` of this tab, so that it survives a reload and ends with the
// tab. A script on this page could read it; the content-security policy allows none but ours. When the gateway gives
// `HttpOnly` cookies, only this file and `authorize` in client.ts change.

const NAME = "countersign.token";

let token: string | null = read();
let reason: string | null = null;
const listeners = new Set<() => void>();

function read(): string | null {
  try {
    return sessionStorage.getItem(NAME);
  } catch {
    return null;
  }
}

export function currentToken(): string | null {
  return token;
}

/** Why the person was signed out, when it was not their own doing. */
export function signedOutBecause(): string | null {
  return reason;
}

export function signIn(value: string): void {
  set(value, null);
}

export function signOut(because: string | null = null): void {
  set(null, because);
}

function set(value: string | null, because: string | null): void {
  token = value;
  reason = because;
  try {
    if (value === null) sessionStorage.removeItem(NAME);
    else sessionStorage.setItem(NAME, value);
  } catch {
    // Without storage a reload signs out; nothing else is lost.
  }
  listeners.forEach((listener) => listener());
}

export function onTokenChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
