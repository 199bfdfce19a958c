// A run as rows: the steps of its plan with all attempts and their position in time.

import type { Schemas } from "../api/client";
import type { RunDetail } from "../api/queries";

type StepAttempt = Schemas["RunStepView"];

export interface Row {
  stepId: string;
  action: string;
  isOnFailure: boolean;
  tries: StepAttempt[];
  /** `planned` before it starts; `not reached` if it never will. */
  status: string;
  /** Milliseconds from the start of the first attempt to the end of the last, or to now. */
  ms: number | null;
  /** Start and length of the bar, 0 to 1. */
  from: number;
  length: number;
}

const FINAL_STATES = new Set(["succeeded", "failed", "cancelled", "timed_out"]);

const STARTED: Record<string, string> = {
  schedule: "started by schedule",
  webhook: "started by webhook",
  event: "started by event",
  person: "started manually",
};

export function startedBy(trigger: string): string {
  return STARTED[trigger] ?? `started by ${trigger}`;
}

export function isOver(status: string): boolean {
  return FINAL_STATES.has(status);
}

export function timeline(run: RunDetail, now: number): Row[] {
  const begin = Date.parse(run.started_at ?? run.created_at);
  const end = run.finished_at == null ? Math.max(now, begin) : Date.parse(run.finished_at);
  const total = Math.max(end - begin, 1);
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
    const from = clamp((start - begin) / total);
    return {
      ...base,
      status: last.status,
      ms: Math.max(0, stop - start),
      from,
      length: clamp((stop - begin) / total) - from,
    };
  });
}

/** The planned steps, then all others. */
function planned(run: RunDetail): Schemas["PlannedStep"][] {
  const known = new Set(run.plan.map((step) => step.step_id));
  const others = run.steps.filter((step) => !known.has(step.step_id) && known.add(step.step_id));
  // On-failure steps are shown only if they ran.
  const plan = run.plan.filter((step) => !step.on_failure || run.steps.some((each) => each.step_id === step.step_id));
  return [...plan, ...others.map(({ step_id, action }) => ({ step_id, action, on_failure: false }))];
}
