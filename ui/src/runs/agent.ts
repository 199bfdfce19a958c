// The turns of a step that a model performs, in words and in sums.
import type { Schemas } from "../api/client";
import { usd } from "../models/price";
import type { Tone } from "../ui/Bits";

export type Asked = Schemas["AgentTurnView"];
export type AgentCall = Schemas["AgentCallView"];

/** A turn with every time that it was asked. */
export interface Turn {
  turn: number;
  /** The times before, each without a reply that is used. */
  before: Asked[];
  last: Asked;
  input: number;
  output: number;
  cost: Cost;
}

export interface Cost {
  usd: number;
  /** Whether a reply is missing in it, because nobody knows the price. */
  isPartial: boolean;
}

/** In the order of the turns. */
export function turnsOf(asked: readonly Asked[]): Turn[] {
  const byTurn = new Map<number, Asked[]>();
  for (const each of asked) byTurn.set(each.turn, [...(byTurn.get(each.turn) ?? []), each]);
  return [...byTurn.entries()]
    .sort(([a], [b]) => a - b)
    .flatMap(([turn, times]) => {
      const all = [...times].sort((a, b) => a.ask - b.ask);
      const last = all.at(-1);
      return last === undefined ? [] : [{ turn, before: all.slice(0, -1), last, ...sums(all) }];
    });
}

function sums(all: readonly Asked[]): Pick<Turn, "input" | "output" | "cost"> {
  const add = (numbers: number[]) => numbers.reduce((sum, each) => sum + each, 0);
  return {
    input: add(all.map((each) => each.input_tokens)),
    output: add(all.map((each) => each.output_tokens)),
    cost: costOf(all),
  };
}

export function costOf(asked: readonly Asked[]): Cost {
  return {
    usd: asked.reduce((sum, each) => sum + (usd(each.cost_usd) ?? 0), 0),
    isPartial: asked.some((each) => each.stop != null && each.cost_usd == null),
  };
}

export interface State {
  name: string;
  tone: Tone;
}

const STOPS: Record<string, State> = {
  done: { name: "answered", tone: "good" },
  calls: { name: "called tools", tone: "accent" },
  length: { name: "cut off at the limit of output tokens", tone: "warn" },
  context: { name: "context of the model is full", tone: "bad" },
  refused: { name: "refused by the model", tone: "bad" },
  paused: { name: "paused by the provider", tone: "plain" },
};

/** How a turn ended, or what it waits for. `awaits` is the invocation that the run waits for. */
export function stateOf({ stop, error, finished_at, invocation, problems }: Asked, awaits?: string | null): State {
  if (error != null) return { name: "no reply", tone: "bad" };
  if (stop === "done" && (problems ?? []).length > 0) return { name: "answer does not fit", tone: "warn" };
  if (stop != null) return STOPS[stop] ?? { name: spaced(stop), tone: "plain" };
  if (finished_at != null) return { name: "no reply", tone: "plain" };
  return invocation != null && invocation === awaits
    ? { name: "waiting for approval", tone: "warn" }
    : { name: "in progress", tone: "accent" };
}

const CALLS: Record<string, State> = {
  wanted: { name: "not started", tone: "plain" },
  waiting: { name: "waiting", tone: "warn" },
  succeeded: { name: "succeeded", tone: "good" },
  failed: { name: "failed", tone: "bad" },
};

export function callState({ status }: AgentCall): State {
  return CALLS[status] ?? { name: spaced(status), tone: "plain" };
}

const CLASSES: Record<string, string> = {
  auth: "authentication failed",
  cancelled: "run was cancelled",
  context_exceeded: "context of the model is full",
  denied: "denied",
  expired: "approval expired",
  invalid: "rejected as invalid",
  invalid_params: "invalid parameters",
  lost: "no longer stored",
  model_rate_limited: "too many requests to the provider",
  model_timeout: "timeout of the provider",
  model_transient: "provider unavailable",
  not_found: "not found",
  outcome_unknown: "outcome unknown",
  over_budget: "over budget",
  permanent: "failed at the target",
  quota_exhausted: "quota of the provider is used up",
  rate_limited: "too many requests",
  source_not_connected: "source not connected",
  timeout: "timeout",
  too_many_calls: "too many calls in one turn",
  transient: "temporary failure",
  unknown_action: "no such tool",
  unpriced: "price of the model unknown",
};

/** A class of errors in words. A new one is shown as it is. */
export function classText(name: string): string {
  return Object.hasOwn(CLASSES, name) ? (CLASSES[name] ?? name) : spaced(name);
}

function spaced(name: string): string {
  return name.replaceAll("_", " ");
}

export function againText(times: number): string {
  return times === 1 ? "asked again once" : `asked again ${times} times`;
}

/** Changes whenever more may have been said. */
export function progressOf(asked: readonly Asked[]): string {
  return asked
    .map(({ turn, ask, finished_at, calls }) =>
      [turn, ask, finished_at ?? "", ...calls.map((each) => each.status)].join("/"),
    )
    .join(" ");
}
