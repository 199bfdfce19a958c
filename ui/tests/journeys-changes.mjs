// The way of a person who asks what was changed, by whom, and whether the record of it is genuine.
import assert from "node:assert/strict";
import { LOOKS, serious } from "./axe.mjs";
import { call, open, PHONE, tokens } from "./kit.mjs";

const ACTION = "linear.add_comment";
const SENTENCE = `Rule set for ${ACTION}`;
const owner = (method, path, body) => call(tokens.owner, method, path, body);

async function setRule(mode, reason) {
  const { status, body } = await owner("PUT", "/v1/rules", { action: ACTION, mode, reason });
  assert.equal(status, 200, JSON.stringify(body));
  return body.id;
}

/** The newest change of something. */
async function newestOf(subject) {
  const { items } = (await owner("GET", `/v1/changes?subject=${subject}&limit=1`)).body;
  return items[0];
}

/** Waits until the ledger holds the record, which takes about a second. */
async function logged(change) {
  for (let tries = 0; tries < 100; tries += 1) {
    if ((await owner("GET", `/v1/changes/${change}/bundle`)).status === 200) return;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`the ledger does not hold ${change}`);
}

const rowOf = (page, change) => page.getByRole("list", { name: "Changes" }).locator(`a[href$="/${change}"]`);

/** From the activity page to the change, by filters and keys. */
async function find(app, page, change) {
  await page.goto(`${app.url}/activity`);
  const views = page.getByRole("navigation", { name: "Activity" });
  await views.getByRole("link", { name: "Changes" }).click();
  await page.waitForURL((url) => url.pathname === "/activity/changes");
  const row = rowOf(page, change);
  await row.waitFor();
  assert.ok((await row.textContent()).includes(SENTENCE), await row.textContent());
  const kind = page.getByRole("combobox", { name: "Kind of change" });
  await kind.selectOption({ label: "Secrets" });
  await page.waitForURL(/group=secrets/);
  await row.waitFor({ state: "detached" });
  await kind.selectOption({ label: "Policy" });
  await page.waitForURL(/group=policy/);
  await row.waitFor();
  const { user } = (await owner("GET", "/v1/me")).body;
  await page.getByRole("combobox", { name: "Person" }).selectOption(user);
  await page.waitForURL(/user=usr_/);
  await row.focus();
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.pathname === `/activity/changes/${change}`);
}

/** The mode is marked as changed, with both values. */
async function compare(page) {
  await page.getByRole("heading", { name: SENTENCE }).waitFor();
  await page.getByText("API token", { exact: true }).waitFor();
  const table = page.getByRole("table", { name: "Before and after" });
  const mode = table.getByRole("row").filter({ hasText: /^mode/ });
  await mode.getByText("changed", { exact: true }).waitFor();
  const [before, after] = await mode.getByRole("cell").allTextContents();
  assert.match(before, /"require_approval"/);
  assert.match(after, /"deny"/);
}

/** Genuine as it is; not with another byte, and not beside a page that shows something else. */
async function verify(page, change) {
  const check = page.getByRole("button", { name: "Verify", exact: true });
  const result = page.getByRole("status", { name: "Verification" });
  await check.click();
  await result.getByText("Verified: signed, in the ledger, unchanged").waitFor();
  await result.getByText(/^entry \S+ of this organization, index \S+ of \S+, signed at \S+Z$/).waitFor();

  const spoil = (route, change) =>
    route.fetch().then(async (answer) => {
      const body = await answer.json();
      change(body);
      return route.fulfill({ status: 200, contentType: "application/json", body: JSON.stringify(body) });
    });
  await page.route(new RegExp(`/v1/changes/${change}/bundle$`), (route) =>
    spoil(route, ({ record }) => {
      const bytes = Buffer.from(record.envelope.payload, "base64");
      bytes[Math.floor(bytes.length / 2)] ^= 1;
      record.envelope.payload = bytes.toString("base64");
    }),
  );
  await page.reload();
  await check.click();
  await result.getByText("Not verified").waitFor();
  await result.getByText("failed: Signature is valid").waitFor();
  await page.unrouteAll();

  await page.route(new RegExp(`/v1/changes/${change}$`), (route) =>
    spoil(route, ({ after }) => {
      after.mode = "allow";
    }),
  );
  await page.reload();
  await check.click();
  await result.getByText("these differ: after").waitFor();
  await page.unrouteAll();
}

export const changeJourneys = {
  async "a change is found, compared and verified; a flipped byte is not"(app) {
    const rule = await setRule("require_approval", "Comments are read first");
    try {
      await setRule("deny", "No comments this week");
      const { id } = await newestOf(rule);
      await logged(id);
      const { page, context, wrong } = await open(app);
      await find(app, page, id);
      await compare(page);
      await verify(page, id);

      // The history of the rule, where the next change appears without a reload.
      await page.reload();
      await page.getByRole("link", { name: "All changes of the same object" }).click();
      await page.waitForURL(/subject=rul_/);
      await rowOf(page, id).waitFor();
      await owner("DELETE", `/v1/rules/${rule}`);
      const removed = await newestOf(rule);
      assert.equal(removed.change, "rule.removed");
      await rowOf(page, removed.id).waitFor();
      await page.getByRole("button", { name: "Remove filter: subject" }).click();
      await page.waitForURL((url) => url.search === "");
      return { context, wrong };
    } finally {
      await owner("DELETE", `/v1/rules/${rule}`);
    }
  },

  async "everybody can use the changes"(app) {
    const rule = await setRule("require_approval", "Comments are read first");
    await owner("DELETE", `/v1/rules/${rule}`);
    const { id } = await newestOf(rule);
    await logged(id);
    let last = null;
    for (const look of LOOKS) {
      const { page, context, wrong } = await open(app, look);
      await page.goto(`${app.url}/activity/changes`);
      await rowOf(page, id).waitFor();
      assert.deepEqual(await serious(page), []);
      await page.goto(`${app.url}/activity/changes/${id}`);
      await page.getByRole("button", { name: "Verify", exact: true }).click();
      await page.getByRole("status", { name: "Verification" }).waitFor();
      // The button's colours have changed by then.
      await page.waitForTimeout(300);
      assert.deepEqual(await serious(page), []);
      if (look.viewport === PHONE)
        assert.ok(
          await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
          "nothing is wider than the phone",
        );
      if (last !== null) await last.context.close();
      last = { context, wrong };
    }
    return last;
  },
};
