// Signing out and switching the organization.
import { api, take } from "../api/client";
import { queries } from "../api/queries";
import { signedOut } from "../api/signin";
import { plain } from "../text/visible";
import { chooseSpace } from "./space";
import { notify } from "./toasts";

/** Organizations share nothing, so the page is reloaded. */
export async function switchOrg(slug: string): Promise<void> {
  try {
    await take(api.POST("/v1/signin/org", { body: { org: slug } }));
    chooseSpace(null);
    location.assign("/");
  } catch (error) {
    notify("warn", "Could not switch organization", errorText(error));
  }
}

export async function signOut(): Promise<void> {
  try {
    await take(api.DELETE("/v1/signin"));
  } catch (error) {
    // Never claim a sign-out that did not happen.
    notify("warn", "Could not sign out", errorText(error));
    return;
  }
  chooseSpace(null);
  queries.clear();
  signedOut();
}

const errorText = (error: unknown) => plain(error instanceof Error ? error.message : String(error));
