// Consents are added to the settings that were read, and nothing else changes.
import { beforeEach, expect, test, vi } from "vitest";
import type { GatesView } from "./queries";

vi.stubGlobal("location", { origin: "http://127.0.0.1", search: "" });
const sent: { method: string; reason: string | null; body: unknown }[] = [];
let proposed: string | null = null;
vi.stubGlobal("fetch", async (request: Request) => {
  const text = await request.text();
  const reason = request.headers.get("countersign-reason");
  sent.push({ method: request.method, reason, body: text === "" ? null : JSON.parse(text) });
  if (request.method === "PUT" && proposed !== null)
    return Response.json({}, { status: 202, headers: { "countersign-proposed": proposed } });
  return Response.json(view);
});
const { Proposed } = await import("../../api/client");
const { consentToFlow, newConsents, withConsents } = await import("./flowConsents");

const one = { automation: "aut_1", from: ["linear", "data"], action: "mail.send", destination: "ada@acme.example" };
const other = { ...one, destination: "*" };
const flow = { mode: "hold" as const, trusted: ["linear"], public: [], audiences: [], hosts: [], consents: [one] };
const view: GatesView = {
  version: 7,
  recipients: { allow: ["acme.example"] },
  detectors: [],
  purposes: [],
  homes: [{ source: "billing", space: "finance" }],
  crossings: [],
  flow,
  set_by: "usr_1",
  set_by_name: "Ada",
  updated_at: "2026-11-18T10:00:00Z",
};

beforeEach(() => {
  sent.length = 0;
  proposed = null;
});

test("a consent is added once, whatever the order of its sources is", () => {
  const same = { ...one, from: ["data", "linear", "data"] };
  expect(newConsents([one], [same, other, { ...other }])).toEqual([other]);
  expect(newConsents([], [one, same])).toEqual([one]);
  expect(newConsents([one], [{ ...one, from: ["linear"] }])).toHaveLength(1);
});

test("everything else stays, and what the API adds is not sent", () => {
  expect(withConsents(view, [other])).toEqual({
    version: 7,
    recipients: { allow: ["acme.example"] },
    detectors: [],
    purposes: [],
    homes: [{ source: "billing", space: "finance" }],
    crossings: [],
    flow: { ...flow, consents: [one, other] },
  });
});

test("nothing is saved if every consent is there", async () => {
  expect(withConsents(view, [one])).toBeNull();
  await consentToFlow([one], "");
  expect(sent.map(({ method }) => method)).toEqual(["GET"]);
});

test("consents are saved with the version that was read, and with the reason", async () => {
  await consentToFlow([other], "The customers know");
  expect(sent.map(({ method }) => method)).toEqual(["GET", "PUT"]);
  expect(sent[1]).toMatchObject({
    reason: "The customers know",
    body: { version: 7, flow: { consents: [one, other] } },
  });
});

test("a change that waits for a second owner is told apart", async () => {
  proposed = "pch_1";
  await expect(consentToFlow([other], "")).rejects.toBeInstanceOf(Proposed);
});
