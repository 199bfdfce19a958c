// What a member may use in a space: everything, or some sources.

export const EVERYTHING = "*";

/** Access to one source. A source can have actions that neither read nor write, so `both` is less than `all`. */
export const ACCESS = ["none", "read", "write", "both", "all"] as const;
export type Access = (typeof ACCESS)[number];

export const ACCESS_TEXT: Record<Access, string> = {
  none: "no access",
  read: "read",
  write: "write",
  both: "read and write",
  all: "all actions",
};

const VERBS: Record<Access, readonly string[]> = {
  none: [],
  read: ["read"],
  write: ["write"],
  both: ["read", "write"],
  all: ["*"],
};

export interface Reach {
  isEverything: boolean;
  bySource: ReadonlyMap<string, Access>;
  /** Capabilities that are newer than this page. Saving keeps them. */
  other: readonly string[];
}

export const NOTHING: Reach = { isEverything: false, bySource: new Map(), other: [] };

export function readReach(capabilities: readonly string[]): Reach {
  const bySource = new Map<string, Access>();
  const other: string[] = [];
  for (const capability of capabilities) {
    const [source = "", verb = "", ...rest] = capability.split(":");
    const isKnown = source !== "" && rest.length === 0 && (verb === "read" || verb === "write" || verb === "*");
    if (isKnown) bySource.set(source, joined(bySource.get(source) ?? "none", verb === "*" ? "all" : verb));
    else if (capability !== EVERYTHING) other.push(capability);
  }
  return { isEverything: capabilities.includes(EVERYTHING), bySource, other };
}

function joined(one: Access, more: "read" | "write" | "all"): Access {
  if (one === "none" || one === more) return more;
  return one === "all" || more === "all" ? "all" : "both";
}

export function withAccess(reach: Reach, source: string, access: Access): Reach {
  return { ...reach, bySource: new Map(reach.bySource).set(source, access) };
}

/** As the gateway takes it. */
export function capabilitiesOf({ isEverything, bySource, other }: Reach): string[] {
  if (isEverything) return [EVERYTHING];
  const known = [...bySource].flatMap(([source, access]) => VERBS[access].map((verb) => `${source}:${verb}`));
  return [...known.sort(), ...other];
}

/** Whether everything in `wanted` is within `held`. */
export function isWithin(wanted: readonly string[], held: readonly string[]): boolean {
  return wanted.every((each) => held.some((one) => covers(one, each)));
}

/** `*` covers everything, `linear:*` everything of linear, and anything else itself. */
function covers(held: string, wanted: string): boolean {
  if (held === EVERYTHING || held === wanted) return true;
  const [source, ...rest] = wanted.split(":");
  return rest.length > 0 && held === `${source}:*`;
}
