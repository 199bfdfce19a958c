// The ways of a person who decides about what was quarantined: released as text and approved, or discarded.
import assert from "node:assert/strict";
import { serious } from "./axe.mjs";
import { APPROVED, answerable, askQuarantined, call, linear, open, PHONE, status, tokens } from "./kit.mjs";

const ACTION = "linear.create_issue";
/** Looks like a key of GitHub. */
const KEY = "ghp_0123456789abcdefghijABCDEFGHIJ012345";

const suspicious = (title) =>
  askQuarantined(ACTION, { team_id: "team-1", title, description: `The docs say ${KEY} is an example.` });
const invocation = async (id) => (await call(tokens.owner, "GET", `/v1/invocations/${id}`)).body;
const item = (id) => call(tokens.owner, "GET", `/v1/inbox/${id}`);

async function hasNoKey(page) {
  assert.ok(!(await page.content()).includes(KEY), "the key is nowhere in the page");
}

/** Opens the inbox and checks the row. */
async function row(app, page, title) {
  await page.goto(`${app.url}/inbox`);
  const found = page.getByRole("list", { name: "Pending items" }).getByRole("listitem").filter({ hasText: title });
  await found.getByText("quarantined", { exact: true }).waitFor();
  assert.equal(await found.getByRole("checkbox").count(), 0, "it cannot be part of a bulk answer");
  return found;
}

/** What the open item says. */
async function check(page) {
  await page.getByText("This request is quarantined. It did not run.").waitFor();
  await page.getByRole("region", { name: "Quarantine" }).getByText("looks like a credential").waitFor();
  assert.equal(await page.getByRole("button", { name: "Approve once" }).count(), 0);
  await hasNoKey(page);
}

/** Reveals the key. If the document is loaded anew meanwhile, the values are dropped, and a person clicks again. */
async function revealKey(page) {
  const button = page.getByRole("button", { name: "Reveal hidden values" });
  const key = page.getByText(KEY).first();
  for (let n = 0; n < 5 && !(await key.isVisible()); n += 1) {
    if (await button.isVisible()) await button.click();
    await key.waitFor({ timeout: 10_000 }).catch(() => null);
  }
  await key.waitFor();
}

async function releaseAndApprove(app) {
  const title = `A key in the docs ${Date.now().toString(36)}`;
  const reason = "An example key of the documentation";
  const { id } = await suspicious(title);
  const { page, context, wrong } = await open(app);
  await row(app, page, title);
  await page.waitForURL(`**/inbox/${id}`);
  await check(page);
  assert.deepEqual(await serious(page), []);

  // Keys do nothing for a second after the page opened the item by itself.
  await page.waitForTimeout(1_100);
  await answerable(page);
  await page.keyboard.press("t");
  const dialog = page.getByRole("dialog", { name: "Release as text" });
  await dialog
    .getByText(
      "The agent's request is proposed again as text and needs approval. Those who approve it are shown your reason.",
    )
    .waitFor();
  await page.keyboard.press("Enter");
  await dialog.getByRole("alert").filter({ hasText: "A reason is required." }).waitFor();
  assert.deepEqual(await serious(page), []);
  await page.keyboard.type(reason);
  await page.keyboard.press("Enter");
  await page.locator("[aria-live]").getByText("Released as text", { exact: true }).first().waitFor();
  await page.waitForURL((url) => /\/inbox\/inv_/.test(url.pathname) && !url.pathname.endsWith(id));
  const next = new URL(page.url()).pathname.split("/").at(-1);
  const before = await invocation(id);
  assert.deepEqual([before.status, before.released_as], ["quarantined", next]);
  assert.equal(await status(next), "pending", "a release approves nothing");
  assert.equal((await item(id)).status, 409, "it is no longer held");

  const fake = await linear(next);
  assert.equal((await fake.effects())[title], undefined);
  await page.getByText("Why approval is needed").waitFor();
  await page.getByText(reason).first().waitFor();
  await page.getByText("1 value is hidden. Reveal it before you approve.").waitFor();
  const approve = page.getByRole("button", { name: "Approve once" });
  assert.ok(await approve.isDisabled(), "nothing is approved unseen");
  await hasNoKey(page);
  await revealKey(page);
  assert.deepEqual(await serious(page), []);
  await approve.click();
  await page.getByRole("dialog").getByRole("button", { name: "Approve once" }).click();
  await page.getByText(APPROVED).first().waitFor();
  assert.equal(await status(next), "succeeded");
  assert.equal((await fake.effects())[title], 1, "the issue exists, once");
  assert.ok((await fake.requests()).includes(KEY), "the text is sent as it was proposed");
  await page.getByText("No longer pending").waitFor();
  await hasNoKey(page);

  await page.goto(`${app.url}/activity/${id}`);
  await page.getByRole("link", { name: "Open the new invocation" }).click();
  await page.waitForURL(`**/activity/${next}`);
  await page.getByText(reason).first().waitFor();
  await hasNoKey(page);
  return { context, wrong };
}

async function discardOnAPhone(app) {
  const title = `Another key ${Date.now().toString(36)}`;
  const { id } = await suspicious(title);
  const { page, context, wrong } = await open(app, { viewport: PHONE, colorScheme: "dark" });
  await (await row(app, page, title)).getByRole("link").tap();
  await check(page);
  const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
  assert.ok(await fits(), "nothing is wider than the phone");
  assert.deepEqual(await serious(page), []);

  await page.getByRole("button", { name: "Discard …" }).tap();
  const dialog = page.getByRole("dialog", { name: "Discard" });
  await dialog.getByText("Nothing runs, and the parameters are deleted.").waitFor();
  assert.ok(await fits(), "nor is the question");
  assert.deepEqual(await serious(page), []);
  await dialog.getByLabel("Reason (optional)").fill("A real key. It was revoked.");
  await dialog.getByRole("button", { name: "Discard", exact: true }).tap();
  await page.locator("[aria-live]").getByText("Discarded", { exact: true }).first().waitFor();
  await page.getByText("Nothing needs approval").first().waitFor();

  const after = await invocation(id);
  assert.deepEqual([after.status, after.released_as], ["quarantined", undefined]);
  assert.equal((await item(id)).status, 409, "it is no longer held");
  await page.goto(`${app.url}/inbox/${id}`);
  await page.getByText("No longer pending").waitFor();
  await hasNoKey(page);
  return { context, wrong };
}

export const quarantineJourneys = {
  "a quarantined request is released as text, revealed and approved": releaseAndApprove,
  "a quarantined request is discarded on a phone": discardOnAPhone,
};
