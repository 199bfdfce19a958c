// Signing out, and going on in another org.
import { api, take } from "../api/client";
import { queries } from "../api/queries";
import { signedOut } from "../api/signin";
import { plain } from "../text/visible";
import { notify } from "./notices";
import { chooseSpace } from "./space";

/** Another org shares nothing with this one, so the page begins anew there. */
export async function switchOrg(slug: string): Promise<void> {
  try {
    await take(api.POST("/v1/signin/org", { body: { org: slug } }));
    chooseSpace(null);
    location.assign("/");
  } catch (error) {
    notify("warn", "You are still in this org", said(error));
  }
}

export async function signOut(): Promise<void> {
  try {
    await take(api.DELETE("/v1/signin"));
  } catch (error) {
    // Whoever is told that they are signed out must be.
    notify("warn", "You are still signed in", said(error));
    return;
  }
  chooseSpace(null);
  queries.clear();
  signedOut();
}

const said = (error: unknown) => plain(error instanceof Error ? error.message : String(error));
