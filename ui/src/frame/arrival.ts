// The fragment that this page was opened with, if it is a secret. This module runs before the router reads the URL.
import { takeFragment } from "./fragment";

let fragment = takeFragment(location, history);

export const arrivedFragment = (): string | null => fragment;

/** After it was used. */
export function forgetFragment(): void {
  fragment = null;
}

// A second invitation opened in the same tab changes only the fragment, so the page is not loaded anew by itself.
addEventListener("hashchange", () => {
  if (location.pathname.startsWith("/join") && location.hash.length > 1) location.reload();
});
