// A decision as a list of steps: policy, guardrails, gates, grant, votes and result. The OpenAPI document has no schema
// for a decision, so every field is checked.
import type { Schemas } from "../api/client";
import { approversOf, policyChanges } from "../policies/explain/decision";
import { policyReason, policyTitle } from "../policies/words";
import { GUARDRAILS, modeReason, signInText, voteText } from "../policy/reasons";

export interface Step {
  kind: "cascade" | "guardrail" | "gate" | "grant" | "vote" | "result";
  title: string;
  /** The mode, the verdict or the status after this step. */
  verdict: string;
  tone: "good" | "warn" | "bad" | "plain";
  /** The gateway's reason; may contain untrusted text. */
  reason: string;
  at?: string;
  /** How the person was signed in. */
  signIn?: string;
}

const SOURCES: Record<string, string> = {
  automation_rule: "Automation rule",
  org_rule: "Organization rule",
  inferred: "Default for its risk",
};
const TONES: Record<string, Step["tone"]> = {
  allow: "good",
  pass: "good",
  approved: "good",
  succeeded: "good",
  active: "good",
  require_approval: "warn",
  pending: "warn",
  expired: "warn",
  unknown: "warn",
  deny: "bad",
  denied: "bad",
  quarantine: "bad",
  quarantined: "bad",
  failed: "bad",
};
const tone = (verdict: string): Step["tone"] => TONES[verdict] ?? "plain";

type Fields = Record<string, unknown>;
const fields = (value: unknown): Fields => (typeof value === "object" && value !== null ? (value as Fields) : {});
const list = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(fields) : []);
const text = (value: unknown): string => (typeof value === "string" ? value : "");

export function derivation(
  decision: unknown,
  votes: readonly Schemas["VoteView"][],
  { status, risk }: { status: string; risk: string },
): Step[] {
  const all = fields(decision);
  const guardrails = list(all.guardrails);
  const gates = list(all.gates);
  const mode = text(all.mode);
  const isGranted = text(all.mode_source) === "grant";
  const steps: Step[] = [];

  const first = initialMode(mode, guardrails, gates, isGranted);
  steps.push({
    kind: "cascade",
    title: SOURCES[text(all.mode_source)] ?? "Policy",
    verdict: first,
    tone: tone(first),
    reason: modeReason(text(all.mode_source), text(all.reason), risk),
  });
  const policies = policyChanges(decision, guardrails);
  for (const change of guardrails) {
    const to = text(change.to);
    const policy = change.guardrail === "policy" ? policies.shift() : undefined;
    steps.push({
      kind: "guardrail",
      title:
        policy === undefined
          ? `Guardrail: ${GUARDRAILS[text(change.guardrail)]?.title ?? text(change.guardrail)}`
          : policyTitle(policy),
      verdict: to,
      tone: tone(to),
      reason: policy === undefined ? text(change.reason) : policyReason(policy),
    });
  }
  for (const gate of gates) {
    const verdict = text(gate.verdict);
    steps.push({
      kind: "gate",
      title: `Gate: ${text(gate.gate)}`,
      verdict,
      tone: tone(verdict),
      reason: text(gate.reason),
    });
  }
  if (isGranted)
    steps.push({
      kind: "grant",
      title: "Grant",
      verdict: "allow",
      tone: "good",
      reason: text(all.grant),
    });
  for (const vote of votes) {
    const note = vote.note === "" ? "" : `: ${vote.note}`;
    steps.push({
      kind: "vote",
      title: vote.name,
      verdict: vote.verdict,
      tone: tone(vote.verdict),
      reason: `${voteText(vote)}${note}`,
      at: vote.at,
      signIn: signInText(vote, vote.at),
    });
  }
  const approvers = status === "pending" ? approversOf(decision) : null;
  const needed = approvers === null ? "" : ` ${approvers} approvals are needed.`;
  const reason = `${RESULTS[status] ?? ""}${needed}`;
  steps.push({ kind: "result", title: "Result", verdict: status, tone: tone(status), reason });
  return steps;
}

/** The mode before guardrails and gates. Unknown where a gate refused. */
function initialMode(mode: string, guardrails: Fields[], gates: Fields[], isGranted: boolean): string {
  const [first] = guardrails;
  if (first !== undefined) return text(first.from);
  if (isGranted) return "require_approval";
  return gates.some((gate) => gate.verdict !== "pass") ? "" : mode;
}

const RESULTS: Record<string, string> = {
  pending: "Waiting for approval.",
  approved: "Approved; runs next.",
  executing: "Running.",
  denied: "Not run.",
  quarantined: "Held back, not run.",
  expired: "Not answered in time, not run.",
  succeeded: "Completed.",
  failed: "Failed.",
  reverted: "Completed, but the verification failed and the action was undone.",
  unknown: "The action may have happened. A person must check.",
  skipped: "Dry run; nothing was executed.",
};
