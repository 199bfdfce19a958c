// Whether to say that loosening waits for a second owner now. It is said once per person and browser.

interface Org {
  loosening?: string | undefined;
  loosening_is_default?: boolean | undefined;
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
