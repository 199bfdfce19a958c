// Decisions in words, from their fields. Sentences of the gateway are shown as they are.
import { span } from "../text/time";
import { inferred } from "./outlook";

const BY_DEFAULT: Record<string, string> = {
  allow: "are allowed by default",
  require_approval: "need approval by default",
  deny: "are denied by default",
};

/** Why an action has its mode, before guardrails. A rule's sentence may contain untrusted text. */
export function modeReason(source: string, reason: string, risk: string): string {
  if (source === "inferred") return `No rule matches. ${risk} actions ${BY_DEFAULT[inferred(risk)]}.`;
  if (source === "grant") return "Approval would be needed without the grant.";
  return reason;
}

/** The guardrails by name, for where the gateway gives no sentence. */
export const GUARDRAILS: Record<string, { title: string; effect: string }> = {
  ceiling: { title: "risk ceiling", effect: "R3 and R4 actions always need approval." },
  band: { title: "band of the space", effect: "The band of the space makes the decision stricter." },
  drift: { title: "drift", effect: "The tool is new or changed since its review, so every call needs approval." },
  policy: { title: "policy", effect: "A policy makes the decision stricter." },
  flow: {
    title: "flow",
    effect:
      "Data would go to somebody who may not see it, or somebody unknown chose where it goes, " +
      "so a person must approve.",
  },
  release: { title: "released from quarantine", effect: "A request that was released as text needs approval." },
};

const CHANNELS: Record<string, string> = { api: "the API", cli: "the CLI", web: "the web", slack: "Slack" };
const EXTENTS: Record<string, string> = { once: "once", grant: "with a grant", always: "always" };

/** How a vote was given: “once, via the web, signed with a passkey”. */
export function voteText({ extent, channel, signed }: { extent: string; channel: string; signed?: boolean }): string {
  const parts = [EXTENTS[extent] ?? extent, `via ${CHANNELS[channel] ?? channel}`];
  return [...parts, ...(signed === true ? ["signed with a passkey"] : [])].join(", ");
}

const METHODS: Record<string, string> = {
  api_token: "with an API token",
  browser: "with a browser, by an API token",
  identity: "with a browser, by the identity provider",
  slack: "with a linked Slack account",
};

/** How the person was signed in when they voted, and for how long. Empty where that was not recorded. */
export function signInText(
  { method, signed_in_at }: { method?: string | null | undefined; signed_in_at?: string | null | undefined },
  at: string,
): string {
  if (method == null) return "";
  const age_s = (Date.parse(at) - Date.parse(signed_in_at ?? "")) / 1_000;
  const before = age_s >= 0 ? `, ${span(age_s)} before` : "";
  return `Signed in ${METHODS[method] ?? `with ${method}`}${before}.`;
}
