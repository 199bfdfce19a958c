// What is wrong with a document, brought to the places where it is wrong.
import type { ErrorSchema } from "@rjsf/utils";

export interface DocumentProblem {
  /** A JSON pointer. */
  pointer: string;
  message: string;
  suggestion?: string | null;
}

export function said({ message, suggestion }: DocumentProblem): string {
  return suggestion == null || suggestion === "" ? message : `${message}; did you mean ${suggestion}?`;
}

/** Those at a place, not below it. */
export function at(problems: readonly DocumentProblem[], pointer: string): string[] {
  return problems.filter((each) => each.pointer === pointer).map(said);
}

/** Those at a place or below it. */
export function below(problems: readonly DocumentProblem[], pointer: string): DocumentProblem[] {
  return problems.filter((each) => each.pointer === pointer || each.pointer.startsWith(`${pointer}/`));
}

/** Those below a place, as a form takes them. */
export function errorsOf(problems: readonly DocumentProblem[], pointer: string): ErrorSchema {
  const root: ErrorSchema = {};
  for (const each of below(problems, pointer)) {
    const parts = each.pointer.slice(pointer.length).split("/").slice(1);
    let place = root as Record<string, unknown>;
    for (const part of parts) place = (place[part.replaceAll("~1", "/").replaceAll("~0", "~")] ??= {}) as Record<string, unknown>;
    ((place["__errors"] ??= []) as string[]).push(said(each));
  }
  return root;
}
