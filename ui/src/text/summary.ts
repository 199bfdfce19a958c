// A short summary of parameters for lists: the parameter that most likely names the request.
import { rows } from "./rows";

const TITLE_FIELDS = ["title", "subject", "name", "text", "message", "summary", "body", "path", "query"];

/** Shown with their name: `number 17`. */
const NAME_FIELDS = ["issue", "issue_id", "number", "id", "key"];

export function summary(params: unknown): string {
  const all = rows(params);
  const telling = TITLE_FIELDS.map((name) => all.find((row) => row.path === name && row.type === "text")).find(
    (row) => row !== undefined,
  );
  if (telling !== undefined) return telling.value;
  const named = NAME_FIELDS.map((name) => all.find((row) => row.path === name)).find((row) => row !== undefined);
  if (named !== undefined) return `${named.path} ${named.value}`;
  const chosen = all.find((row) => row.type === "text") ?? all[0];
  return chosen === undefined || chosen.path === "" ? "no parameters" : chosen.value;
}
