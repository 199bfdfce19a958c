// abuse 3, the web: hostile texts in every field that an agent, a source or another person controls. What is shown
// decodes back to the exact text, nothing that cannot be seen is on the page, nobody but the gateway is asked for
// anything, no script runs. Then the control: the same attack on pages built to draw texts as they are, without the
// policy; it succeeds.
//
//   node tests/abuse3.mjs [--size ci|full]
//
// COUNTERSIGN_WEB is an address that serves the web (a gateway built with `ui`); without it, what `npm run build` made
// is served here. COUNTERSIGN_URL and COUNTERSIGN_DIR as for the journeys. The last line is one JSON object.
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, preview } from "vite";
import { beginnings, HOSTILE, look, texts } from "./abuse3-inspect.mjs";
import { inboxOf, pagesOf, serveInbox, servePage } from "./abuse3-places.mjs";
import { throughTheGateway } from "./abuse3-real.mjs";
import { clear, launch, open, start } from "./kit.mjs";

const size = process.argv.includes("full") ? "full" : "ci";
/** In CI every second one of the long tail; never fewer than two hundred. */
const strings = [...new Set(HOSTILE)].filter((_, n) => size === "full" || n < 140 || n % 2 === 0);
const CONTROL = 60;

class Table {
  rows = [];
  /** What went wrong, for people who look for why. */
  faults = [];
  row(what) {
    const row = { what, tried: 0, wrong: 0 };
    this.rows.push(row);
    return {
      tell: (isWrong, fault) => {
        row.tried += 1;
        if (!isWrong) return;
        row.wrong += 1;
        if (this.faults.length < 12) this.faults.push(`${what}: ${fault()}`);
      },
    };
  }
  sum(field) {
    return this.rows.reduce((sum, row) => sum + row[field], 0);
  }
  print() {
    for (const { what, tried, wrong } of this.rows)
      console.log(`     ${what.padEnd(58)} ${String(tried).padStart(6)} tried ${String(wrong).padStart(6)} wrong`);
    this.faults.forEach((fault) => console.log(`     ! ${fault}`));
  }
}

const short = (text) => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);

/** Whether everything that was sent is on the page as it was sent, and nothing besides. */
function judge(row, seen, wanted, where) {
  const there = texts(seen);
  for (const text of wanted) row.tell(!there.has(text), () => `${where} does not show ${short(text)}`);
  row.tell(seen.hidden.length > 0, () => `${where} has something nobody sees: ${short(seen.hidden[0])}`);
  row.tell(seen.elements.length > 0, () => `${where} has ${short(seen.elements[0])}`);
}

async function attackInbox(app, table, kind, all, everyNth) {
  const { page, context, wrong } = await open(app);
  const [items, list, asked] = [
    table.row(`${kind.replace("_", " ")}: every field`),
    table.row(`${kind.replace("_", " ")}: its row in the list`),
    table.row(`${kind.replace("_", " ")}: the question`),
  ];
  await serveInbox(page, all);
  await page.goto(`${app.url}/inbox/${all[0].key}`);
  for (const [n, { key, wanted }] of all.entries()) {
    if (n > 0) await page.keyboard.press("j");
    await page.waitForFunction(
      (now) =>
        location.pathname.endsWith(now) &&
        document.querySelector(`li a[aria-current][href$="${now}"]`) !== null &&
        !/Loading [a-z ]+ …/.test(document.body.textContent),
      key,
      { polling: 20 },
    );
    const seen = await page.evaluate(look);
    judge(
      items,
      seen,
      wanted.filter((text) => text !== ""),
      `item ${n}`,
    );
    const strange = beginnings(seen, [...strings, "no parameters", ...wanted]);
    list.tell(
      strange.length > 0,
      () => `the list at ${n} shows ${short(strange[0].pieces.map((piece) => piece.shown).join(""))}`,
    );
    if (n % everyNth === 0) await question(page, asked, all[n], kind);
  }
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await context.close();
  quiet(table, kind, wrong);
}

/** The second question names the action and the agent. */
async function question(page, row, { item }, kind) {
  const view = item.invocation ?? item;
  await page.waitForTimeout(1_050);
  // The approvals have hidden values, so they can only be denied. What is quarantined can always be discarded.
  await page.keyboard.press({ unknown: "r", approval: "d", quarantined: "d" }[kind] ?? "a");
  await page.getByRole("dialog").waitFor();
  judge(
    row,
    await page.evaluate(look),
    [view.agent, view.action].filter((text) => text !== ""),
    "the question",
  );
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
}

async function attackPages(app, table, all) {
  for (const each of pagesOf(all)) {
    const { page, context, wrong } = await open(app);
    const row = table.row(each.what);
    await servePage(page, each);
    await page.goto(app.url + each.path);
    await page.locator("main [data-shown]").first().waitFor({ state: "attached" });
    await each.act?.(page);
    await page.waitForTimeout(500);
    judge(
      row,
      await page.evaluate(look),
      each.wanted.filter((text) => text !== ""),
      each.path,
    );
    await context.close();
    quiet(table, each.what, wrong);
  }
}

function quiet(table, what, wrong) {
  const row = table.row(`${what.replace("_", " ")}: requests to others, scripts, errors`);
  row.tell(wrong.length > 0, () => wrong.slice(0, 3).join("; "));
}

/** The same pages with both guards off: texts drawn as markup, and no policy that would stop what is in them. */
async function control() {
  const outDir = join(tmpdir(), `countersign-abuse3-${process.pid}`);
  const raw = fileURLToPath(new URL("raw/Visible.tsx", import.meta.url));
  const swap = { name: "raw", enforce: "pre", resolveId: (id) => (/\/Visible$/.test(id) ? raw : null) };
  await build({ plugins: [swap], build: { outDir, emptyOutDir: true }, logLevel: "error" });
  const server = await preview({
    build: { outDir },
    preview: { port: 0, headers: { "content-security-policy": "default-src * 'unsafe-inline' data:" } },
    logLevel: "error",
  });
  const app = { url: server.resolvedUrls.local[0].replace(/\/$/, ""), browser: await launch() };
  const found = { scripts: 0, requests: 0, elements: 0, hidden: 0 };
  const loud = strings.filter((text) => /[<\u202e\u200b]/.test(text)).slice(0, CONTROL);
  for (const item of inboxOf("approval", loud).slice(0, 20)) {
    const { page, context, wrong } = await open(app);
    await page.route(/evil\.example/, (route) => route.abort());
    await serveInbox(page, [item]);
    await page.goto(`${app.url}/inbox/${item.key}`);
    // Where a script stops the page there is none.
    await page
      .locator("article header")
      .first()
      .waitFor({ timeout: 3_000 })
      .catch(() => {});
    await page.waitForTimeout(700);
    const seen = await Promise.race([
      page.evaluate(look).catch(() => null),
      new Promise((done) => setTimeout(() => done(null), 3_000)),
    ]);
    found.scripts += wrong.filter((each) => each.startsWith("a script ran")).length;
    found.requests += wrong.filter((each) => each.startsWith("asks")).length;
    found.elements += seen?.elements.length ?? 0;
    found.hidden += seen?.hidden.length ?? 0;
    await context.close();
  }
  await app.browser.close();
  await new Promise((done) => server.httpServer.close(done) && server.httpServer.closeAllConnections());
  await rm(outDir, { recursive: true, force: true });
  return found;
}

const table = new Table();
const app = await start();
await clear();
const everyNth = size === "full" ? 10 : 40;
for (const kind of ["approval", "unknown", "quarantined", "grant_request"])
  await attackInbox(app, table, kind, inboxOf(kind, strings), everyNth);
await attackPages(app, table, strings);
await throughTheGateway(
  app,
  table,
  strings.filter((_, n) => size === "full" || n % 4 === 0),
  judge,
  quiet,
);
await app.stop();
const seen = await control();

console.log(`\n3    ${table.sum("wrong")} of ${table.sum("tried")} wrong, with ${strings.length} texts`);
table.print();
console.log(
  `     control, guards off: ${seen.scripts} scripts ran, ${seen.requests} requests to others, ` +
    `${seen.elements} elements, ${seen.hidden} texts with something hidden`,
);
const isControlled = Object.values(seen).every((count) => count > 0);
const pass = table.sum("wrong") === 0 && strings.length >= 200 && isControlled;
const details = {
  "control: elements": seen.elements,
  "control: hidden": seen.hidden,
  "control: requests": seen.requests,
  "control: scripts": seen.scripts,
  texts: strings.length,
  tried: table.sum("tried"),
};
console.log(
  JSON.stringify({
    bar: "3",
    details,
    figure: table.sum("wrong"),
    pass,
    size,
    unit: `wrong of ${table.sum("tried")}`,
  }),
);
process.exit(pass ? 0 : 1);
