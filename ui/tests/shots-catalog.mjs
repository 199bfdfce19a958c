// Pictures of the catalog and policy pages, light and dark, on a phone and on a desk:
// `npm run build && node tests/shots-catalog.mjs DIRECTORY`. It connects a server, changes it, and sets rules and grants first.
import { mkdir } from "node:fs/promises";
import { call, DESK, open, PHONE, session, start, tokens } from "./kit.mjs";
import { mcpServer, SEARCH, SEND, SEND_CHANGED, WIPE } from "./mcp-server.mjs";

const out = process.argv[2] ?? "/tmp/webshots";
await mkdir(out, { recursive: true });
const owner = (method, path, body) => call(tokens.owner, method, path, body);

const server = await mcpServer([SEARCH, SEND]);
const wiki = await mcpServer([SEARCH, SEND, WIPE], { token: "sesame" });
async function fill() {
  await owner("DELETE", "/v1/connectors/handbook");
  await owner("POST", "/v1/connectors", { source: "handbook", kind: "mcp", place: server.url });
  for (const tool of (await owner("GET", "/v1/connectors/handbook")).body.tools) {
    const risk = tool.tool === "search" ? "R1" : "R2";
    const { shape_hash, text_hash } = tool;
    await owner("POST", "/v1/connectors/handbook/review", { tool: tool.tool, shape_hash, text_hash, verdict: "accept", risk, effect: risk === "R1" ? "read" : "once" });
  }
  server.state.tools = [SEARCH, SEND_CHANGED, WIPE];
  await owner("POST", "/v1/connectors/handbook/harvest");
  const spaces = (await owner("GET", "/v1/spaces")).body.items;
  for (const [slug, name, risk_band] of [["production", "Production", "red"], ["research", "Research", "amber"]]) {
    if (!spaces.some((space) => space.slug === slug)) await owner("POST", "/v1/spaces", { slug, name, risk_band });
  }
  await owner("PUT", "/v1/rules", { action: "linear.add_comment", mode: "allow", reason: "Comments are cheap, and everybody sees them." });
  await owner("PUT", "/v1/rules", { action: "sentry.*", mode: "require_approval", reason: "Until the trial is over." });
  await owner("PUT", "/v1/rules", { action: "slack.send_message", mode: "deny", reason: "Agents do not speak to customers." });
  const grants = (await owner("GET", "/v1/grants")).body.items;
  if (!grants.some((grant) => grant.state === "active")) {
    await owner("POST", "/v1/grants", { action: "linear.create_issue", session, max_calls: 25, lifetime_s: 86_400, reason: "the triage of this morning" });
    const { body } = await owner("POST", "/v1/grants", { action: "github.comment", max_calls: 100, lifetime_s: 604_800, reason: "release notes" });
    await owner("DELETE", `/v1/grants/${body.id}`);
    await call(tokens.agent, "POST", `/v1/sessions/${session}/actions/invoke`, { action: "linear.create_issue", params: { team_id: "team-1", title: "By a grant" } });
  }
}

await fill();
const app = await start();
for (const [name, viewport, colorScheme] of [["phone", PHONE, "light"], ["phone", PHONE, "dark"], ["desk", DESK, "light"], ["desk", DESK, "dark"]]) {
  const { page, context, wrong } = await open(app, { viewport, colorScheme });
  const shot = async (what) => { await page.waitForTimeout(300); await page.screenshot({ path: `${out}/${what}-${name}-${colorScheme}.png` }); };
  const go = async (path, text) => { await page.goto(app.url + path); await page.getByText(text).first().waitFor(); };
  await go("/catalog", "linear");
  await shot("catalog");
  await page.getByLabel("Search actions").fill("issue");
  await page.getByText("linear.create_issue").first().waitFor();
  await shot("catalog-search");
  await go("/catalog/linear", "create_issue");
  await shot("source");
  await page.getByText("create_issue").first().click();
  await shot("source-action");
  await go("/catalog/handbook", "To review");
  await shot("source-connector");
  await go("/catalog/handbook#review", "description");
  await shot("drift");
  await go("/catalog/connect", "An integration");
  await shot("connect");
  await owner("DELETE", "/v1/connectors/wiki");
  await owner("DELETE", "/v1/secrets/wiki-token");
  await page.getByLabel("Address of the MCP server").fill(wiki.url);
  await page.getByLabel("Name of the source").fill("wiki");
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("radio", { name: /bearer/ }).check();
  await page.getByLabel("Value", { exact: true }).fill("not it");
  await shot("connect-proof");
  await page.getByRole("button", { name: "Connect and check" }).click();
  await page.getByText("could not be asked").waitFor();
  await shot("connect-problem");
  await page.getByRole("button", { name: "Correct the proof" }).click();
  await page.getByLabel("New value, if it should change").fill("sesame");
  await page.getByRole("button", { name: "Connect and check" }).click();
  await page.getByText("It answers").waitFor();
  await shot("connect-answers");
  await page.getByRole("button", { name: "Review the tools" }).click();
  await page.getByLabel("Choose all").waitFor();
  await shot("connect-review");
  await page.getByLabel("Choose all").check();
  await page.getByRole("button", { name: "Accept chosen" }).click();
  await page.getByText("Everything is reviewed").waitFor();
  await page.getByRole("button", { name: "Go on" }).click();
  await page.getByRole("list", { name: "What agents can ask for" }).waitFor();
  await shot("connect-done");
  await owner("DELETE", "/v1/connectors/wiki");
  await go("/policy", "allowed");
  await shot("policy");
  await page.getByLabel("Space").selectOption("production");
  await page.getByRole("button", { name: /merge_pull_request/ }).click();
  await shot("policy-cell");
  await page.keyboard.press("Escape");
  await page.getByLabel("Space").selectOption("main");
  await page.getByRole("button", { name: /create_issue/ }).first().click();
  await page.getByRole("button", { name: "Set a rule" }).click();
  await page.getByLabel("The rule is for").selectOption({ index: 1 });
  await page.waitForTimeout(300);
  await shot("policy-rule");
  await go("/policy#rules", "set by");
  await shot("policy-rules");
  await go("/policy#grants", "Active");
  await shot("policy-grants");
  await page.getByRole("button", { name: "Give a grant" }).click();
  await shot("policy-give");
  await go("/policy#bands", "What a band does");
  await page.getByLabel("Band of Main").selectOption("black");
  await page.getByText("would be decided differently").waitFor();
  await shot("policy-band");
  await context.close();
  if (wrong.length > 0) console.log(name, colorScheme, wrong);
}
await app.stop();
await Promise.all([server.stop(), wiki.stop()]);
process.exit(0);
