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
    flow: {
      mode: "hold",
      trusted: ["linear"],
      public: ["handbook"],
      audiences: [{ source: "slack", destination: "C024BE91L", audience: "internal" }],
      hosts: ["*.acme.example"],
      consents: [{ automation: "aut_0199…", from: ["linear"], action: "mail.send", destination: "ada@acme.example" }],
    },
  },
  2,
);

/** What each field sets. */
export const FIELDS: readonly (readonly [string, string])[] = [
  ["recipients.allow", "Recipients of what is sent out. Without this field, everyone."],
  ["detectors", "Patterns that must not be in parameters."],
  ["purposes", "Actions that need the consent of the people they are about."],
  ["homes", "The space that a source belongs to."],
  ["crossings", "Spaces whose sessions may have effects in another space."],
  ["flow.mode", "observe: flows of data are only recorded. hold: they are held."],
  ["flow.trusted", "Sources whose texts only people of the organization write."],
  ["flow.public", "Sources that contain only public data."],
  [
    "flow.audiences",
    "Who may see a destination: internal, partner or public. Others are public. * is every destination.",
  ],
  ["flow.hosts", "Hosts of addresses that models may send."],
  ["flow.consents", "Flows of automations that an admin consented to, on the page of the automation."],
];

/** The settings alone, without what the API adds to them. */
export function settingsOf(fields: object): GateSettings {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !ADDED.includes(name)));
}

export function settingsText({ recipients = null, detectors, purposes, homes, crossings, flow }: GatesView): string {
  return write({ recipients, detectors, purposes, homes, crossings, flow }, 2);
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
  return { value: settingsOf(value) };
}
