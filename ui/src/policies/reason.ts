// The reason for a change is a header, because requests to delete have no body.

/** UTF-8, as bytes: a browser sends each character of a header as one byte. A header is one line. */
export function because(reason: string): Record<string, string> {
  const line = reason.replace(/[\0\s]+/g, " ").trim();
  if (line === "") return {};
  return {
    "countersign-reason": Array.from(new TextEncoder().encode(line), (byte) => String.fromCharCode(byte)).join(""),
  };
}
