// Assigns the problems of a document to the fields of a form.
import type { ErrorSchema } from "@rjsf/utils";

export interface DocumentProblem {
  /** A JSON pointer. */
  pointer: string;
  message: string;
  suggestion?: string | null;
}

export function problemText({ message, suggestion }: DocumentProblem): string {
  return suggestion == null || suggestion === "" ? message : `${message}; did you mean ${suggestion}?`;
}

export function at(problems: readonly DocumentProblem[], pointer: string): string[] {
  return problems.filter((each) => each.pointer === pointer).map(problemText);
}

export function below(problems: readonly DocumentProblem[], pointer: string): DocumentProblem[] {
  return problems.filter((each) => each.pointer === pointer || each.pointer.startsWith(`${pointer}/`));
}

export function errorsOf(problems: readonly DocumentProblem[], pointer: string): ErrorSchema {
  const root: ErrorSchema = {};
  for (const each of below(problems, pointer)) {
    const parts = each.pointer.slice(pointer.length).split("/").slice(1);
    let place = root as Record<string, unknown>;
    for (const part of parts) {
      const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
      place[name] ??= {};
      place = place[name] as Record<string, unknown>;
    }
    place.__errors = [...((place.__errors as string[] | undefined) ?? []), problemText(each)];
  }
  return root;
}
