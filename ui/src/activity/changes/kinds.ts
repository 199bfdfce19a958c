// The kinds of changes in words. The gateway may be newer than this page: an unknown kind is shown by its raw name.

/** `{}` is the name of what was changed, where there are several. */
const SENTENCES = new Map([
  ["org.founded", "Organization {} created"],
  ["change.proposed", "Change of {} proposed to a second owner"],
  ["deployment.restored", "Database of organization {} restored"],
  ["keys.rotated", "Encryption keys of organization {} rotated"],
  ["org.changed", "Settings of organization {} changed"],
  ["member.invited", "Invitation for {} created"],
  ["invitation.renewed", "New link for the invitation of {} created"],
  ["invitation.withdrawn", "Invitation for {} withdrawn"],
  ["member.added", "Member {} added"],
  ["member.changed", "Member {} changed"],
  ["member.removed", "Member {} removed"],
  ["passkey.added", "Passkey {} added"],
  ["passkey.confirmed", "Passkey {} confirmed"],
  ["passkey.removed", "Passkey {} removed"],
  ["slack.linked", "Slack account {} linked"],
  ["slack.unlinked", "Slack account {} unlinked"],
  ["token.created", "API token {} created"],
  ["token.revoked", "API token {} revoked"],
  ["session.opened", "Session of {} opened"],
  ["session.ended", "Session of {} ended"],
  ["browser.signed_in", "Browser sign-in {} started"],
  ["browser.confirmed", "Browser sign-in {} confirmed with a passkey"],
  ["browser.signed_out", "Browser sign-in {} ended"],
  ["rule.set", "Rule set for {}"],
  ["rule.removed", "Rule removed for {}"],
  ["policy.set", "Policy {} set"],
  ["policy.removed", "Policy {} removed"],
  ["fact.set", "Fact {} set"],
  ["fact.removed", "Fact {} removed"],
  ["gates.changed", "Gate settings changed"],
  ["consent.given", "Consent to {} stored"],
  ["consent.revoked", "Consent to {} revoked"],
  ["flow.endorsed", "What {} had read was trusted"],
  ["grant.given", "Grant given for {}"],
  ["grant.revoked", "Grant revoked for {}"],
  ["connector.added", "Source {} added"],
  ["connector.changed", "Source {} changed"],
  ["connector.removed", "Source {} removed"],
  ["connection.set", "Connection to {} set"],
  ["connection.deleted", "Connection to {} deleted"],
  ["tool.reviewed", "Tool {} reviewed"],
  ["model_provider.set", "Model provider {} set"],
  ["model_provider.removed", "Model provider {} removed"],
  ["secret.set", "Secret {} set"],
  ["secret.deleted", "Secret {} deleted"],
  ["secret.allowed", "Use of secret {} allowed"],
  ["secret.forbidden", "Use of secret {} forbidden"],
  ["space.created", "Space {} created"],
  ["space.changed", "Space {} changed"],
  ["space_member.set", "Space access of {} set"],
  ["space_member.removed", "Space access of {} removed"],
  ["automation.created", "Automation {} created"],
  ["automation.changed", "Automation {} changed"],
  ["trigger.token_replaced", "Trigger token of {} replaced"],
  ["trigger.token_revoked", "Trigger token of {} revoked"],
  ["conduct.stopped", "Stopped: {}"],
  ["conduct.resumed", "Resumed: {}"],
]);

export const KINDS: readonly string[] = [...SENTENCES.keys()];

export interface Named {
  change: string;
  name: string;
  subject: string;
}

/** The sentence in parts, because the name and an unknown kind are untrusted text. */
export interface Sentence {
  start: string;
  name: string;
  end: string;
  isKnown: boolean;
}

export function sentence({ change, name, subject }: Named): Sentence {
  const named = name === "" ? subject : name;
  const found = SENTENCES.get(change);
  if (found === undefined) return { start: change, name: named, end: "", isKnown: false };
  const [start = "", end] = found.split("{}");
  return { start, name: end === undefined ? "" : named, end: end ?? "", isKnown: true };
}

/** Groups for the filter: ID, label, and the beginnings of the kinds. */
export const GROUPS: readonly (readonly [string, string, readonly string[]])[] = [
  ["members", "Members", ["member.", "space_member.", "invitation.", "passkey.", "slack."]],
  ["tokens", "Tokens and sessions", ["token.", "session.", "browser."]],
  ["policy", "Policy", ["rule.", "policy.", "fact.", "gates.", "consent.", "flow.", "grant."]],
  ["sources", "Sources", ["connector.", "connection.", "tool."]],
  ["models", "Model providers", ["model_provider."]],
  ["secrets", "Secrets", ["secret."]],
  ["organization", "Organization", ["org.", "change.", "deployment.", "keys.", "space."]],
  ["automations", "Automations", ["automation.", "trigger."]],
  ["stops", "Stops", ["conduct."]],
];

const METHODS = new Map([
  ["api_token", "API token"],
  ["browser", "Browser sign-in"],
  ["identity", "Identity provider"],
  ["invitation", "Link of an invitation"],
  ["slack", "Slack"],
  ["operator", "Operator command on the server"],
  ["system", "Gateway, as a consequence of something else"],
]);

export function methodText(method: string): string {
  return METHODS.get(method) ?? method;
}

const NOBODY = new Map([
  ["operator", "operator"],
  ["system", "gateway"],
]);

/** The author of a change that no member made. */
export function authorText(method: string): string {
  return NOBODY.get(method) ?? `unknown (${method})`;
}
