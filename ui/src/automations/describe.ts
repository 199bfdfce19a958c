// Triggers, filters, limits and steps of models in words. The words contain texts of others, so they are drawn with
// `Line`.
import { costText, usd } from "../models/price";
import { AGENT_TASK, type Fields, fields, list, type Step, type Trigger, text } from "./definition";

/** Ends a tool that stands for all actions of its source. */
const ALL = ".*";

/** The gateway describes schedules; see `TriggerText`. */
export function describeTrigger({ type, config }: Trigger): string {
  switch (type) {
    case "schedule":
      return "on a schedule";
    case "webhook":
      return config.signed === true ? "on a signed webhook" : "on a webhook";
    case "event": {
      const filter = describeFilter(fields(config.filter));
      return `on ${text(config.event_type) || "an event"}${filter === "" ? "" : ` where ${filter}`}`;
    }
    default:
      return type === "" ? "trigger type is missing" : type;
  }
}

const OPERATORS: Record<string, string> = {
  equals: "is",
  not_equals: "is not",
  gt: ">",
  gte: "≥",
  lt: "<",
  lte: "≤",
  in: "is one of",
  not_in: "is none of",
  contains: "contains",
  starts_with: "starts with",
  ends_with: "ends with",
  regex: "matches",
};

export function describeFilter(filter: Fields): string {
  return Object.entries(filter)
    .map(([name, condition]) => {
      if (name === "$not") return `not (${describeFilter(fields(condition))})`;
      if ((name === "$and" || name === "$or") && Array.isArray(condition)) {
        return `(${condition.map((each) => describeFilter(fields(each))).join(name === "$or" ? " or " : " and ")})`;
      }
      const operators = Object.entries(fields(condition));
      if (operators.length === 0) return `${name} is ${JSON.stringify(condition)}`;
      return operators
        .map(([operator, value]) => {
          if (operator === "exists") return `${name} ${value === false ? "does not exist" : "exists"}`;
          return `${name} ${OPERATORS[operator] ?? operator.replaceAll("_", " ")} ${JSON.stringify(value)}`;
        })
        .join(" and ");
    })
    .join(" and ");
}

export function describeLimits(execution: Fields): string[] {
  const {
    timeout_seconds: seconds = 600,
    max_retries: retries = 0,
    retry_backoff: backoff = "exponential",
    concurrency = "drop_if_running",
  } = execution;
  const parallel: Record<string, string> = {
    drop_if_running: "One run at a time; further starts are dropped",
    queue: "One run at a time; further starts are queued",
    allow_parallel: "Runs may overlap",
  };
  const timeout = `Timeout ${duration(Number(seconds))}, not counting time waiting for approval`;
  const { budget_cap_usd: ofRun, daily_budget_usd: ofDay } = execution;
  const attempts = Number(retries) === 1 ? "1 retry" : `${String(retries)} retries`;
  return [
    parallel[String(concurrency)] ?? String(concurrency),
    timeout,
    Number(retries) === 0
      ? "No retries of failed steps"
      : `Up to ${attempts} of failed steps (${String(backoff)} backoff)`,
    ...(ofRun == null ? [] : [`Models may cost up to ${budget(ofRun)} in a run`]),
    ...(ofDay == null ? [] : [`Models may cost up to ${budget(ofDay)} a day (UTC)`]),
  ];
}

/** What is not a number is a mistake that the gateway reports. It is shown as it is. */
function budget(typed: unknown): string {
  const amount = usd(typed as number) ?? Number.NaN;
  return Number.isNaN(amount) ? String(typed) : costText(amount);
}

/** A step that a model performs, in words; null for other steps. */
export function describeStep({ action, config }: Step): string | null {
  if (action !== AGENT_TASK) return null;
  const provider = text(config.provider);
  const asked = `${text(config.model) || "a model"}${provider === "" ? "" : ` of ${provider}`}`;
  return `asks ${asked}, ${describeTools(list(config.tools).map(text))}`;
}

/** `with 2 tools and all of linear` */
function describeTools(tools: readonly string[]): string {
  const sources = tools.filter((tool) => tool.endsWith(ALL)).map((tool) => `all of ${tool.slice(0, -ALL.length)}`);
  const alone = tools.length - sources.length;
  const parts = [...(alone === 0 ? [] : [`${alone} ${alone === 1 ? "tool" : "tools"}`]), ...sources];
  if (parts.length === 0) return "without tools";
  const last = parts.at(-1) ?? "";
  return `with ${parts.length === 1 ? last : `${parts.slice(0, -1).join(", ")} and ${last}`}`;
}

function duration(seconds: number): string {
  if (seconds < 120 || seconds % 60 !== 0) return `${seconds} seconds`;
  return seconds % 3_600 === 0 && seconds > 3_600 ? `${seconds / 3_600} hours` : `${seconds / 60} minutes`;
}
