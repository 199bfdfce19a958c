// What an authorization server returned, from the fragment of the page.

export interface Callback {
  state: string;
  code: string;
  iss?: string;
}

/** null without a code: the authorization was refused, or the page was opened by itself. */
export function readCallback(fragment: string | null): Callback | null {
  const given = new URLSearchParams(fragment ?? "");
  const [state, code, iss] = [given.get("state"), given.get("code"), given.get("iss")];
  if (!state || !code) return null;
  return { state, code, ...(iss && { iss }) };
}
