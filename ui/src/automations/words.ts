// What starts an automation, and what a filter lets through, as a person would say it. The words contain texts of others:
// they are drawn like those.
import { cronWords } from "./cron";
import { type Fields, fields, text, type Trigger } from "./definition";

export function triggerWords({ type, config }: Trigger): string {
  switch (type) {
    case "schedule":
      return `${cronWords(text(config["cron"])) ?? (text(config["cron"]) || "at a time that is still to be said")} (${text(config["timezone"]) || "no time zone"})`;
    case "webhook":
      return config["signed"] === true ? "when a signed webhook comes" : "when a webhook comes";
    case "event": {
      const which = filterWords(fields(config["filter"]));
      return `when ${text(config["event_type"]) || "an event"} comes${which === "" ? "" : `, where ${which}`}`;
    }
    default:
      return type === "" ? "in a way that is still to be said" : type;
  }
}

export function filterWords(filter: Fields): string {
  return Object.entries(filter)
    .map(([name, condition]) => {
      if (name === "$not") return `not (${filterWords(fields(condition))})`;
      if ((name === "$and" || name === "$or") && Array.isArray(condition)) {
        return `(${condition.map((each) => filterWords(fields(each))).join(name === "$or" ? " or " : " and ")})`;
      }
      const operators = Object.entries(fields(condition));
      if (operators.length === 0) return `${name} is ${JSON.stringify(condition)}`;
      return operators.map(([operator, value]) => `${name} ${operator.replaceAll("_", " ")} ${JSON.stringify(value)}`).join(" and ");
    })
    .join(" and ");
}

/** The bounds of a run in words, those that are not as usual. */
export function boundWords(execution: Fields): string[] {
  const { timeout_seconds: seconds = 600, max_retries: retries = 0, retry_backoff: backoff = "exponential", concurrency = "drop_if_running", budget_cap_usd: budget } = execution;
  const together: Record<string, string> = {
    drop_if_running: "While it runs, it does not start a second time",
    queue: "While it runs, further starts wait for their turn",
    allow_parallel: "It may run several times at once",
  };
  const waits: Record<string, string> = { none: "at once", linear: "waiting a little longer each time", exponential: "waiting twice as long each time" };
  return [
    together[String(concurrency)] ?? String(concurrency),
    `A run works for at most ${minutes(Number(seconds))}, without the time it waits for people`,
    Number(retries) === 0 ? "A step that fails is not tried again" : `A step that fails for a passing reason is tried ${Number(retries) === 1 ? "once more" : `up to ${String(retries)} times more`}, ${waits[String(backoff)] ?? String(backoff)}`,
    budget == null ? "" : `Models may cost at most $${String(budget)} in one run`,
  ].filter((each) => each !== "");
}

function minutes(seconds: number): string {
  if (seconds < 120 || seconds % 60 !== 0) return `${seconds} seconds`;
  return seconds % 3_600 === 0 && seconds > 3_600 ? `${seconds / 3_600} hours` : `${seconds / 60} minutes`;
}
