// The gates: what each one does, the settings of the organization, and the consents.
import { Consents } from "./Consents";
import { GateSettings } from "./GateSettings";

const GATES: readonly (readonly [string, string])[] = [
  ["Capability", "Denies actions that the session may not use."],
  ["Consent", "Denies actions about people who have not consented to the purpose."],
  ["Space", "Denies effects with a source that belongs to another space."],
  [
    "Safety",
    "Quarantines calls with credentials, invisible characters, recipients that are not allowed, or detector patterns.",
  ],
];

export function Gates() {
  return (
    <div className="space-y-6">
      <section aria-label="Gates" className="space-y-3">
        <p className="text-soft">
          A gate can only refuse. Every request goes through all four, whatever rules, grants, policies and approvals
          say.
        </p>
        <dl className="grid gap-3 sm:grid-cols-2">
          {GATES.map(([name, effect]) => (
            <div key={name} className="rounded-xl border border-edge bg-card px-4 py-3">
              <dt className="font-medium">{name}</dt>
              <dd className="text-soft">{effect}</dd>
            </div>
          ))}
        </dl>
      </section>
      <GateSettings />
      <Consents />
    </div>
  );
}
