// The ways people go in the settings.
import assert from "node:assert/strict";
import { LOOKS, serious } from "./axe.mjs";
import { call, open, PHONE, tokens } from "./kit.mjs";

const dialog = (page) => page.getByRole("dialog");
const settings = async () => (await call(tokens.owner, "GET", "/v1/org")).body;

async function set(body) {
  const answer = await call(tokens.owner, "PATCH", "/v1/org", body);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
}

/** A shorter retention waits for a week; while a hold is on, nothing is erased at all. */
async function retention(app, look) {
  const { page, context, wrong } = await open(app, look);
  await page.goto(`${app.url}/settings/org`);
  const days = page.getByLabel("Retention (days)");
  const { receipts_kept_days: before } = await settings();
  const fewer = before - 1;
  await days.fill(String(fewer));
  await page.getByText(`Everything older than ${fewer} days is erased 7 days after this takes effect`).waitFor();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText(`, ${before} days; then ${fewer}.`).waitFor();
  assert.equal((await settings()).receipts_kept_days_before, before);

  const hold = page.getByRole("switch", { name: "Legal hold" });
  await hold.click();
  await page.getByText("Nothing is erased until it ends.").waitFor();
  assert.equal((await settings()).legal_hold, true);
  await hold.click();
  await dialog(page).getByText("This cannot be undone.").waitFor();
  assert.deepEqual(await serious(page), []);
  await dialog(page).getByRole("button", { name: "Cancel" }).click();
  assert.ok(await hold.isChecked(), "it is on until the end is confirmed");
  await hold.click();
  await dialog(page).getByRole("button", { name: "End legal hold" }).click();
  await page.getByText("The retention applies again.").waitFor();
  assert.equal((await settings()).legal_hold, false);
  assert.ok(!(await hold.isChecked()));

  // What waits is taken back with the same field.
  await days.fill(String(before));
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("; then").waitFor({ state: "detached" });
  assert.equal((await settings()).receipts_kept_days_before ?? null, null);
  assert.deepEqual(await serious(page), []);
  if (look.viewport === PHONE)
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "it fits on a phone");
  return { context, wrong };
}

/** The time of the upgrade comes from the test: the organization was created in this version. */
async function upgraded(app, look) {
  const { page, context, wrong } = await open(app, look);
  await page.route(/\/v1\/me$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), upgraded_at: "2026-11-18T08:00:00Z" } });
  });
  await page.goto(`${app.url}/activity`);
  const notice = page.getByRole("region", { name: "New since version 0.1" });
  await notice.getByRole("button", { name: "Show what changed" }).click();
  await notice.getByRole("list", { name: "What changed" }).waitFor();
  assert.deepEqual(await serious(page), []);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "it fits on the page");
  await notice.getByRole("link", { name: "Open agents" }).click();
  await page.waitForURL(/\/agents$/);
  await notice.getByRole("button", { name: "Close" }).click();
  await notice.waitFor({ state: "detached" });
  await page.reload();
  await page.getByRole("heading", { name: "Agents" }).waitFor();
  assert.equal(await notice.count(), 0, "it is said once");
  return { context, wrong };
}

export const settingsJourneys = {
  async "a secret is written and replaced, and nothing ever shows it"(app) {
    const name = `journey_${Date.now()}`;
    const { page, context, wrong } = await open(app);
    const answers = [];
    page.on("response", async (response) => answers.push(await response.text().catch(() => "")));
    await page.goto(`${app.url}/settings/secrets`);
    await page.getByRole("button", { name: "Add a secret" }).click();
    await dialog(page).getByLabel("Name").fill(name);
    await dialog(page).getByLabel("Value", { exact: true }).fill("first-of-two-values");
    await dialog(page).getByRole("button", { name: "Save" }).click();
    const row = page.getByRole("list", { name: "Secrets" }).getByRole("listitem").filter({ hasText: name });
    await row.getByRole("button", { name: "Replace" }).click();
    assert.equal(
      await dialog(page).getByLabel("Value", { exact: true }).inputValue(),
      "",
      "what was there is not shown",
    );
    await dialog(page).getByLabel("Value", { exact: true }).fill("second-of-two-values");
    await dialog(page).getByRole("button", { name: "Replace" }).click();
    await row.getByText("replaced 1 time").waitFor();
    await page.reload();
    await row.waitFor();
    for (const text of [...answers, await page.content()])
      assert.ok(!text.includes("of-two-values"), "a value came back");
    await row.getByRole("button", { name: "Delete" }).click();
    await dialog(page).getByRole("button", { name: "Delete" }).click();
    await dialog(page).waitFor({ state: "detached" });
    await row.waitFor({ state: "detached" });
    return { context, wrong };
  },

  async "a shorter retention waits for a week, and ending a legal hold is confirmed"(app) {
    const { receipts_kept_days } = await settings();
    try {
      return await retention(app, LOOKS[1]);
    } finally {
      await set({ receipts_kept_days, legal_hold: false });
    }
  },

  async "policies see the time in the zone of the organization"(app) {
    const { time_zone } = await settings();
    const { page, context, wrong } = await open(app);
    try {
      await page.goto(`${app.url}/settings/org`);
      await page.getByLabel("Time zone").fill("Europe/Berlin");
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await page.getByRole("status").filter({ hasText: "Saved" }).waitFor();
      assert.equal((await settings()).time_zone, "Europe/Berlin");
      await page.getByLabel("Time zone").fill("Nowhere/Land");
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await page.getByRole("alert").first().waitFor();
      assert.equal((await settings()).time_zone, "Europe/Berlin");
    } finally {
      await set({ time_zone });
    }
    return { context, wrong };
  },

  async "what changed since version 0.1 is said once"(app) {
    return upgraded(app, LOOKS[1]);
  },
};
