// The way of a person who allows an action for good, but only where the parameters are as they saw them.
import assert from "node:assert/strict";
import { serious } from "./axe.mjs";
import { APPROVED, ask, call, open, session, status, tokens } from "./kit.mjs";

const ACTION = "slack.send_message";

async function rules() {
  const { items } = (await call(tokens.owner, "GET", "/v1/rules?limit=100")).body;
  return items.filter(({ action }) => action === ACTION);
}

async function removeRules() {
  for (const { id } of await rules()) await call(tokens.owner, "DELETE", `/v1/rules/${id}`);
}

/** The agent sends a message that may need no person. */
async function send(channel, text) {
  const { body } = await call(tokens.agent, "POST", `/v1/sessions/${session}/actions/invoke`, {
    action: ACTION,
    params: { channel, text },
  });
  assert.ok(body?.id, JSON.stringify(body));
  return body.id;
}

async function alwaysForThisChannel(app) {
  const { page, context, wrong } = await open(app);
  const mark = Date.now().toString(36);
  // Without blanks, so that it is preselected.
  const text = `deployed-${mark}`;
  const { id } = await ask(ACTION, { channel: "C0GENERAL", text });
  await page.goto(`${app.url}/inbox/${id}`);
  await page.getByRole("button", { name: "Always allow …" }).click();
  const dialog = page.getByRole("dialog");
  const only = dialog.getByRole("group", { name: "Only where" });
  const [byChannel, byText] = ["channel", "text"].map((name) =>
    only.getByRole("checkbox", { name: new RegExp(`^${name} is`) }),
  );
  await byChannel.waitFor();
  assert.ok(await byChannel.isChecked(), "an ID is preselected");
  assert.ok(await byText.isChecked(), "so is a text without blanks");
  await byText.uncheck();
  await byChannel.uncheck();
  const warning = only.getByRole("alert");
  await warning.filter({ hasText: `This allows every call of ${ACTION}, whatever its parameters.` }).waitFor();
  await byChannel.check();
  await warning.waitFor({ state: "detached" });
  const sentence = dialog.getByText(/^From now on/);
  assert.match(await sentence.textContent(), /runs without asking where channel is "?C0GENERAL"?\.$/);
  assert.deepEqual(await serious(page), []);
  await dialog.getByRole("button", { name: "Approve and always allow" }).click();
  await page.getByText(APPROVED).first().waitFor();
  assert.equal(await status(id), "succeeded");

  const made = await rules();
  assert.deepEqual(
    made.map(({ mode, where }) => ({ mode, where })),
    [{ mode: "allow", where: { channel: { equals: "C0GENERAL" } } }],
  );
  assert.equal(await status(await send("C0GENERAL", `Another text ${mark}`)), "succeeded", "the same channel");
  assert.equal(await status(await send("C0OLD", text)), "pending", "another channel");

  await page.goto(`${app.url}/policy#rules`);
  const rule = page.getByRole("list", { name: "Rules" }).getByRole("listitem").filter({ hasText: "C0GENERAL" });
  await rule.getByText(ACTION, { exact: true }).first().waitFor();
  assert.match(await rule.textContent(), /where channel is "C0GENERAL"/);
  assert.deepEqual(await serious(page), []);
  return { context, wrong };
}

export const conditionJourneys = {
  async "always for this channel"(app) {
    await removeRules();
    try {
      return await alwaysForThisChannel(app);
    } finally {
      await removeRules();
    }
  },
};
