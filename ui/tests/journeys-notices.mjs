// Notices: an agent sends a message with data.notify, and the bell shows it without a reload.
import assert from "node:assert/strict";
import { serious } from "./axe.mjs";
import { approve, ask, open, PHONE } from "./kit.mjs";

export async function sendNotice(params) {
  const { status, body } = await approve(await ask("data.notify", params));
  assert.ok(status < 300, JSON.stringify(body));
}

export const noticeJourneys = {
  async "a notice is shown by the bell, and read once"(app) {
    const title = `Backup finished ${Date.now().toString(36)}`;
    const { page, context, wrong } = await open(app);
    await page.goto(app.url);
    const bell = page.getByRole("button", { name: /^Notices/ });
    await bell.waitFor();
    // Whatever earlier tests sent is read first.
    await bell.click();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Notices", exact: true }).waitFor();
    await sendNotice({ title, body: `<b>3</b> files ${"word ".repeat(90)}end`, level: "warning" });
    await page.getByRole("button", { name: "Notices, 1 unread" }).click();
    const list = page.getByRole("list", { name: "Notices" });
    const first = list.getByRole("listitem").first();
    await first.getByText(title).waitFor();
    await first.getByText("warning").waitFor();
    assert.equal(await list.locator("b").count(), 0, "a message is text, never markup");
    assert.deepEqual(await serious(page), []);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Notices", exact: true }).waitFor();
    await page.reload();
    await page.getByRole("button", { name: "Notices", exact: true }).waitFor();
    return { context, wrong };
  },

  async "a notice is read on a phone"(app) {
    const title = `On a phone ${Date.now().toString(36)}`;
    const { page, context, wrong } = await open(app, { viewport: PHONE });
    await sendNotice({ title, body: "Short.", level: "critical" });
    await page.goto(app.url);
    await page.getByRole("button", { name: /^Notices, \d+ unread/ }).tap();
    await page.getByText(title).waitFor();
    assert.ok(
      await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
      "nothing is wider than the phone",
    );
    await page.getByRole("link", { name: "Details" }).first().tap();
    await page.waitForURL(/\/activity\/inv_/);
    return { context, wrong };
  },
};
