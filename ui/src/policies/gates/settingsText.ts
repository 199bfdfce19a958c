// Gate settings as JSON text, and back.
import { type Json, parse } from "../../api/json";
import { write } from "../../api/write";
import { isFields } from "../../text/rows";
import type { GateSettings, GatesView } from "./queries";

/** What the API adds to the settings, and `countersign gates show --json` prints with them. */
const ADDED: readonly string[] = ["version", "set_by", "set_by_name", "updated_at"];

export const EXAMPLE = write(
  {
    recipients: { allow: ["acme.example", "*.partner.example", "C024BE91L"] },
    detectors: [
      {
        name: "customer-number",
        pattern: "\\bK-\\d{5}\\b",
        of: ["does:sends_out"],
        why: "Customer numbers stay inside",
      },
    ],
    purposes: [{ action: "mail.send", purpose: "newsletter", subject: "input.to" }],
    homes: [{ source: "billing", space: "finance" }],
    crossings: [{ from: "support", to: "finance", source: "billing" }],
  },
  2,
);

export function settingsText({ recipients = null, detectors, purposes, homes, crossings }: GatesView): string {
  return write({ recipients, detectors, purposes, homes, crossings }, 2);
}

/** What the text says, or why it is no JSON object. The gateway checks the rest. */
export function readSettings(text: string): { value: GateSettings } | { problem: string } {
  let value: Json;
  try {
    value = parse(text);
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
  if (!isFields(value)) return { problem: "Expected a JSON object." };
  const settings = Object.entries(value).filter(([name]) => !ADDED.includes(name));
  return { value: Object.fromEntries(settings) as GateSettings };
}
