// Places of a definition as people call them.
import { type Fields, fields, onFailure, plan } from "../definition";

/** `tell` for `/plan/1`, `tell: tools` for a field of it. Other places keep their pointer. */
export function placeName(definition: Fields, pointer: string): string {
  const found = /^\/(plan|execution\/on_failure|triggers)\/(\d+)(?:\/(.+))?$/.exec(pointer);
  if (found === null) return pointer === "" ? "/" : pointer;
  const [, list, number, rest] = found as unknown as [string, string, string, string | undefined];
  const index = Number(number);
  const steps = list === "plan" ? plan(definition) : onFailure(definition);
  const name = list === "triggers" ? `trigger ${index + 1}` : fields(steps[index]).step_id;
  if (typeof name !== "string" || name === "") return pointer;
  return rest === undefined ? name : `${name}: ${rest.replace(/^config\//, "")}`;
}
