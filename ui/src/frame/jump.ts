// Recognizes an ID and the page it belongs to.

const KINDS = {
  inv: "invocation",
  run: "run",
  rcp: "receipt",
  aut: "automation",
  ses: "session",
  chg: "change",
} as const;

export interface Jump {
  kind: (typeof KINDS)[keyof typeof KINDS];
  id: string;
}

export function jump(text: string): Jump | null {
  const found = /^\s*((inv|run|rcp|aut|ses|chg)_[0-9a-f]{32})\s*$/i.exec(text);
  if (found === null) return null;
  return { kind: KINDS[(found[2] ?? "").toLowerCase() as keyof typeof KINDS], id: (found[1] ?? "").toLowerCase() };
}
