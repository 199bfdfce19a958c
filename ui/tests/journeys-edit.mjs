// The way of a person who corrects what an agent proposes before they approve it.
import assert from "node:assert/strict";
import { serious } from "./axe.mjs";
import { APPROVED, ask, call, linear, open, PHONE, status, tokens } from "./kit.mjs";

async function write(page, text) {
  await page.getByRole("textbox", { name: "Parameters as JSON" }).click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(text);
}

export const editJourneys = {
  async "edit and approve"(app) {
    const mark = Date.now().toString(36);
    const [mistaken, title] = [`Logni fails ${mark}`, `Login fails ${mark}`];
    const params = { team_id: "team-1", title: mistaken };
    const { id } = await ask("linear.create_issue", params);
    const fake = await linear(id);
    const { page, context, wrong } = await open(app, { viewport: PHONE });
    await page.goto(`${app.url}/inbox/${id}`);
    await page.getByRole("button", { name: "Edit parameters" }).tap();
    const form = page.getByRole("form", { name: "Edit parameters" });
    await form.getByText("Saving approves nothing: you are shown the corrected request next.").waitFor();
    await form.getByRole("textbox", { name: "Parameters as JSON" }).waitFor();
    const save = form.getByRole("button", { name: "Save changes" });
    await form.getByText("No changes yet.").waitFor();
    assert.ok(await save.isDisabled(), "there is nothing to save");
    const approve = page.getByRole("button", { name: "Approve once" });
    assert.ok(await approve.isDisabled(), "nothing is approved while it is edited");

    await write(page, '{ "title": ');
    await form.getByText(/^Invalid JSON: /).waitFor();
    assert.ok(await save.isDisabled(), "invalid JSON cannot be saved");
    // The schema of the action is checked by the gateway; the editor stays open.
    await write(page, JSON.stringify({ ...params, title: "" }, null, 2));
    await save.tap();
    await form.getByRole("alert").getByText("/title").first().waitFor();
    assert.deepEqual(await serious(page), []);
    assert.ok(
      await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
      "nothing is wider than the phone",
    );

    await write(page, JSON.stringify({ ...params, title }, null, 2));
    // Tab leads out of the editor.
    await page.keyboard.press("Tab");
    await page.keyboard.type("The title had a typo.");
    assert.equal(await form.getByLabel("Why (the agent is told)").inputValue(), "The title had a typo.");
    await save.tap();
    await page.getByText("Edited by").first().waitFor();
    await form.waitFor({ state: "detached" });
    await page.getByText("The title had a typo.").first().waitFor();
    assert.equal(await status(id), "pending", "saving approves nothing");
    assert.equal((await fake.effects())[title], undefined);

    await approve.tap();
    await page.getByRole("dialog").getByRole("button", { name: "Approve once" }).tap();
    await page.getByText(APPROVED).first().waitFor();
    assert.equal(await status(id), "succeeded");
    const effects = await fake.effects();
    assert.deepEqual([effects[title], effects[mistaken]], [1, undefined]);
    assert.ok(!(await fake.requests()).includes(mistaken), "Linear never saw the mistaken title");

    await page.goto(`${app.url}/activity/${id}`);
    await page.getByText("Edited by").first().waitFor();
    await page.getByText("The title had a typo.").first().waitFor();
    await page.getByText(mistaken).first().waitFor();
    const { edits } = (await call(tokens.owner, "GET", `/v1/invocations/${id}`)).body;
    assert.deepEqual(
      edits.map(({ note, changes }) => ({ note, changes })),
      [{ note: "The title had a typo.", changes: [{ field: "/title", before: mistaken, after: title }] }],
    );
    return { context, wrong };
  },
};
