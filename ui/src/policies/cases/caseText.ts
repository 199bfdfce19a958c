// A case as JSON text, and back.
import { Digits, type Json, parse } from "../../api/json";
import { write } from "../../api/write";
import { isFields } from "../../text/rows";
import type { Case, CaseRequest } from "../types";

const MODES: readonly unknown[] = ["allow", "require_approval", "deny"];

export const EMPTY: Case = {
  name: "",
  request: { action: "", params: {} },
  expect: "deny",
};

/** Without what has its default. */
export function caseText({ name, request, expect, policies, only = [] }: Case): string {
  const { action, params = {}, unattended, history, ...others } = request;
  const chosen = Object.entries(others).filter(([, value]) => value != null);
  return write(
    {
      name,
      request: {
        action,
        params,
        ...Object.fromEntries(chosen),
        ...(unattended === true ? { unattended } : {}),
        ...(history === undefined || Object.keys(history).length === 0 ? {} : { history }),
      },
      expect,
      ...(policies == null ? {} : { policies }),
      ...(only.length === 0 ? {} : { only }),
    },
    2,
  );
}

/** What the text says, or what is wrong with it. The gateway checks the rest. */
export function readCase(text: string): { value: Case } | { problem: string } {
  let value: Json;
  try {
    value = parse(text);
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
  if (!isFields(value)) return { problem: "The case must be a JSON object." };
  const { name, request, expect, policies = null, only = [] } = value;
  if (typeof name !== "string") return { problem: "The field name must be a string." };
  if (!isFields(request)) return { problem: "The field request must be an object." };
  if (typeof request.action !== "string") return { problem: "The field request.action must be a string." };
  if (request.params !== undefined && !isFields(request.params))
    return { problem: "The field request.params must be an object." };
  if (!MODES.includes(expect)) return { problem: "The field expect must be allow, require_approval or deny." };
  if (policies !== null && !isNames(policies))
    return { problem: "The field policies must be a list of names, or null." };
  if (!isNames(only)) return { problem: "The field only must be a list of names." };
  const full = { ...request, params: request.params ?? {} } as CaseRequest;
  return {
    value: {
      name,
      request: full,
      expect: expect as Case["expect"],
      ...(policies === null ? {} : { policies }),
      ...(only.length === 0 ? {} : { only }),
    },
  };
}

const isNames = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === "string");

/** What is wrong before a case is sent; null if nothing is. */
export function caseProblem({ name, request }: Case): string | null {
  if (name === "") return "The case needs a name.";
  if (!/^[a-z][a-z0-9_-]{0,63}$/.test(name))
    return "The name must start with a lowercase letter and contain only lowercase letters, digits, - and _.";
  return request.action.trim() === "" ? "Choose an action." : null;
}

/** A typed value of a fact; undefined if it is no whole number. */
export function readFact(typed: string): Json | undefined {
  const text = typed.trim();
  if (!/^-?\d+$/.test(text)) return undefined;
  return String(Number(text)) === text ? Number(text) : new Digits(text);
}
