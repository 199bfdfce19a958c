// Ten thousand items, made from one real one on their way to the page, while real events come in: how long a person
// waits for what they do in the list, and what an event costs.
import assert from "node:assert/strict";
import { ask, call, deny, open, tokens } from "./kit.mjs";

const COUNT = 10_000;
const TIMES = 40;
const BAR_MS = 100;
const id = (n) => `inv_${String(COUNT * 2 - n).padStart(32, "0")}`;

/** Every second item is one of fifty that are alike; the others stand alone. */
const sessionOf = (n) => (n % 2 === 0 ? `ses_alone${n}` : `ses_alike${Math.floor(n / 100)}`);

export async function tenThousand(app) {
  await ask("linear.create_issue", { team_id: "team-1", title: "one of many" });
  const [real] = (await call(tokens.owner, "GET", "/v1/inbox?limit=1")).body.items;
  const item = (n) => ({
    ...real,
    invocation: {
      ...real.invocation,
      id: id(n),
      session: sessionOf(n),
      params: { team_id: "team-1", title: `Item ${n}`, labels: ["a", `b${n}`] },
    },
  });
  const { page, context, wrong } = await open(app);
  let [pages, first] = [0, 0];
  await page.route(/\/v1\/inbox\?/, async (route) => {
    pages += 1;
    const cursor = new URL(route.request().url()).searchParams.get("cursor");
    // Each time the newest are asked for, there is one more.
    if (cursor === null) first -= 1;
    const from = cursor === null ? first : Number(cursor);
    const items = Array.from({ length: 100 }, (_, n) => item(from + n));
    const next_cursor = from + 100 < COUNT ? String(from + 100) : null;
    return route.fulfill({
      status: 200,
      contentType: "application/json",
      body: JSON.stringify({ items, next_cursor }),
    });
  });
  await page.route(/\/v1\/inbox\/inv_0/, (route) =>
    route.fulfill({ status: 503, contentType: "application/json", body: "{}" }),
  );
  await page.goto(`${app.url}/inbox`);
  const list = page.getByRole("list", { name: "Pending items" });
  await list.locator("li").first().waitFor();
  const waits = () =>
    page.evaluate(() => Number(/\d+/.exec(document.querySelector("h1").parentElement.textContent)?.[0] ?? 0));
  while ((await waits()) < COUNT) {
    await list.evaluate((element) => element.parentElement.scrollTo(0, element.parentElement.scrollHeight));
    await page.waitForTimeout(5);
  }
  const drawn = await list.locator("li").count();
  assert.ok(drawn < 60, `${drawn} rows are drawn`);
  await list.evaluate((element) => element.parentElement.scrollTo(0, element.parentElement.scrollHeight / 2));
  await page.waitForTimeout(300);
  await list.locator("li a").nth(12).click();
  await list.locator("[aria-current]").waitFor();

  // An agent keeps asking while a person moves.
  const before = pages;
  let isOver = false;
  let asked = 0;
  let agent;
  const asking = (async () => {
    while (!isOver) {
      // A session that is denied an action three times must wait before it asks again.
      if (asked % 2 === 0)
        agent = (await call(tokens.owner, "POST", "/v1/sessions", { agent: "busy-bot", kind: "interactive" })).body;
      const body = { action: "linear.create_issue", params: { team_id: "team-1", title: `Meanwhile ${asked}` } };
      const { body: other } = await call(
        agent.token,
        "POST",
        `/v1/sessions/${agent.session?.id ?? agent.id}/actions/invoke`,
        body,
      );
      await new Promise((done) => setTimeout(done, 100));
      await deny(other).catch(() => {});
      asked += 1;
      await new Promise((done) => setTimeout(done, 100));
    }
  })();
  const keys = await page.evaluate(measure, {
    keys: { move: ["j", "k"], pick: ["x", "x"], fold: ["Enter", "Enter"] },
    times: TIMES,
  });
  const scrolled = await page.evaluate(scrolling, { times: TIMES });
  const took = { ...keys, scroll: scrolled };
  isOver = true;
  await asking;
  const slowest = (part) => Math.max(...Object.values(took).map((times) => Number(at(times, part))));
  const worst = slowest(0.95);
  const asks = pages - before;
  console.log(
    `      ${COUNT} items, ${drawn} rows drawn, ${asked} requested and answered meanwhile, ${asks} pages fetched`,
  );
  for (const [what, times] of Object.entries(took))
    console.log(
      [
        `      ${what.padEnd(8)} p50 ${at(times, 0.5)} ms`,
        `p95 ${at(times, 0.95)} ms`,
        `max ${at(times, 1)} ms`,
        `(${times.length})`,
      ].join("   "),
    );
  const result = { bar: "inbox of 10000", figure: Number(worst.toFixed(1)), unit: "ms, p95 of the slowest action" };
  console.log(`      ${JSON.stringify({ ...result, pass: worst <= BAR_MS })}`);
  // A missed bar is told; only what no busy machine explains fails.
  assert.ok(slowest(0.5) <= 4 * BAR_MS, `p50 is ${slowest(0.5)} ms`);
  assert.ok(asks <= asked + 3, `${asks} pages for ${asked} that came`);
  return { context, wrong, note: `p95 ${worst.toFixed(0)} ms` };
}

const sorted = (times) => [...times].sort((a, b) => a - b);
const at = (times, part) => sorted(times)[Math.min(times.length - 1, Math.floor(times.length * part))].toFixed(0);

/** From the key to the frame that shows what it did: another row chosen, picked or opened. */
async function measure({ keys, times }) {
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const press = (key) => window.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  const state = () => {
    const current = document.querySelector("li [aria-current]");
    const row = current?.parentElement;
    const count = document.querySelector("[aria-setsize]")?.getAttribute("aria-setsize");
    return [
      current?.getAttribute("href"),
      row?.querySelector("input")?.checked,
      row?.querySelector("[aria-expanded]")?.getAttribute("aria-expanded"),
      count,
    ]
      .slice(0, 3)
      .join();
  };
  const out = {};
  for (const [what, pair] of Object.entries(keys)) {
    out[what] = [];
    // What is folded has to be a row that stands for several.
    for (
      let tries = 0;
      what === "fold" &&
      tries < 120 &&
      !document.querySelector("li [aria-current]")?.parentElement.querySelector("[aria-expanded]");
      tries += 1
    ) {
      press("j");
      for (let n = 0; n < 4; n += 1) await frame();
    }
    for (let n = 0; n < times; n += 1) {
      const was = state();
      const began = performance.now();
      press(pair[n % 2]);
      do await frame();
      while (state() === was && performance.now() - began < 5_000);
      out[what].push(performance.now() - began);
    }
  }
  return out;
}

/** From a scroll of a screenful to the frame that has rows there. */
async function scrolling({ times }) {
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const box = document.querySelector("ul[aria-label='Pending items']").parentElement;
  const out = [];
  for (let n = 0; n < times; n += 1) {
    const began = performance.now();
    box.scrollBy(0, box.clientHeight * (n % 10 === 9 ? -6 : 3));
    const isThere = () => {
      const { top, left, height } = box.getBoundingClientRect();
      return document.elementFromPoint(left + 60, top + height / 2)?.closest("li") !== null;
    };
    do await frame();
    while (!isThere() && performance.now() - began < 5_000);
    out.push(performance.now() - began);
  }
  return out;
}
