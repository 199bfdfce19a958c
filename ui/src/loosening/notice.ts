// Who may loosen a protection, and whether to say that it waits for a second owner now. That is said once per person
// and browser.
import { day } from "../text/time";

export interface Org {
  loosening?: string | undefined;
  loosening_is_default?: boolean | undefined;
  /** RFC 3339; only while two people are needed although one owner is left. */
  two_people_until?: string | null | undefined;
}

/** Who may loosen a protection of this organization; of any organization while it is not loaded. */
export function looseningText(org: Org | undefined): string {
  if (org?.two_people_until != null)
    return (
      `Until ${day(org.two_people_until)}, a change that loosens a protection waits for a second owner, ` +
      "because another owner left."
    );
  if (org?.loosening === "two_people")
    return "In this organization, a change that loosens a protection waits for a second owner.";
  if (org?.loosening === "one" && org.loosening_is_default === false)
    return "In this organization, one person may make a change that loosens a protection, however many owners it has.";
  return "With two owners, a change that loosens a protection waits for the second one.";
}

/** Only where nobody chose it, to those whose changes it delays. */
export function isNews({ loosening, loosening_is_default }: Org, role: string | null | undefined): boolean {
  return loosening === "two_people" && loosening_is_default === true && (role === "owner" || role === "admin");
}

const nameFor = (org: string, user: string) => `countersign.loosening.${org}.${user}`;

export function isClosed(org: string, user: string): boolean {
  try {
    return localStorage.getItem(nameFor(org, user)) !== null;
  } catch {
    // Without storage it could not be closed for good.
    return true;
  }
}

export function markClosed(org: string, user: string): void {
  try {
    localStorage.setItem(nameFor(org, user), "closed");
  } catch {
    // Nothing to do.
  }
}
