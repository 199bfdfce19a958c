// The ways people go in the settings.
import assert from "node:assert/strict";
import { call, open, PHONE } from "./kit.mjs";

const dialog = (page) => page.getByRole("dialog");

export const settingsJourneys = {
  async "a member is added with a token that is shown once, at phone width"(app) {
    const email = `m${Date.now()}@example.com`;
    const { page, context, wrong } = await open(app, { viewport: PHONE });
    await page.goto(`${app.url}/settings/members`);
    await page.getByRole("button", { name: "Add a member" }).tap();
    await dialog(page).getByLabel("Name").fill("Mara");
    await dialog(page).getByLabel("Email").fill(email);
    await dialog(page).getByLabel("Role").selectOption("admin");
    await dialog(page).getByRole("button", { name: "Add" }).tap();
    const row = page.getByRole("list", { name: "Members" }).getByRole("listitem").filter({ hasText: email });
    await row.getByText("admin").waitFor();
    await row.getByRole("button", { name: "Create token" }).tap();
    await dialog(page).getByLabel("Name").fill("phone");
    await dialog(page).getByRole("button", { name: "Create token" }).tap();
    const token = await dialog(page).getByLabel("Secret, shown once").inputValue();
    const who = (await call(token, "GET", "/v1/me")).body;
    assert.equal(who.role, "admin", "the token is the member's");
    await dialog(page).getByRole("button", { name: "Done" }).tap();
    await dialog(page).getByText("This value cannot be shown again").waitFor();
    await dialog(page).getByRole("button", { name: "Done" }).tap();
    await dialog(page).waitFor({ state: "detached" });
    assert.ok(!(await page.content()).includes(token), "it is nowhere any more");
    await row.getByRole("button", { name: "Edit" }).tap();
    await dialog(page).getByLabel("Role").selectOption("member");
    await dialog(page).getByRole("button", { name: "Save" }).tap();
    await row.getByText("member", { exact: true }).waitFor();
    await row.getByRole("button", { name: "Remove" }).tap();
    await dialog(page).getByRole("button", { name: "Remove" }).tap();
    await page.getByText("is no longer a member").waitFor();
    await row.waitFor({ state: "detached" });
    assert.equal((await call(token, "GET", "/v1/me")).status, 401, "the token ended with the membership");
    assert.ok(
      await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
      "nothing is wider than the phone",
    );
    return { context, wrong };
  },

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
};
