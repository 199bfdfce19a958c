// A decision as steps to read from top to bottom: who gave the mode, what made it stricter, what refused it, which grant
// stood in for a person, what people said, and what came of it. The document calls a decision an object only, so it is
// read with care.
import type { Schemas } from "../api/client";

export interface Step {
  kind: "cascade" | "guardrail" | "gate" | "grant" | "vote" | "result";
  title: string;
  /** The mode, the verdict or the status after this step. */
  word: string;
  tone: "good" | "warn" | "bad" | "plain";
  /** Why, in the gateway's words; they may hold texts of others. */
  reason: string;
  at?: string;
}

const SOURCES: Record<string, string> = {
  automation_rule: "A rule of the automation",
  org_rule: "A rule of the org",
  inferred: "By its risk",
};
const GUARDRAILS: Record<string, string> = {
  ceiling: "Guardrail: ceiling of the risk",
  band: "Guardrail: band of the space",
  drift: "Guardrail: drift",
};
const TONES: Record<string, Step["tone"]> = {
  allow: "good", pass: "good", approved: "good", succeeded: "good", active: "good",
  require_approval: "warn", pending: "warn", expired: "warn", unknown: "warn",
  deny: "bad", denied: "bad", quarantine: "bad", quarantined: "bad", failed: "bad",
};
const tone = (word: string): Step["tone"] => TONES[word] ?? "plain";

type Fields = Record<string, unknown>;
const fields = (value: unknown): Fields => (typeof value === "object" && value !== null ? (value as Fields) : {});
const list = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(fields) : []);
const text = (value: unknown): string => (typeof value === "string" ? value : "");

export function derivation(decision: unknown, votes: readonly Schemas["VoteView"][], status: string): Step[] {
  const all = fields(decision);
  const guardrails = list(all["guardrails"]);
  const gates = list(all["gates"]);
  const mode = text(all["mode"]);
  const isGranted = text(all["mode_source"]) === "grant";
  const steps: Step[] = [];

  const first = began(mode, guardrails, gates, isGranted);
  steps.push({ kind: "cascade", title: SOURCES[text(all["mode_source"])] ?? "The cascade", word: first, tone: tone(first), reason: text(all["reason"]) });
  for (const change of guardrails) {
    const to = text(change["to"]);
    steps.push({ kind: "guardrail", title: GUARDRAILS[text(change["guardrail"])] ?? `Guardrail: ${text(change["guardrail"])}`, word: to, tone: tone(to), reason: text(change["reason"]) });
  }
  for (const gate of gates) {
    const verdict = text(gate["verdict"]);
    steps.push({ kind: "gate", title: `Gate: ${text(gate["gate"])}`, word: verdict, tone: tone(verdict), reason: text(gate["reason"]) });
  }
  if (isGranted) steps.push({ kind: "grant", title: "A grant stood in for a person", word: "allow", tone: "good", reason: text(all["grant"]) });
  for (const vote of votes) {
    const said = vote.note === "" ? "" : `: ${vote.note}`;
    steps.push({ kind: "vote", title: vote.name, word: vote.verdict, tone: tone(vote.verdict), reason: `${vote.extent}, by ${vote.channel}${vote.signed === true ? ", signed with a passkey" : ""}${said}`, at: vote.at });
  }
  steps.push({ kind: "result", title: "So", word: status, tone: tone(status), reason: SO[status] ?? "" });
  return steps;
}

/** What the cascade gave, before anything changed it. Where a gate refused it, it is no longer known from the end. */
function began(mode: string, guardrails: Fields[], gates: Fields[], isGranted: boolean): string {
  const [first] = guardrails;
  if (first !== undefined) return text(first["from"]);
  if (isGranted) return "require_approval";
  return gates.some((gate) => gate["verdict"] !== "pass") ? "" : mode;
}

const SO: Record<string, string> = {
  pending: "It waits for a person.",
  approved: "A person said yes; it is about to be done.",
  executing: "It is being done.",
  denied: "Nothing was done.",
  quarantined: "It was set aside; nothing was done.",
  expired: "Nobody answered in time; nothing was done.",
  succeeded: "It was done.",
  failed: "It was tried, and did not succeed.",
  reverted: "It was done, did not hold, and was undone.",
  unknown: "It may have happened; a person finds out.",
  skipped: "A dry run: nothing was to be done.",
};
