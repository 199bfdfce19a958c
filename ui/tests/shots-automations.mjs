// Pictures of the pages of automations and runs, light and dark, on a phone and on a desk: `node tests/shots-automations.mjs DIRECTORY`.
// It saves the example automations and runs some of them first.
import { mkdir, readdir, readFile } from "node:fs/promises";
import { call, clear, DESK, open, PHONE, start, tokens } from "./kit.mjs";

const out = process.argv[2] ?? "/tmp/webshots";
const only = process.argv.slice(3);
await mkdir(out, { recursive: true });
const examples = new URL("../../examples/automations/", import.meta.url);
const owner = (method, path, body) => call(tokens.owner, method, path, body);

async function saved() {
  const known = (await owner("GET", "/v1/automations?limit=100")).body.items;
  for (const file of (await readdir(examples)).filter((each) => each.endsWith(".json"))) {
    const definition = JSON.parse(await readFile(new URL(file, examples), "utf8"));
    if (!known.some((each) => each.name === definition.name)) await owner("POST", "/v1/automations", { definition });
  }
  return (await owner("GET", "/v1/automations?limit=100")).body.items;
}

async function run(automation, inputs) {
  const { status, body } = await owner("POST", `/v1/automations/${automation.id}/runs`, { inputs });
  if (status !== 202) throw new Error(JSON.stringify(body));
  return body.id;
}

const app = await start();
await clear();
for (const status of ["waiting", "running", "pending"]) {
  for (const each of (await owner("GET", `/v1/runs?status=${status}&limit=100`)).body.items) await owner("POST", `/v1/runs/${each.id}/cancel`);
}
const all = await saved();
const named = (name) => all.find((each) => each.name === name);
const [ci, digest, file] = ["CI failure", "Daily digest", "File added"].map(named);
if (ci.version === 1) {
  const definition = (await owner("GET", `/v1/automations/${ci.id}`)).body.definition;
  definition.plan[0].config.title = "CI: {{ inputs.repository }} broke on {{ inputs.branch | upper }}";
  definition.execution.max_retries = 5;
  delete definition.plan[0].config.priority;
  await owner("PATCH", `/v1/automations/${ci.id}`, { definition, from_version: 1 });
}
await owner("PUT", "/v1/rules", { action: "slack.send_message", mode: "allow", automation: file.id });
if (file.runs < 20) for (let n = 0; n < 12; n += 1) await run(file, { name: `offer-${n}.pdf`, size: 1000 * n });
const inputs = { repository: "shop", branch: "main", commit: "4f2a91c77e", log: "https://ci.example/builds/881" };
const waiting = await run(ci, inputs);
const denied = await run(digest, {});
await new Promise((done) => setTimeout(done, 2_500));
const asked = (await owner("GET", `/v1/runs/${denied}`)).body;
if (asked.awaits) {
  const { shown_digest } = (await owner("GET", `/v1/invocations/${asked.awaits}`)).body;
  await owner("POST", `/v1/invocations/${asked.awaits}/deny`, { shown_digest, reason: "not on a Sunday" });
}
const succeeded = (await owner("GET", `/v1/runs?automation=${file.id}&status=succeeded&limit=1`)).body.items[0]?.id;
await new Promise((done) => setTimeout(done, 1_500));

for (const [name, viewport, colorScheme] of [["phone", PHONE, "light"], ["phone", PHONE, "dark"], ["desk", DESK, "light"], ["desk", DESK, "dark"]]) {
  if (only.length > 0 && !only.includes(name) && !only.includes(colorScheme)) continue;
  const { page, context, wrong } = await open(app, { viewport, colorScheme });
  const shot = async (what, fullPage = false) => {
    await page.waitForTimeout(500);
    if (fullPage) await page.setViewportSize({ width: viewport.width, height: await page.evaluate(() => Math.min(3000, document.querySelector("#main").scrollHeight + (innerWidth < 768 ? 60 : 0))) });
    await page.waitForTimeout(fullPage ? 300 : 0);
    await page.screenshot({ path: `${out}/${what}-${name}-${colorScheme}.png` });
    if (fullPage) await page.setViewportSize(viewport);
  };
  const go = async (path, text) => { await page.goto(app.url + path); await page.getByText(text).first().waitFor(); };
  for (const [path, title] of [["automations", "There is no automation yet"], ["runs", "Nothing has run yet"]]) {
    const nothing = new RegExp(`/v1/${path}\\?`);
    await page.route(nothing, (route) => route.fulfill({ status: 200, contentType: "application/json", body: '{"items":[]}' }));
    await go(`/${path}`, title);
    await shot(`${path}-empty`);
    await page.unroute(nothing);
  }
  await go("/automations", "Daily digest");
  await shot("automations");
  await page.getByRole("button", { name: /Run now.*CI failure/ }).click();
  await page.getByLabel("repository").waitFor();
  await shot("run-now");
  await page.keyboard.press("Escape");
  await go(`/automations/${ci.id}`, "What it does");
  await page.getByRole("button", { name: /Show \d+ change/ }).first().click();
  await shot("automation", true);
  await page.getByRole("button", { name: "New token" }).click();
  await shot("automation-rotate");
  await go(`/automations/${digest.id}`, "What it does");
  await shot("automation-schedule");
  await go("/automations/new", "Begin with one");
  await shot("automation-new");
  await go(`/automations/${digest.id}/edit`, "What it is");
  await page.getByText("valid", { exact: true }).waitFor();
  await shot("automation-edit", true);
  await page.getByRole("button", { name: "JSON", exact: true }).click();
  await page.waitForTimeout(800);
  await shot("automation-json");
  if (viewport === DESK) {
    await page.getByRole("button", { name: "Both" }).click();
    await page.getByRole("textbox", { name: "name" }).first().fill("");
    await page.getByText("It cannot be saved yet").waitFor();
    await shot("automation-both");
    await page.getByRole("textbox", { name: "name" }).first().fill("Daily digest");
  }
  await go("/runs", "started by a person");
  await shot("runs");
  await go(`/runs/${waiting}`, "It waits for a person");
  await shot("run");
  await go(`/runs/${denied}`, "Steps");
  await shot("run-failed", true);
  if (succeeded) {
    await go(`/runs/${succeeded}`, "Steps");
    await page.getByRole("button", { name: /What it did/ }).first().click();
    await shot("run-done", true);
  }
  if (wrong.length > 0) console.log(name, colorScheme, wrong);
  await context.close();
}
await app.stop();
process.exit(0);
