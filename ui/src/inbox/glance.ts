// A few words of what is asked for, for the list: the parameter that most likely names it.
import { rows } from "../text/rows";

const TELLING = ["title", "subject", "name", "text", "message", "summary", "body", "path", "query"];

/** What is not said by itself: `number 17`. */
const NAMING = ["issue", "issue_id", "number", "id", "key"];

export function glance(params: unknown): string {
  const all = rows(params);
  const telling = TELLING.map((name) => all.find((row) => row.path === name && row.type === "text")).find((row) => row !== undefined);
  if (telling !== undefined) return telling.value;
  const named = NAMING.map((name) => all.find((row) => row.path === name)).find((row) => row !== undefined);
  if (named !== undefined) return `${named.path} ${named.value}`;
  const chosen = all.find((row) => row.type === "text") ?? all[0];
  return chosen === undefined || chosen.path === "" ? "no parameters" : chosen.value;
}
