// Pictures of settings, activity, overview and the way in, light and dark, on a phone and on a desk:
// `npm run build && node tests/shots-activity.mjs DIRECTORY`. It lets the agent do a few things first.
import { mkdir } from "node:fs/promises";
import { ask, call, DESK, open, PHONE, session, start, tokens } from "./kit.mjs";

const out = process.argv[2] ?? "/tmp/webshots";
await mkdir(out, { recursive: true });

async function fill() {
  const owner = (method, path, body) => call(tokens.owner, method, path, body);
  await owner("POST", "/v1/members", { email: "mara@example.com", name: "Mara Lind", role: "admin" });
  await owner("POST", "/v1/members", { email: "tom@example.com", name: "Tom Okafor", role: "member" });
  await owner("POST", "/v1/spaces", { name: "Customer support", slug: "support", risk_band: "amber" });
  await owner("POST", "/v1/spaces", { name: "Production", slug: "prod", risk_band: "red" });
  await owner("PUT", "/v1/secrets/linear_api_key", { value: "not a real one" });
  await owner("PUT", "/v1/secrets/slack-signing-secret", { value: "not a real one" });
  if ((await owner("GET", "/v1/notifiers")).body.items.length === 0) await owner("POST", "/v1/notifiers", { kind: "slack", target: "C0GENERAL" });
  if ((await owner("GET", "/v1/webhooks")).body.items.length === 0) await owner("POST", "/v1/webhooks", { url: "https://hooks.example.com/countersign", types: ["action.*"] });
  const invoke = (action, params, more = {}) => call(tokens.agent, "POST", `/v1/sessions/${session}/actions/invoke`, { action, params, ...more });
  const issue = await ask("linear.create_issue", { team_id: "team-1", title: "Login fails with SSO", description: "Since 14:02 every SSO login ends in a 500.\nSeen by three customers." });
  await owner("POST", `/v1/invocations/${issue.id}/approve?wait=20s`, { shown_digest: issue.shown_digest, note: "support has seen it too" });
  const message = await ask("slack.send_message", { channel: "C0GENERAL", text: "Deploy of gateway 2.4 is done." });
  await owner("POST", `/v1/invocations/${message.id}/deny`, { shown_digest: message.shown_digest, reason: "not before the release" });
  for (const [action, params] of [["linear.list_issues", {}], ["linear.get_issue", { issue: "ENG-1" }], ["slack.list_channels", {}], ["linear.get_issue", { issue: "ENG-404" }]]) await invoke(action, params);
  await invoke("slack.send_message", { channel: "C0GENERAL", text: "use AKIAIOSFODNN7EXAMPLE" });
  await invoke("linear.create_issue", { team_id: "team-1", title: "What would happen?" }, { dry_run: true });
  await ask("slack.send_message", { channel: "C0GENERAL", text: "Rollback until 18:00?" });
  return { done: issue.id, denied: message.id };
}

const app = await start();
const { done, denied } = await fill();
for (const [name, viewport, colorScheme] of [["phone", PHONE, "light"], ["phone", PHONE, "dark"], ["desk", DESK, "light"], ["desk", DESK, "dark"]]) {
  const { page, context, wrong } = await open(app, { viewport, colorScheme });
  const shot = async (what) => { await page.waitForTimeout(500); await page.screenshot({ path: `${out}/${what}-${name}-${colorScheme}.png` }); };
  const at = async (path, what) => {
    await page.goto(app.url + path);
    await page.getByRole("heading").first().waitFor();
    await page.waitForLoadState("domcontentloaded");
    await page.waitForTimeout(700);
    await shot(what);
  };
  await at("/activity", "activity");
  await at("/activity?q=nothing+is+called+so", "activity-none");
  await at(`/activity/${denied}`, "invocation-denied");
  await at(`/activity/${done}`, "invocation");
  await page.getByRole("button", { name: "Verify", exact: true }).click();
  await page.getByRole("status", { name: "Verification" }).scrollIntoViewIfNeeded();
  await shot("invocation-verified");
  await at("/overview?range=24h", "overview");
  await at("/settings", "settings");
  for (const part of ["members", "tokens", "secrets", "spaces", "notifications", "webhooks", "org"]) await at(`/settings/${part}`, `settings-${part}`);
  await page.goto(`${app.url}/settings/tokens`);
  await page.getByRole("button", { name: "Make a token" }).click();
  await page.getByLabel("What it is for").fill("CI");
  await shot("settings-make-token");
  await context.close();
  if (wrong.length > 0) console.log(name, colorScheme, wrong);
}
await app.stop();
process.exit(0);
