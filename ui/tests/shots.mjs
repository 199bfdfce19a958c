// Pictures of every page, light and dark, on a phone and on a desk: `npm run build && npm run shots -- DIRECTORY
// [phone|desk|light|dark|page …]`.
// It fills the gateway first (shots-seed.mjs), so give it one of its own.
import { mkdir, writeFile } from "node:fs/promises";
import { propose, withSecondOwner } from "./journeys-loosening.mjs";
import { sendNotice } from "./journeys-notices.mjs";
import { CHANGE, patching, proposing, sayInWords, WISH, written } from "./journeys-words.mjs";
import { call, DESK, open, PHONE, start } from "./kit.mjs";
import { freshOwner } from "./people.mjs";
import { packed } from "./shots-png.mjs";
import { owner, seed } from "./shots-seed.mjs";

const [out = "/tmp/webshots", ...only] = process.argv.slice(2);
const VIEWS = [
  ["phone", PHONE, "light"],
  ["phone", PHONE, "dark"],
  ["desk", DESK, "light"],
  ["desk", DESK, "dark"],
];
const SETTINGS = ["members", "passkeys", "tokens", "secrets", "spaces", "notifications", "webhooks", "org"];

/** The first item of the inbox like that. */
const item = async (isLike) => (await owner("GET", "/v1/inbox?limit=100")).items.find(isLike);

/** Each page by the name of its picture. A function gets the helpers and takes what it comes by. */
const PAGES = {
  inbox: async ({ go, shot }) => {
    await go("/inbox", "similar");
    await shot("inbox");
  },
  item: async ({ go, shot, made }) => {
    await go(`/inbox/${made.first}`, "Why approval is needed");
    await shot("item");
  },
  "asked-by-policy": async ({ go, shot, page, made }) => {
    await go(`/inbox/${made.capped}`, "triage-budget");
    await page.getByRole("list", { name: "Facts" }).scrollIntoViewIfNeeded();
    await shot("asked-by-policy");
  },
  approve: async ({ go, shot, page, made }) => {
    await go(`/inbox/${made.first}`, "Why approval is needed");
    await page.getByRole("button", { name: "Approve once" }).click();
    await page.getByRole("dialog").waitFor();
    await shot("approve");
  },
  "edit-params": async ({ go, shot, page, made }) => {
    await go(`/inbox/${made.first}`, "Why approval is needed");
    await page.getByRole("button", { name: "Edit parameters" }).click();
    await page.getByRole("form", { name: "Edit parameters" }).waitFor();
    await shot("edit-params");
  },
  always: async ({ go, shot, page }) => {
    const found = await item(
      (each) => each.kind === "approval" && each.only_once == null && each.invocation.action === "linear.create_issue",
    );
    await go(`/inbox/${found.invocation.id}`, "Why approval is needed");
    await page.keyboard.press("Shift+A");
    await page
      .getByRole("dialog")
      .getByText(/^From now on/)
      .waitFor();
    await shot("always");
  },
  quarantined: async ({ go, shot }) => {
    const found = await item(({ kind }) => kind === "quarantined");
    await go(`/inbox/${found.invocation.id}`, "This request is quarantined");
    await shot("quarantined");
  },
  proposed: async ({ go, shot }) => {
    await withSecondOwner(async (second) => {
      const { id } = await propose(second.token, "Triage moves issues all day");
      await go(`/inbox/${id}`, "What it loosens");
      await shot("proposed");
    });
  },
  bulk: async ({ go, shot, page }) => {
    await go("/inbox", "similar");
    await page
      .getByText(/\d similar/)
      .first()
      .click();
    await page.getByRole("button", { name: /^Approve \d …/ }).click({ delay: 50 });
    await page.getByRole("dialog").waitFor();
    await shot("bulk");
  },
  "grant-request": async ({ go, shot }) => {
    const request = await item(({ kind }) => kind === "grant_request");
    await go(`/inbox/${request.id}`, "Approve grant");
    await shot("grant-request");
  },
  unknown: async ({ go, shot, made }) => {
    if (made.unknown === null) return console.log("no picture of an unknown outcome: FAKES_PID is not set");
    await go(`/inbox/${made.unknown}`, "The outcome is unknown");
    await shot("unknown");
  },
  notices: async ({ go, shot, page }) => {
    await go("/overview?range=24h", "Invocations by outcome");
    await page.getByRole("button", { name: /^Notices/ }).click();
    await page.getByText("Backup failed").waitFor();
    await shot("notices");
  },
  activity: async ({ go, shot }) => {
    await go("/activity", "linear.create_issue");
    await shot("activity");
  },
  invocation: async ({ go, shot, made }) => {
    await go(`/activity/${made.done}`, "Verify");
    await shot("invocation");
  },
  receipt: async ({ go, shot, page, made }) => {
    await go(`/activity/${made.done}`, "Verify");
    await page.getByRole("button", { name: "Verify", exact: true }).click();
    const result = page.getByRole("status", { name: "Verification" });
    await result.waitFor();
    await result.evaluate((element) => element.scrollIntoView({ block: "center" }));
    await shot("receipt");
  },
  changes: async ({ go, shot }) => {
    await go("/activity/changes", "Changes");
    await shot("changes");
  },
  change: async ({ go, shot, page }) => {
    const [{ id }] = (await owner("GET", "/v1/changes?change=rule.set&limit=1")).items;
    await go(`/activity/changes/${id}`, "Verify");
    await page.getByRole("button", { name: "Verify", exact: true }).click();
    await page.getByRole("status", { name: "Verification" }).waitFor();
    await shot("change");
  },
  agents: async ({ go, shot }) => {
    await go("/agents", "support-triage");
    await shot("agents");
  },
  agent: async ({ go, shot }) => {
    await go("/agents/support-triage", "What it did");
    await shot("agent");
  },
  stop: async ({ go, shot, page }) => {
    await go("/agents", "support-triage");
    await page.getByRole("button", { name: "Stop agent support-triage" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "It repeats itself" }).click();
    await shot("stop");
  },
  stopped: async ({ go, shot, page }) => {
    const conduct = (to, reason) =>
      owner("PUT", "/v1/conduct", { scope: "agent", subject: "support-triage", conduct: to, reason });
    await conduct("halted", "It repeats itself");
    try {
      await go("/agents", "support-triage");
      await page.getByRole("region", { name: "Stopped", exact: true }).waitFor();
      await shot("stopped");
    } finally {
      await conduct("normal", "Fixed");
    }
  },
  catalog: async ({ go, shot }) => {
    await go("/catalog", "linear");
    await shot("catalog");
  },
  source: async ({ go, shot }) => {
    await go("/catalog/linear", "create_issue");
    await shot("source");
  },
  connect,
  drift: async ({ go, shot }) => {
    await go("/catalog/handbook#review", "description");
    await shot("drift");
  },
  models: async ({ go, shot }) => {
    await go("/models", "claude-sonnet-5-5");
    await shot("models");
  },
  "model-add": async ({ go, shot, page }) => {
    await go("/models/add", "Anthropic");
    await page.getByRole("radio", { name: /^Anthropic/ }).check();
    await page.getByLabel("Model name").fill("claude-sonnet-5-5");
    await shot("model-add");
  },
  policy: async ({ go, shot }) => {
    await go("/policy", "allowed");
    await shot("policy");
  },
  "policy-cell": async ({ go, shot, page }) => {
    await go("/policy?space=production", "allowed");
    await page.getByLabel("Search the matrix").fill("github");
    await page.getByRole("button", { name: /merge_pull_request/ }).click();
    await page.getByRole("dialog").waitFor();
    await shot("policy-cell");
  },
  rules: async ({ go, shot }) => {
    await go("/policy#rules", "Set by");
    await shot("rules");
  },
  grants: async ({ go, shot }) => {
    await go("/policy#grants", "Active");
    await shot("grants");
  },
  bands: async ({ go, shot }) => {
    await go("/policy#bands", "For work where");
    await shot("bands");
  },
  policies: async ({ go, shot }) => {
    await go("/policy#policies", "triage-budget");
    await shot("policies");
  },
  "policy-editor": async ({ go, shot, page }) => {
    await go("/policy/policies/triage-budget", "Coverage");
    await page.getByText("all 4 cases pass").waitFor();
    await shot("policy-editor");
  },
  facts: async ({ go, shot }) => {
    await go("/policy#facts", "triage_points");
    await shot("facts");
  },
  cases: async ({ go, shot }) => {
    await go("/policy#cases", "All 4 cases pass");
    await shot("cases");
  },
  backtest: async ({ go, shot, page }) => {
    await go("/policy#backtest", "Change to test");
    await page.getByLabel("Change to test").selectOption({ label: "Set a rule" });
    await page.getByLabel("Action").fill("linear.create_issue");
    await page.getByRole("button", { name: "Run backtest" }).click();
    await page.getByText(/^In the last 30 days/).waitFor();
    await shot("backtest");
  },
  observing: async ({ go, shot }) => {
    await go("/policy#observing", "no-announcements");
    await shot("observing");
  },
  starters: async ({ go, shot }) => {
    await go("/policy/starters", "Ask after many messages");
    await shot("starters");
    await go("/policy/starters/message-rate", "Messages without a question");
    await shot("starter");
  },
  suggestions: async ({ go, shot, page }) => {
    await go("/policy#suggestions", "Open a suggestion");
    await page.getByRole("button", { name: /^Open/ }).first().click();
    await page.getByText(/^In the last 30 days/).waitFor();
    await shot("suggestions");
  },
  gates: async ({ go, shot }) => {
    await go("/policy#gates", "form on the website");
    await shot("gates");
  },
  "new-automation": async ({ go, shot }) => {
    await go("/automations/new", "Daily digest");
    await shot("new-automation");
  },
  automations: async ({ go, shot }) => {
    await go("/automations", "Daily digest");
    await shot("automations");
  },
  automation: async ({ go, shot, made }) => {
    await go(`/automations/${made.runs.ci}`, "Steps");
    await shot("automation");
  },
  edit: async ({ go, shot, page, made }) => {
    await go(`/automations/${made.runs.digest}/edit`, "General");
    await page.getByText("valid", { exact: true }).waitFor();
    await shot("edit");
    await page.getByRole("button", { name: "JSON", exact: true }).click();
    await page.waitForTimeout(800);
    await shot("edit-json");
  },
  runs: async ({ go, shot }) => {
    await go("/runs", "started manually");
    await shot("runs");
  },
  run: async ({ go, shot, made }) => {
    await go(`/runs/${made.runs.done}`, "Steps");
    await shot("run");
  },
  "agent-step": async ({ go, shot, page, made }) => {
    await go(`/runs/${made.runs.agent}`, "Steps");
    await page.getByRole("button", { name: /^sort.*Details/ }).click();
    await page.getByRole("list", { name: "Turns" }).waitFor();
    await shot("agent-step");
    await page.getByRole("button", { name: /^Transcript/ }).click();
    await page.getByRole("dialog").getByText("Turn 2").waitFor();
    await shot("transcript");
  },
  words: async ({ go, shot, page, made }) => {
    await go("/automations/new", "Describe it in words");
    await page.getByRole("button", { name: "Describe it in words" }).click();
    made.capable.state.script = proposing(written("Still to do"));
    await sayInWords(page, WISH);
    await page.getByText("valid", { exact: true }).waitFor();
    await page.getByRole("region", { name: "Worth checking" }).waitFor();
    await showAnswer(page);
    await shot("words");
    await discard(page);
  },
  "words-change": async ({ go, shot, page, made }) => {
    await go(`/automations/${made.runs.digest}/edit`, "Change in words");
    await page.getByText("valid", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Change in words" }).click();
    made.capable.state.script = [patching()];
    await sayInWords(page, CHANGE);
    await page.getByRole("region", { name: "Unsaved differences" }).waitFor();
    await page.getByText("valid", { exact: true }).waitFor();
    await showAnswer(page);
    await shot("words-change");
    await discard(page);
  },
  flows: async ({ go, shot, page, made }) => {
    await go(`/automations/${made.runs.digest}`, "Data flows");
    await page.getByRole("list", { name: "Data flows" }).evaluate((list) => list.scrollIntoView({ block: "center" }));
    await shot("flows");
  },
  "flow-approval": async ({ go, shot, page, made }) => {
    await go(`/inbox/${made.flow}`, "Where the data goes");
    await page
      .getByRole("heading", { name: "Where the data goes" })
      .evaluate((heading) => heading.closest("section").scrollIntoView({ block: "center" }));
    await shot("flow-approval");
  },
  "flow-report": async ({ go, shot }) => {
    await go("/policy#flows", "Held by flows alone");
    await shot("flow-report");
  },
  "run-waiting": async ({ go, shot, made }) => {
    await go(`/runs/${made.runs.waiting}`, "Waiting for approval");
    await shot("run-waiting");
  },
  overview: async ({ go, shot }) => {
    await go("/overview?range=24h", "Invocations by outcome");
    await shot("overview");
  },
  ...Object.fromEntries(
    SETTINGS.map((part) => [
      `settings-${part}`,
      async ({ go, shot }) => {
        await go(`/settings/${part}`);
        await shot(`settings-${part}`);
      },
    ]),
  ),
};

/** The wizard: how it proves itself, and what it found. What it connects is removed again. */
async function connect({ go, shot, page, made }) {
  await go("/catalog/connect", "Integration");
  await shot("connect");
  await page.getByLabel("URL of the MCP server").fill(made.wiki.url);
  await page.getByLabel("Source name").fill("wiki");
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("radio", { name: /Bearer token/ }).check();
  await page.getByLabel("Value", { exact: true }).fill("sesame");
  await page.getByRole("button", { name: "Connect and check" }).click();
  await page.getByText("Connected").waitFor();
  await page.getByRole("button", { name: "Review tools" }).click();
  await page.getByLabel("Select all").waitFor();
  await shot("connect-review");
  await owner("DELETE", "/v1/connectors/wiki");
  await owner("DELETE", "/v1/secrets/wiki-token");
}

/** On a phone, the answer of the model is below the form. */
async function showAnswer(page) {
  if (page.viewportSize().width > PHONE.width) return;
  await page
    .getByRole("region", { name: "Said by the model" })
    .evaluate((said) => said.scrollIntoView({ block: "center" }));
}

/** Leaves the editor, which asks before it lets go of what was not saved. */
async function discard(page) {
  await page.getByRole("link", { name: "Back", exact: true }).click();
  await page.getByRole("button", { name: "Discard changes" }).click();
  await page.getByRole("button", { name: "Propose" }).waitFor({ state: "detached" });
}

/** Pages for people who are not signed in. */
const OUTSIDE = {
  "sign-in": async (app, page) => {
    await page.goto(app.url);
    await page.getByLabel("Your token").waitFor();
  },
  join: async (app, page) => {
    const { body } = await call(await freshOwner(), "POST", "/v1/invitations", {
      name: "Sam Rivera",
      email: "sam@demo.example",
      role: "admin",
    });
    await page.goto(`${app.url}/join#${body.token}`);
    await page.getByRole("button", { name: "Join" }).waitFor();
  },
};

const wants = (name) => only.filter((each) => each in PAGES || each in OUTSIDE).length === 0 || only.includes(name);
const isLeftOut = (...words) =>
  words.some((word, at) => {
    const same = only.filter((each) => (at === 0 ? /^(phone|desk)$/ : /^(light|dark)$/).test(each));
    return same.length > 0 && !same.includes(word);
  });

await mkdir(out, { recursive: true });
const made = await seed();
await sendNotice({ title: "Weekly report is ready", body: "12 issues closed, 3 new.", level: "info" });
await sendNotice({ title: "Backup failed", body: "The disk of the backup server is full.", level: "critical" });
const app = await start();
for (const [name, viewport, colorScheme] of VIEWS) {
  if (isLeftOut(name, colorScheme)) continue;
  const take = async (page, what) => {
    // What moves in or is looked up has come; nothing is under the pointer.
    await page.mouse.move(0, 0);
    await page.waitForTimeout(600);
    await writeFile(`${out}/${what}-${name}-${colorScheme}.png`, packed(await page.screenshot({ scale: "css" })));
  };
  for (const [what, go] of Object.entries(OUTSIDE)) {
    if (!wants(what)) continue;
    const outside = await open(app, { viewport, colorScheme, signedIn: false });
    await go(app, outside.page);
    await take(outside.page, what);
    await outside.context.close();
  }
  const { page, context, wrong } = await open(app, { viewport, colorScheme });
  const go = async (path, text) => {
    await page.goto(app.url + path);
    await page.getByRole("heading").first().waitFor();
    if (text !== undefined) await page.getByText(text).first().waitFor();
    await page
      .getByText(/^Loading .* …$/)
      .first()
      .waitFor({ state: "detached" });
  };
  for (const [what, draw] of Object.entries(PAGES)) {
    if (!wants(what)) continue;
    await draw({ go, shot: (name) => take(page, name), page, made }).catch((error) => {
      console.log(`${what} ${name} ${colorScheme}: ${error.message.split("\n").slice(0, 4).join(" ")}`);
      process.exitCode = 1;
    });
  }
  await context.request.delete(`${app.url}/v1/signin`, { headers: { "x-countersign-web": "1" } });
  await context.close();
  if (wrong.length > 0) console.log(name, colorScheme, wrong);
}
await app.stop();
await made.stop();
process.exit();
