// The gateway's own sentences about a decision, as people say them. Only what is one of these as a whole is said otherwise:
// within others there may be words of somebody else.
const DEFAULTS: Record<string, string> = { allow: "is done without asking", require_approval: "asks a person", deny: "is refused" };
const FROM = ["inferred", "org_rule", "automation_rule", "grant"];
const MODE: Record<string, string> = { allow: "allowed", require_approval: "asks", deny: "denied" };

export function inWords(reason: string): string {
  const inferred = /^(?:inferred: )?no rule; (allow|require_approval|deny) is the default for (R[0-4])$/.exec(reason);
  if (inferred !== null) return `no rule for it, and ${inferred[2]} ${DEFAULTS[inferred[1] ?? ""]}`;
  const gate = /^gate ([a-z_]+): pass$/.exec(reason);
  if (gate !== null) return `gate ${gate[1]}: nothing against it`;
  // What comes first says where the rest is from, which says so itself.
  const [from = "", ...rest] = reason.split(": ");
  if (FROM.includes(from) && rest.length > 0) return rest.join(": ");
  const raised = /^(ceiling|band|drift): (allow|require_approval|deny) → (allow|require_approval|deny), (.*)$/s.exec(reason);
  if (raised !== null) return `${raised[1]}: from ${MODE[raised[2] ?? ""]} to ${MODE[raised[3] ?? ""]}, ${raised[4]}`;
  return reason;
}
