// The ways people go in the settings.
import assert from "node:assert/strict";
import { open } from "./kit.mjs";

const dialog = (page) => page.getByRole("dialog");

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
};
