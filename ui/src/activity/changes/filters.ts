// Filters of the list of changes, stored in the URL so that a list can be linked to.
import { GROUPS } from "./kinds";

export interface ChangeFilters {
  group?: string;
  user?: string;
  subject?: string;
}

const NAMES = ["group", "user", "subject"] as const;

/** Reads filters from a URL, ignoring anything invalid. */
export function readChangeFilters(search: Record<string, unknown>): ChangeFilters {
  const found: ChangeFilters = {};
  for (const name of NAMES) {
    const value = search[name];
    if (typeof value === "string" && value !== "") found[name] = value;
  }
  if (!GROUPS.some(([id]) => id === found.group)) delete found.group;
  return found;
}

/** Sets a filter; an empty value removes it. */
export function withChangeFilter(filters: ChangeFilters, name: keyof ChangeFilters, value: string): ChangeFilters {
  const { [name]: _, ...rest } = filters;
  return value === "" ? rest : { ...rest, [name]: value };
}

/** The beginnings of the kinds in a group; one that fits everything without a group. */
export function prefixesOf({ group }: ChangeFilters): readonly string[] {
  return GROUPS.find(([id]) => id === group)?.[2] ?? [""];
}
