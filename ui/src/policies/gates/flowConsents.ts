// Consents to flows of data. They are part of the gate settings.
import { api, type Schemas, take } from "../../api/client";
import { queries } from "../../api/queries";
import { type GatesRequest, type GatesView, saveGates } from "./queries";
import { settingsOf } from "./settingsText";

export type FlowConsent = Schemas["FlowConsent"];

/** The order of the sources means nothing. */
const keyOf = ({ automation, from, action, destination }: FlowConsent) =>
  JSON.stringify([automation, [...new Set(from)].sort(), action, destination]);

/** The consents that are not among these yet, each once. */
export function newConsents(present: readonly FlowConsent[], added: readonly FlowConsent[]): FlowConsent[] {
  const known = new Set(present.map(keyOf));
  return added.filter((each) => {
    const key = keyOf(each);
    return !known.has(key) && known.add(key);
  });
}

/** The same settings with these consents; null if they have all of them. */
export function withConsents(view: GatesView, added: readonly FlowConsent[]): GatesRequest | null {
  const present = view.flow.consents;
  const missing = newConsents(present, added);
  if (missing.length === 0) return null;
  const settings = settingsOf(view);
  return { ...settings, version: view.version, flow: { ...view.flow, consents: [...present, ...missing] } };
}

/** Adds consents to the present settings. */
export async function consentToFlow(added: readonly FlowConsent[], reason: string): Promise<void> {
  const next = withConsents(await take(api.GET("/v1/gates")), added);
  if (next !== null) await saveGates(next, reason);
  await queries.invalidateQueries({ queryKey: ["automations"] });
}
