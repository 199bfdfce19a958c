// Secrets that a page is opened with: the token of an invitation, or the code of an authorization. They come in the
// fragment of the URL, which browsers send to no server.

/** The pages that are opened so. */
const PAGES = ["/join", "/connect"];

/** Takes the fragment out of the address bar, and so out of the history. null if the page has no such fragment. */
export function takeFragment(
  { pathname, search, hash }: Pick<Location, "pathname" | "search" | "hash">,
  history: Pick<History, "replaceState" | "state">,
): string | null {
  if (!PAGES.includes(pathname.replace(/\/+$/, "")) || hash.length < 2) return null;
  history.replaceState(history.state, "", pathname + search);
  return hash.slice(1);
}
