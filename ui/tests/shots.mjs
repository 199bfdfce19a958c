// Pictures of every page, light and dark, on a phone and on a desk: `npm run build && npm run shots -- DIRECTORY [phone|desk|light|dark|page …]`.
// It fills the gateway first (shots-seed.mjs), so give it one of its own.
import { mkdir, writeFile } from "node:fs/promises";
import { DESK, open, PHONE, start } from "./kit.mjs";
import { packed } from "./shots-png.mjs";
import { owner, seed } from "./shots-seed.mjs";

const [out = "/tmp/webshots", ...only] = process.argv.slice(2);
const VIEWS = [["phone", PHONE, "light"], ["phone", PHONE, "dark"], ["desk", DESK, "light"], ["desk", DESK, "dark"]];
const SETTINGS = ["members", "tokens", "secrets", "spaces", "notifications", "webhooks", "org"];

/** Each page by the name of its picture. A function gets the helpers and takes what it comes by. */
const PAGES = {
  inbox: async ({ go, shot }) => { await go("/inbox", "alike"); await shot("inbox"); },
  item: async ({ go, shot, made }) => { await go(`/inbox/${made.first}`, "Why a person is asked"); await shot("item"); },
  approve: async ({ go, shot, page, made }) => {
    await go(`/inbox/${made.first}`, "Why a person is asked");
    await page.getByRole("button", { name: "Approve once" }).click();
    await page.getByRole("dialog").waitFor();
    await shot("approve");
  },
  together: async ({ go, shot, page }) => {
    await go("/inbox", "alike");
    await page.getByText(/\d alike/).first().click();
    await page.getByRole("button", { name: /^Approve \d once …/ }).click({ delay: 50 });
    await page.getByRole("dialog").waitFor();
    await shot("together");
  },
  "grant-request": async ({ go, shot }) => {
    const asked = (await owner("GET", "/v1/inbox?limit=100")).items.find((each) => each.kind === "grant_request");
    await go(`/inbox/${asked.id}`, "Give the grant");
    await shot("grant-request");
  },
  unknown: async ({ go, shot, made }) => {
    if (made.unknown === null) return console.log("no picture of an unknown outcome: FAKES_PID is not set");
    await go(`/inbox/${made.unknown}`, "Nobody knows whether it happened");
    await shot("unknown");
  },
  activity: async ({ go, shot }) => { await go("/activity", "linear.create_issue"); await shot("activity"); },
  invocation: async ({ go, shot, made }) => { await go(`/activity/${made.done}`, "Verify"); await shot("invocation"); },
  receipt: async ({ go, shot, page, made }) => {
    await go(`/activity/${made.done}`, "Verify");
    await page.getByRole("button", { name: "Verify", exact: true }).click();
    const said = page.getByRole("status", { name: "Verification" });
    await said.waitFor();
    await said.evaluate((element) => element.scrollIntoView({ block: "center" }));
    await shot("receipt");
  },
  catalog: async ({ go, shot }) => { await go("/catalog", "linear"); await shot("catalog"); },
  source: async ({ go, shot }) => { await go("/catalog/linear", "create_issue"); await shot("source"); },
  connect,
  drift: async ({ go, shot }) => { await go("/catalog/handbook#review", "description"); await shot("drift"); },
  policy: async ({ go, shot }) => { await go("/policy", "allowed"); await shot("policy"); },
  "policy-cell": async ({ go, shot, page }) => {
    await go("/policy?space=production", "allowed");
    await page.getByLabel("Search the matrix").fill("github");
    await page.getByRole("button", { name: /merge_pull_request/ }).click();
    await page.getByRole("dialog").waitFor();
    await shot("policy-cell");
  },
  rules: async ({ go, shot }) => { await go("/policy#rules", "set by"); await shot("rules"); },
  grants: async ({ go, shot }) => { await go("/policy#grants", "Active"); await shot("grants"); },
  automations: async ({ go, shot }) => { await go("/automations", "Daily digest"); await shot("automations"); },
  automation: async ({ go, shot, made }) => { await go(`/automations/${made.runs.ci}`, "What it does"); await shot("automation"); },
  edit: async ({ go, shot, page, made }) => {
    await go(`/automations/${made.runs.digest}/edit`, "What it is");
    await page.getByText("valid", { exact: true }).waitFor();
    await shot("edit");
    await page.getByRole("button", { name: "JSON", exact: true }).click();
    await page.waitForTimeout(800);
    await shot("edit-json");
  },
  runs: async ({ go, shot }) => { await go("/runs", "started by a person"); await shot("runs"); },
  run: async ({ go, shot, made }) => { await go(`/runs/${made.runs.done}`, "Steps"); await shot("run"); },
  "run-waiting": async ({ go, shot, made }) => { await go(`/runs/${made.runs.waiting}`, "It waits for a person"); await shot("run-waiting"); },
  overview: async ({ go, shot }) => { await go("/overview?range=24h", "Invocations by outcome"); await shot("overview"); },
  ...Object.fromEntries(SETTINGS.map((part) => [`settings-${part}`, async ({ go, shot }) => { await go(`/settings/${part}`); await shot(`settings-${part}`); }])),
};

/** The wizard: how it proves itself, and what it found. What it connects is removed again. */
async function connect({ go, shot, page, made }) {
  await go("/catalog/connect", "An integration");
  await shot("connect");
  await page.getByLabel("Address of the MCP server").fill(made.wiki.url);
  await page.getByLabel("Name of the source").fill("wiki");
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("radio", { name: /bearer/ }).check();
  await page.getByLabel("Value", { exact: true }).fill("sesame");
  await page.getByRole("button", { name: "Connect and check" }).click();
  await page.getByText("It answers").waitFor();
  await page.getByRole("button", { name: "Review the tools" }).click();
  await page.getByLabel("Choose all").waitFor();
  await shot("connect-review");
  await owner("DELETE", "/v1/connectors/wiki");
  await owner("DELETE", "/v1/secrets/wiki-token");
}

async function signIn(app, viewport, colorScheme, take) {
  const { page, context } = await open(app, { viewport, colorScheme, signedIn: false });
  await page.goto(app.url);
  await page.getByLabel("Your token").waitFor();
  await take(page, "sign-in");
  await context.close();
}

const wants = (name) => only.filter((each) => each in PAGES || each === "sign-in").length === 0 || only.includes(name);
const isLeftOut = (...words) => words.some((word, at) => { const same = only.filter((each) => (at === 0 ? /^(phone|desk)$/ : /^(light|dark)$/).test(each)); return same.length > 0 && !same.includes(word); });

await mkdir(out, { recursive: true });
const made = await seed();
const app = await start();
for (const [name, viewport, colorScheme] of VIEWS) {
  if (isLeftOut(name, colorScheme)) continue;
  const take = async (page, what) => {
    // What moves in or is looked up has come; nothing is under the pointer.
    await page.mouse.move(0, 0);
    await page.waitForTimeout(600);
    await writeFile(`${out}/${what}-${name}-${colorScheme}.png`, packed(await page.screenshot({ scale: "css" })));
  };
  if (wants("sign-in")) await signIn(app, viewport, colorScheme, take);
  const { page, context, wrong } = await open(app, { viewport, colorScheme });
  const go = async (path, text) => {
    await page.goto(app.url + path);
    await page.getByRole("heading").first().waitFor();
    if (text !== undefined) await page.getByText(text).first().waitFor();
    await page.getByText(/^Fetching .* …$/).first().waitFor({ state: "detached" });
  };
  for (const [what, draw] of Object.entries(PAGES)) {
    if (!wants(what)) continue;
    await draw({ go, shot: (said) => take(page, said), page, made }).catch((error) => { console.log(`${what} ${name} ${colorScheme}: ${error.message.split("\n").slice(0, 4).join(" ")}`); process.exitCode = 1; });
  }
  await context.request.delete(`${app.url}/v1/signin`, { headers: { "x-countersign-web": "1" } });
  await context.close();
  if (wrong.length > 0) console.log(name, colorScheme, wrong);
}
await app.stop();
await made.stop();
process.exit();
