// Pictures of the pages, light and dark, on a phone and on a desk: `npm run build && npm run shots -- DIRECTORY`.
// It fills the inbox first, and starts the example automations.
import { mkdir, readFile, readdir } from "node:fs/promises";
import { ask, call, clear, DESK, open, PHONE, session, start, tokens } from "./kit.mjs";

const out = process.argv[2] ?? "/tmp/webshots";
await mkdir(out, { recursive: true });
const examples = new URL("../../examples/automations/", import.meta.url);

async function fill() {
  await clear();
  const first = await ask("linear.create_issue", {
    team_id: "team-1", title: "Login fails with SSO", priority: 2,
    description: "Since 14:02 every SSO login ends in a 500.\nSeen by three customers.",
  });
  await ask("slack.send_message", { channel: "C0GENERAL", text: "Deploy of gateway 2.4 is done. Rollback until 18:00." });
  await ask("files.write_text", { path: "notes/summary.md", text: "# Summary\n\n- three issues closed\n- one open" }).catch((e) => console.log(e.message));
  await ask("linear.update_issue", { issue: "ENG-1", title: "Login fails with SSO for раураl users" }).catch((e) => console.log(e.message));
  const asked = await call(tokens.agent, "POST", `/v1/sessions/${session}/grants/request`, {
    action: "linear.add_comment", max_calls: 20, lifetime_s: 7200, reason: "I comment on each of the issues I triage; there are about twenty.",
  });
  return { first, asked };
}

async function automate() {
  const known = (await call(tokens.owner, "GET", "/v1/automations")).body.items;
  const space = (await call(tokens.owner, "GET", "/v1/spaces")).body.items[0];
  for (const name of (await readdir(examples)).filter((each) => each.endsWith(".json"))) {
    const definition = JSON.parse(await readFile(new URL(name, examples), "utf8"));
    if (known.some((each) => each.name === definition.name)) continue;
    const made = await call(tokens.owner, "POST", "/v1/automations", { definition, space: space.id });
    if (made.status !== 201) console.log(name, JSON.stringify(made.body).slice(0, 300));
  }
  const all = (await call(tokens.owner, "GET", "/v1/automations")).body.items;
  const ci = all.find((each) => each.name === "CI failure");
  if (ci === undefined) return null;
  const inputs = { repository: "shop", branch: "main", commit: "4f2a91c77e", log: "https://ci.example/builds/881" };
  const begun = await call(tokens.owner, "POST", `/v1/automations/${ci.id}/runs`, { inputs });
  if (begun.status !== 202) console.log(JSON.stringify(begun.body).slice(0, 300));
  return begun.body?.id ?? null;
}

const app = await start();
const { first, asked } = await fill();
const run = await automate();
await new Promise((done) => setTimeout(done, 2_000));
const views = [
  ["phone", PHONE, "light"], ["phone", PHONE, "dark"], ["desk", DESK, "light"], ["desk", DESK, "dark"],
];
for (const [name, viewport, colorScheme] of views) {
  const { page, context, wrong } = await open(app, { viewport, colorScheme });
  const shot = async (what) => { await page.waitForTimeout(400); await page.screenshot({ path: `${out}/${what}-${name}-${colorScheme}.png` }); };
  await page.goto(`${app.url}/inbox`);
  await page.getByText("linear.create_issue").first().waitFor();
  await shot("inbox");
  await page.goto(`${app.url}/inbox/${first.id}`);
  await page.getByText("Why a person is asked").waitFor();
  await shot("item");
  await page.getByRole("button", { name: "Approve once" }).click();
  await shot("approve");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Deny" }).click();
  await shot("deny");
  await page.keyboard.press("Escape");
  if (asked.body?.id) {
    await page.goto(`${app.url}/inbox/${asked.body.id}`);
    await shot("grant-request");
  }
  await page.goto(`${app.url}/automations`);
  await page.getByRole("list", { name: "Automations" }).waitFor();
  await shot("automations");
  await page.goto(`${app.url}/runs`);
  await shot("runs");
  if (run !== null) {
    await page.goto(`${app.url}/runs/${run}`);
    await page.getByText("Steps", { exact: true }).waitFor();
    await shot("run");
  }
  await page.goto(`${app.url}/activity`);
  await shot("later");
  await page.keyboard.press("Control+k");
  await shot("palette");
  await context.close();
  const signIn = await open(app, { viewport, colorScheme, signedIn: false });
  await signIn.page.goto(app.url);
  await signIn.page.getByLabel("Your token").waitFor();
  await signIn.page.screenshot({ path: `${out}/sign-in-${name}-${colorScheme}.png` });
  await signIn.context.close();
  if (wrong.length > 0) console.log(name, colorScheme, wrong);
}
await app.stop();
process.exit(0);
