// A run as rows: the steps of its plan in order, each with all its tries, and where it lies in the time the run took.
import type { RunDetail } from "../api/queries";
import type { Schemas } from "../api/client";

type Try = Schemas["RunStepView"];

export interface Row {
  stepId: string;
  action: string;
  isOnFailure: boolean;
  tries: Try[];
  /** `planned` while it has not begun; `not reached` when it never will. */
  status: string;
  /** Milliseconds from the beginning of the first try to the end of the last, or to now. */
  ms: number | null;
  /** Where the bar begins and how long it is, from 0 to 1. */
  from: number;
  length: number;
}

const OVER = new Set(["succeeded", "failed", "cancelled", "timed_out"]);

const STARTED: Record<string, string> = {
  schedule: "started by its schedule",
  webhook: "started by a webhook",
  event: "started by an event",
  person: "started by a person",
};

export function startedBy(trigger: string): string {
  return STARTED[trigger] ?? `started by ${trigger}`;
}

export function isOver(status: string): boolean {
  return OVER.has(status);
}

export function timeline(run: RunDetail, now: number): Row[] {
  const begin = Date.parse(run.started_at ?? run.created_at);
  const end = run.finished_at == null ? Math.max(now, begin) : Date.parse(run.finished_at);
  const whole = Math.max(end - begin, 1);
  return planned(run).map((step) => {
    const tries = run.steps.filter((each) => each.step_id === step.step_id);
    const [first, last] = [tries[0], tries.at(-1)];
    const base = { stepId: step.step_id, action: step.action, isOnFailure: step.on_failure, tries };
    if (first === undefined || last === undefined) {
      return { ...base, status: isOver(run.status) ? "not reached" : "planned", ms: null, from: 0, length: 0 };
    }
    const start = Date.parse(first.started_at);
    const stop = last.finished_at == null ? end : Date.parse(last.finished_at);
    const clamp = (n: number) => Math.min(1, Math.max(0, n));
    const from = clamp((start - begin) / whole);
    return { ...base, status: last.status, ms: Math.max(0, stop - start), from, length: clamp((stop - begin) / whole) - from };
  });
}

/** The plan, and behind it whatever was done besides. */
function planned(run: RunDetail): Schemas["PlannedStep"][] {
  const known = new Set(run.plan.map((step) => step.step_id));
  const others = run.steps.filter((step) => !known.has(step.step_id) && known.add(step.step_id));
  // What is only done on a failure is no part of a run that did not fail.
  const plan = run.plan.filter((step) => !step.on_failure || run.steps.some((each) => each.step_id === step.step_id));
  return [...plan, ...others.map(({ step_id, action }) => ({ step_id, action, on_failure: false }))];
}
