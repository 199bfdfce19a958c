// Capabilities of sessions in words.

/** What a capability allows. The policy decides about each call in any case. */
export function capabilityText(capability: string): string {
  if (capability === "*") return "everything that its rules and space allow";
  const at = capability.indexOf(":");
  const [source, verb] = [capability.slice(0, Math.max(at, 0)), capability.slice(at + 1)];
  if (source === "" || verb === "") return "not known to this page";
  switch (verb) {
    case "*":
      return `every action of ${source}`;
    case "read":
      return `reading from ${source}`;
    case "write":
      return `writing to ${source}`;
    default:
      return `“${verb}” in ${source}`;
  }
}
