// Hostile texts in every field of an item that an agent controls: what is on the page decodes back to the exact text, no
// script runs, nobody else is asked for anything.
//
// The gateway's safety gate would not let most of them come this far; here its answer is rewritten on the way, so that the
// page stands on its own.
import assert from "node:assert/strict";
import { createServer } from "vite";
import { ask, open } from "./kit.mjs";

/** The texts, and how what is shown of one is read back. */
export async function texts() {
  const vite = await createServer({ server: { middlewareMode: true }, appType: "custom", logLevel: "error", optimizeDeps: { noDiscovery: true } });
  const { HOSTILE } = await vite.ssrLoadModule("/src/text/hostile.ts");
  const { decode, line } = await vite.ssrLoadModule("/src/text/visible.ts");
  await vite.close();
  return { HOSTILE, decode, line };
}

export async function hostile(app) {
  const { HOSTILE, decode, line } = await texts();
  const { id } = await ask("linear.create_issue", { team_id: "team-1", title: "hostile" });
  const { page, context, wrong } = await open(app);
  const params = Object.fromEntries(HOSTILE.map((text, index) => [`p${index}`, text]));
  const agent = "bot\u202e\u001b[31m<img src=x onerror=alert(1)>";
  const spoil = (item) => {
    item.invocation.params = params;
    item.invocation.agent = agent;
    item.description = HOSTILE[5];
    item.undo = HOSTILE[8];
    item.why = [HOSTILE[14], HOSTILE[18]];
    item.preview = { summary: HOSTILE[9], changes: [{ field: HOSTILE[13], before: HOSTILE[10], after: HOSTILE[16] }] };
    return item;
  };
  await page.route(/\/v1\/inbox/, async (route) => {
    const answer = await route.fetch();
    if (!answer.ok()) return route.fulfill({ response: answer });
    const body = await answer.json();
    if (body.items === undefined) spoil(body);
    else body.items.filter((item) => item.invocation?.id === id).forEach(spoil);
    return route.fulfill({ status: 200, contentType: "application/json", body: JSON.stringify(body) });
  });

  await page.goto(`${app.url}/inbox/${id}`);
  await page.getByText("Why a person is asked").waitFor();
  await page.getByRole("button", { name: /more values are folded/ }).click({ timeout: 1_000 }).catch(() => {});
  for (const fold of await page.getByRole("button", { name: /characters are folded here/ }).all()) await fold.click().catch(() => {});
  while ((await page.getByRole("button", { name: /characters are folded here/ }).count()) > 0) {
    await page.getByRole("button", { name: /characters are folded here/ }).first().click();
  }

  if (process.env.SHOTS) {
    await page.locator("dl").first().evaluate((list) => list.parentElement.scrollIntoView());
    await page.screenshot({ path: `${process.env.SHOTS}/hostile-desk-light.png` });
  }

  const shown = await page.evaluate(() =>
    [...document.querySelectorAll("dl dt")].flatMap((name) => {
      const value = name.nextElementSibling?.querySelector("[data-shown]");
      if (!value) return [];
      const pieces = [...value.querySelectorAll("[data-kind]")].map((piece) => ({ kind: piece.dataset.kind, shown: piece.textContent }));
      return [{ name: name.textContent, pieces, text: value.textContent }];
    }),
  );
  const byName = new Map(shown.map((row) => [row.name, row]));
  let exact = 0;
  for (const [index, text] of HOSTILE.entries()) {
    const row = byName.get(`p${index}`);
    assert.ok(row, `p${index} is on the page`);
    assert.equal(row.text, row.pieces.map((piece) => piece.shown).join(""), `p${index} has nothing besides its pieces`);
    assert.ok(decode(row.pieces) === text, `p${index} decodes back: ${JSON.stringify(text.slice(0, 60))}`);
    exact += 1;
  }
  const seen = await page.locator("article header").first().textContent();
  assert.ok(seen.includes(line(agent).pieces.map((piece) => piece.shown).join("")), "the agent's name is written out");
  assert.equal(await page.locator("article img, article script, article style, article iframe, article [src], article a[href^=http]").count(), 0);
  return { context, wrong, note: `${exact} of ${HOSTILE.length} texts decode back` };
}
