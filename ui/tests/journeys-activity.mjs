// The ways people go in activity and overview, and how they come in.
import assert from "node:assert/strict";
import { decode, HOSTILE, line } from "./abuse3-inspect.mjs";
import { LOOKS, serious } from "./axe.mjs";
import { settingsJourneys } from "./journeys-settings.mjs";
import { approve, ask, call, deny, gateway, open, session, tokens } from "./kit.mjs";
import { byProvider } from "./oidc.mjs";

const invoke = (action, params) =>
  call(tokens.agent, "POST", `/v1/sessions/${session}/actions/invoke`, { action, params });

/** Something done with a person's yes, something refused, and something that was read. */
async function some(word) {
  const asked = await ask("linear.create_issue", { team_id: "team-1", title: `Found by ${word}` });
  await approve(asked, { note: "seen" });
  const refused = await ask("slack.send_message", { channel: "C0GENERAL", text: `Not said: ${word}` });
  await deny(refused, { reason: "not now" });
  await invoke("linear.list_issues", {});
  return { done: asked.id, refused: refused.id };
}

/** Waits until the ledger holds the receipt of an invocation, which takes about a second. */
export async function logged(invocation) {
  const { receipt } = (await call(tokens.owner, "GET", `/v1/invocations/${invocation}`)).body;
  for (let tries = 0; tries < 100; tries += 1) {
    if ((await call(tokens.owner, "GET", `/v1/receipts/${receipt}/bundle`)).status === 200) return;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`the ledger does not hold ${receipt}`);
}

export const activityJourneys = {
  ...settingsJourneys,

  async "sign in with a token and out; a link leads on, and no script sees the proof"(app) {
    const { page, context, wrong } = await open(app, { signedIn: false });
    await page.goto(`${app.url}/settings/spaces`);
    const field = page.getByLabel("Your token");
    const button = page.getByRole("button", { name: "Sign in" });
    await field.fill("csn_api_00nothing");
    await button.click();
    await page.getByText("What to do:").waitFor();
    await field.fill(tokens.agent);
    await page.getByText("This is a session token of an agent").waitFor();
    assert.ok(await button.isDisabled(), "a session's token is not even sent");
    await field.fill(tokens.owner);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Spaces" }).waitFor();
    assert.equal(new URL(page.url()).pathname, "/settings/spaces", "the link that was opened is where one is");
    const seen = await page.evaluate(() =>
      JSON.stringify([document.cookie, { ...sessionStorage }, { ...localStorage }]),
    );
    assert.ok(!seen.includes("csn_"), `a script can read ${seen}`);
    await page.reload();
    await page.getByRole("heading", { name: "Spaces" }).waitFor();
    await page.keyboard.press("Control+k");
    await page.getByLabel("Page or command").fill("sign out");
    await page.keyboard.press("Enter");
    await field.waitFor();
    const after = await page.evaluate(async () => (await fetch("/v1/me")).status);
    assert.equal(after, 401, "the gateway knows it too");
    return { context, wrong };
  },

  "sign in by an identity provider, and be turned away in words": byProvider,

  async "activity is searched and filtered, and a receipt verified; a flipped byte is not"(app) {
    const word = `w${Date.now().toString(36)}`;
    const { done, refused } = await some(word);
    const { page, context, wrong } = await open(app);
    await page.goto(`${app.url}/activity`);
    const list = page.getByRole("list", { name: "Invocations" });
    await list.getByText("linear.list_issues").first().waitFor();
    await page.getByRole("searchbox", { name: "Search" }).fill(word.toUpperCase());
    await page.waitForURL(/q=/);
    await page.waitForFunction(() => document.querySelectorAll('[aria-label="Invocations"] li').length === 2);
    await page.getByRole("combobox", { name: "Status" }).selectOption("denied");
    await page.waitForFunction(() => document.querySelectorAll('[aria-label="Invocations"] li').length === 1);
    assert.ok(page.url().includes("status=denied"), "the filter stands in the address");
    await list.getByRole("link").click();
    await page.waitForURL((url) => url.pathname === `/activity/${refused}`);
    await page.getByRole("list", { name: "Decision" }).getByText("not now").waitFor();

    await logged(done);
    await page.goto(`${app.url}/activity/${done}`);
    const receipt = page.getByRole("status", { name: "Verification" });
    await page.getByRole("button", { name: "Verify", exact: true }).click();
    await receipt.getByText("Verified: signed, in the ledger, unchanged").waitFor();
    await receipt.getByText(/^entry \S+ of this organization, index \S+ of \S+, signed at \S+Z$/).waitFor();
    const [saved] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download" }).click(),
    ]);
    assert.match(saved.suggestedFilename(), /^rcp_[0-9a-f]{32}\.bundle\.json$/);

    const bundles = /\/v1\/receipts\/rcp_[0-9a-f]+\/bundle$/;
    await page.route(bundles, async (route) => {
      const body = await (await route.fetch()).json();
      const bytes = Buffer.from(body.record.envelope.payload, "base64");
      bytes[Math.floor(bytes.length / 2)] ^= 1;
      body.record.envelope.payload = bytes.toString("base64");
      return route.fulfill({ status: 200, contentType: "application/json", body: JSON.stringify(body) });
    });
    await page.reload();
    await page.getByRole("button", { name: "Verify", exact: true }).click();
    await receipt.getByText("Not verified").waitFor();
    await receipt.getByText("failed: Signature is valid").waitFor();
    await page.unroute(bundles);

    // In the first second there is no place in the ledger yet, and the signature is looked at alone.
    const early = {
      type: "about:blank",
      code: "not_logged_yet",
      status: 409,
      title: "Not in the ledger yet",
      hint: "try again in a second",
    };
    await page.route(bundles, (route) =>
      route.fulfill({ status: 409, contentType: "application/problem+json", body: JSON.stringify(early) }),
    );
    await page.reload();
    await page.getByRole("button", { name: "Verify", exact: true }).click();
    await receipt.getByText("Verified: signed, unchanged").waitFor();
    await receipt.getByText("The ledger does not contain this receipt yet.").waitFor();
    const [alone] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download" }).click(),
    ]);
    assert.match(alone.suggestedFilename(), /^rcp_[0-9a-f]{32}\.json$/);
    await page.unroute(bundles);

    // Genuine, but beside it the page shows something else.
    await page.route(new RegExp(`/v1/invocations/${done}$`), async (route) => {
      const body = await (await route.fetch()).json();
      return route.fulfill({
        status: 200,
        contentType: "application/json",
        body: JSON.stringify({ ...body, params: { ...body.params, title: "Another title" } }),
      });
    });
    await page.reload();
    await page.getByRole("button", { name: "Verify", exact: true }).click();
    await receipt.getByText("these differ: inputs").waitFor();
    await page.unrouteAll();
    return { context, wrong };
  },

  async "an id leads to its page from anywhere"(app) {
    const { done } = await some("jump");
    const { receipt } = (await call(tokens.owner, "GET", `/v1/invocations/${done}`)).body;
    const { page, context, wrong } = await open(app);
    await page.goto(`${app.url}/settings`);
    await page.getByRole("heading", { name: "Members" }).waitFor();
    await page.keyboard.press("Control+k");
    await page.getByLabel("Page or command").fill(receipt);
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.pathname === `/activity/${done}`);
    return { context, wrong };
  },

  async "every number of the overview is what activity lists"(app) {
    await some("overview");
    const { page, context, wrong } = await open(app);
    await page.goto(`${app.url}/overview?range=24h`);
    const tile = page.getByRole("list", { name: "Totals" }).getByRole("listitem").filter({ hasText: "Invocations" });
    const shown = Number((await tile.locator("span").nth(1).textContent()).replace(/\D/g, ""));
    assert.ok(shown >= 3, `${shown} invocations`);
    let compared = 0;
    const listed = async (link) => {
      const query = new URLSearchParams(new URL(link, app.url).search);
      let [count, cursor] = [0, null];
      do {
        if (cursor !== null) query.set("cursor", cursor);
        query.set("limit", "100");
        const { items, next_cursor } = (await call(tokens.owner, "GET", `/v1/invocations?${query}`)).body;
        count += items.length;
        cursor = next_cursor ?? null;
      } while (cursor !== null);
      compared += 1;
      return count;
    };
    assert.equal(await listed(await tile.getByRole("link").getAttribute("href")), shown);
    await page.getByRole("region", { name: "Invocations by outcome", exact: true }).getByText("Show as table").click();
    for (const link of await page
      .getByRole("region", { name: "Invocations by outcome as a table" })
      .getByRole("link")
      .all()) {
      assert.equal(
        await listed(await link.getAttribute("href")),
        Number((await link.textContent()).replace(/\D/g, "")),
        await link.getAttribute("href"),
      );
    }
    await tile.getByRole("link").click();
    await page.getByRole("list", { name: "Invocations" }).waitFor();
    return { context, wrong, note: `${compared} numbers of ${gateway} agree` };
  },

  async "texts that want to deceive, in activity"(app) {
    const { done } = await some("hostile");
    const { page, context, wrong } = await open(app);
    const fields = (start) => Object.fromEntries(HOSTILE.map((text, index) => [`${start}${index}`, text]));
    const fill = (route, spoil) =>
      route.fetch().then(async (answer) => {
        const body = await answer.json();
        spoil(body);
        return route.fulfill({ status: 200, contentType: "application/json", body: JSON.stringify(body) });
      });
    const error = { class: "invalid", message: HOSTILE[9], sent: true };
    await page.route(/\/v1\/invocations\?/, (route) =>
      fill(route, ({ items }) =>
        items.forEach((item, index) =>
          Object.assign(item, {
            agent: HOSTILE[index % HOSTILE.length],
            params_line: HOSTILE[(index + 7) % HOSTILE.length],
            error: index % 2 ? error : null,
          }),
        ),
      ),
    );
    await page.route(/\/v1\/sessions\/.*\/invocations\?/, (route) =>
      fill(route, ({ items }) =>
        items.forEach((item, index) => Object.assign(item, { params: { title: HOSTILE[index] } })),
      ),
    );
    await page.route(/\/decision$/, (route) =>
      fill(route, (body) => {
        body.votes[0].note = HOSTILE[14];
        body.votes[0].name = HOSTILE[16];
      }),
    );
    await page.route(new RegExp(`/v1/invocations/${done}$`), (route) =>
      fill(route, (body) =>
        Object.assign(body, { agent: HOSTILE[5], params: fields("p"), result: fields("r"), error }),
      ),
    );
    await page.goto(`${app.url}/activity`);
    await page.getByRole("list", { name: "Invocations" }).getByRole("link").first().waitFor();
    assert.equal(await page.locator("main img, main script, main style, main iframe, main [src]").count(), 0);
    await page.goto(`${app.url}/activity/${done}`);
    await page.getByRole("list", { name: "Decision" }).waitFor();
    const folded = page.getByRole("button", { name: /(values|characters) are hidden here/ });
    while ((await folded.count()) > 0) await folded.first().click();
    const shown = await page.evaluate(() =>
      [...document.querySelectorAll("dl dt")].flatMap((name) => {
        const value = name.nextElementSibling?.querySelector("[data-shown]");
        return value
          ? [
              [
                name.textContent,
                [...value.querySelectorAll("[data-kind]")].map((piece) => ({
                  kind: piece.dataset.kind,
                  shown: piece.textContent,
                })),
              ],
            ]
          : [];
      }),
    );
    const byName = new Map(shown);
    for (const start of ["p", "r"])
      HOSTILE.forEach((text, index) =>
        assert.ok(decode(byName.get(`${start}${index}`) ?? []) === text, `${start}${index} decodes back`),
      );
    const head = await page.locator("article header").first().textContent();
    assert.ok(
      head.includes(
        line(HOSTILE[5])
          .pieces.map((piece) => piece.shown)
          .join("")
          .slice(0, 40),
      ),
      "the agent's name is written out",
    );
    assert.equal(
      await page
        .locator("article img, article script, article style, article iframe, article [src], article a[href^=http]")
        .count(),
      0,
    );
    await page.unrouteAll({ behavior: "ignoreErrors" });
    return { context, wrong, note: `${HOSTILE.length} texts decode back, asked and answered` };
  },

  async "everybody can use settings, activity and overview"(app) {
    const { done } = await some("everybody");
    const [{ id: change }] = (await call(tokens.owner, "GET", "/v1/changes?limit=1")).body.items;
    const activity = ["/activity", `/activity/${done}`, "/activity/changes", `/activity/changes/${change}`];
    const parts = ["members", "passkeys", "tokens", "secrets", "spaces", "notifications", "webhooks", "org"].map(
      (part) => `/settings/${part}`,
    );
    let [checked, last] = [0, null];
    for (const look of LOOKS) {
      const { page, context, wrong } = await open(app, look);
      for (const path of [...activity, "/overview", "/settings", ...parts]) {
        await page.goto(app.url + path);
        await page.getByRole("heading").first().waitFor();
        await page.waitForTimeout(500);
        if (/\/(inv|chg)_/.test(path)) {
          await page.getByRole("button", { name: "Verify", exact: true }).click();
          await page.getByRole("status", { name: "Verification" }).waitFor();
          // The button's colours have changed by then.
          await page.waitForTimeout(300);
        }
        if (path.endsWith("spaces")) await page.getByRole("button", { name: "Add a space" }).click();
        assert.deepEqual(
          (await serious(page)).map((each) => [path, look.colorScheme, ...each]),
          [],
        );
        checked += 1;
      }
      if (last !== null) await last.context.close();
      last = { context, wrong };
    }
    return { ...last, note: `${checked} pages without a serious finding` };
  },
};
