// The parameters of a request as a person edits them: JSON text, until it is saved.
import type { Problem } from "../../api/client";
import { parse } from "../../api/json";
import { write } from "../../api/write";
import type { DocumentProblem } from "../../form/problems";
import { canonical } from "../../receipt/canonical";
import { isFields } from "../../text/rows";

export type Params = Record<string, unknown>;

export interface EditedParams {
  /** null if they cannot be saved. */
  params: Params | null;
  /** Why the text is not usable. A parse error quotes the text, so draw it with `Visible`. null if it is usable. */
  broken: string | null;
}

export function paramsText(params: unknown): string {
  return `${write(params, 2)}\n`;
}

/** Reads the edited text. Parameters equal to those of the displayed document cannot be saved. */
export function readParams(text: string, shown: unknown): EditedParams {
  try {
    const params = parse(text);
    if (!isFields(params)) return { params: null, broken: "The parameters must be an object: { … }" };
    return { params: isSame(params, shown) ? null : params, broken: null };
  } catch (error) {
    return { params: null, broken: `Invalid JSON: ${error instanceof Error ? error.message : "unknown error"}` };
  }
}

/** Whether two values have the same canonical form: the order of names and the notation of numbers do not matter. */
export function isSame(one: unknown, other: unknown): boolean {
  try {
    return canonical(one) === canonical(other);
  } catch {
    // A number without a canonical form. The gateway rejects it and says where it is.
    return false;
  }
}

/** The problems with their places in the parameters. The gateway names a place there or in the body of the request. */
export function paramProblems({ code, errors = [] }: Pick<Problem, "code" | "errors">): DocumentProblem[] {
  return errors.flatMap(({ pointer, message }) => {
    if (/^\/params(\/|$)/.test(pointer)) return [{ pointer: pointer.slice("/params".length), message }];
    return code === "invalid_params" ? [{ pointer, message }] : [];
  });
}
