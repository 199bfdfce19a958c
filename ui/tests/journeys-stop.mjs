// The ways of people who stop something: an agent from a phone, everything from any page; and who may not.
import assert from "node:assert/strict";
import { LOOKS, serious } from "./axe.mjs";
import { ask, call, open, PHONE, resumeAll, session, tokens } from "./kit.mjs";
import { reader } from "./people.mjs";
import { LEFT_OUT } from "./second-gateway.mjs";

/** From opening the page until the stop is confirmed. */
const MOST_MS = 10_000;
const owner = (method, path, body) => call(tokens.owner, method, path, body);
const invoke = () =>
  call(tokens.agent, "POST", `/v1/sessions/${session}/actions/invoke`, { action: "linear.list_issues", params: {} });
const banner = (page) => page.getByRole("region", { name: "Stopped", exact: true });
const dialog = (page) => page.getByRole("dialog");

async function ownAgent() {
  return (await owner("GET", `/v1/sessions/${session}`)).body.agent;
}

async function set(scope, subject, conduct, reason) {
  const { status, body } = await owner("PUT", "/v1/conduct", { scope, subject, conduct, reason });
  assert.equal(status, 200, JSON.stringify(body));
}

async function isRefused(reason) {
  const { status, body } = await invoke();
  assert.deepEqual([status, body.code], [409, "stopped"], JSON.stringify(body));
  assert.ok(JSON.stringify(body).includes(reason), "the agent reads the reason");
}

async function works() {
  const { status, body } = await invoke();
  assert.equal(status, 200, JSON.stringify(body));
}

const isNarrow = (page) => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);

/** Taps Stop in the list, a reason and Stop again; how long that took since the page was opened. */
async function stopByTaps(app, page, agent) {
  const began = Date.now();
  await page.goto(`${app.url}/agents`);
  const stop = page.getByRole("button", { name: `Stop agent ${agent}`, exact: true });
  await stop.waitFor();
  const box = await stop.boundingBox();
  assert.ok(box.x >= 0 && box.x + box.width <= PHONE.width, "the button is reached without scrolling sideways");
  assert.ok(box.y >= 0 && box.y + box.height <= PHONE.height, "the button is reached without scrolling down");
  await stop.tap();
  await dialog(page).getByText("Nothing begins any more in sessions of agent").waitFor();
  await dialog(page).getByRole("button", { name: "It repeats itself" }).tap();
  await dialog(page).getByRole("button", { name: "Stop", exact: true }).tap();
  await banner(page).getByText("It repeats itself").waitFor();
  await dialog(page).waitFor({ state: "detached" });
  return Date.now() - began;
}

export const stopJourneys = {
  async "an agent is stopped from a phone and resumed"(app) {
    const agent = await ownAgent();
    await works();
    try {
      const { page, context, wrong } = await open(app, { viewport: PHONE });
      const took = await stopByTaps(app, page, agent);
      assert.ok(took < MOST_MS, `stopped after ${took} ms`);
      await isRefused("It repeats itself");
      await page.getByRole("list", { name: "Agents" }).getByText("stopped", { exact: true }).first().waitFor();
      assert.ok(await isNarrow(page), "nothing is wider than the phone");

      // What it did is on its page, and all of it one tap away.
      await banner(page).getByRole("link", { name: agent }).tap();
      await page.waitForURL((url) => decodeURIComponent(url.pathname) === `/agents/${agent}`);
      const latest = page.getByRole("list", { name: "Latest invocations" });
      await latest.getByText("linear.list_issues").first().waitFor();
      assert.ok(await isNarrow(page), "nothing is wider than the phone");
      await page.getByRole("link", { name: "All invocations" }).tap();
      await page.waitForURL(/\/activity\?agent=/);
      await page.getByRole("list", { name: "Invocations" }).getByText("linear.list_issues").first().waitFor();

      await banner(page)
        .getByRole("button", { name: `Resume agent ${agent}`, exact: true })
        .tap();
      await dialog(page).getByText("Approved requests that did not expire will be performed now.").waitFor();
      await dialog(page).getByText("It repeats itself").waitFor();
      await dialog(page).getByRole("button", { name: "Resume", exact: true }).tap();
      await dialog(page).getByText("A reason is required").waitFor();
      await dialog(page).getByRole("button", { name: "Fixed" }).tap();
      await dialog(page).getByRole("button", { name: "Resume", exact: true }).tap();
      await page.getByText("Resumed", { exact: true }).waitFor();
      await banner(page).waitFor({ state: "detached" });
      await works();
      return { context, wrong, note: `stopped ${took} ms after the page was opened` };
    } finally {
      await resumeAll();
    }
  },

  async "everything is stopped from any page; an approval is refused in the words of the gateway"(app) {
    try {
      const { id } = await ask("linear.create_issue", { team_id: "team-1", title: "While it is stopped" });
      const { page, context, wrong } = await open(app);
      await page.goto(`${app.url}/inbox/${id}`);
      await page.getByText("Why approval is needed").waitFor();
      await page.getByRole("button", { name: "Stop …", exact: true }).click();
      await dialog(page).getByText("Nothing begins any more in the whole organization").waitFor();
      await dialog(page).getByLabel("Reason", { exact: true }).fill("A fire drill");
      await page.keyboard.press("Enter");
      await banner(page).getByText("A fire drill").waitFor();
      await isRefused("A fire drill");
      await page.getByRole("button", { name: "Approve once" }).click();
      await dialog(page).getByRole("button", { name: "Approve once" }).click();
      const refused = page.getByRole("alert").filter({ hasText: "Your answer was not counted." });
      await refused.getByText("Stopped", { exact: true }).waitFor();
      assert.match(await refused.textContent(), /A fire drill/);
      await refused.getByRole("button", { name: "Close" }).click();

      // A second stop, set elsewhere, appears without a reload.
      await set("source", "slack", "dry_run", "Only looking");
      await page.getByText("1 thing is stopped, 1 is in a dry run").waitFor();
      await page.getByRole("button", { name: "Show all" }).click();
      await banner(page).getByText("Only looking").waitFor();
      await page.goto(`${app.url}/catalog/slack`);
      await page.getByRole("button", { name: "Resume source slack", exact: true }).first().waitFor();
      await resumeAll();
      await banner(page).waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Stop source slack", exact: true }).waitFor();
      await works();
      return { context, wrong };
    } finally {
      await resumeAll();
    }
  },

  async "a member sees what is stopped and why, and can resume nothing"(app) {
    if (!process.env.COUNTERSIGN_BIN) return LEFT_OUT;
    const { token } = await reader();
    const agent = await ownAgent();
    await works();
    try {
      await set("agent", agent, "halted", "Asked by the on-call team");
      const { page, context, wrong } = await open(app, { viewport: PHONE, signedIn: false });
      await page.goto(`${app.url}/agents`);
      await page.getByLabel("Your token").fill(token);
      await page.getByRole("button", { name: "Sign in" }).tap();
      await banner(page).getByText("Asked by the on-call team").waitFor();
      await page.getByRole("list", { name: "Agents" }).getByRole("link", { name: agent }).waitFor();
      assert.equal(await page.getByRole("button", { name: /^(Stop|Resume|Dry run)/ }).count(), 0);
      const refused = await call(token, "PUT", "/v1/conduct", {
        scope: "agent",
        subject: agent,
        conduct: "normal",
        reason: "please",
      });
      assert.equal(refused.status, 403, JSON.stringify(refused.body));
      return { context, wrong };
    } finally {
      await resumeAll();
    }
  },

  async "a session of an agent is ended on its page"(app) {
    const agent = `ends-${Date.now().toString(36)}`;
    const wanted = { agent, kind: "interactive", title: "Short", lifetime_s: 600, capabilities: ["*"] };
    const made = (await owner("POST", "/v1/sessions", wanted)).body;
    const { page, context, wrong } = await open(app);
    await page.goto(`${app.url}/agents/${agent}`);
    await page.getByText("everything that its rules and space allow").waitFor();
    const row = page.getByRole("list", { name: "Open sessions" }).getByRole("listitem").filter({ hasText: "Short" });
    await row.getByRole("button", { name: "End session" }).click();
    await dialog(page).getByRole("button", { name: "End session" }).click();
    await page.getByText("Session ended").waitFor();
    await row.waitFor({ state: "detached" });
    assert.equal((await call(made.token, "GET", "/v1/me")).status, 401, "the token ended with the session");
    return { context, wrong };
  },

  async "everybody can use the agents and the stops"(app) {
    const agent = await ownAgent();
    await works();
    let [checked, last] = [0, null];
    try {
      for (const look of LOOKS) {
        await resumeAll();
        const { page, context, wrong } = await open(app, look);
        const check = async (what) => {
          await page.waitForTimeout(400);
          assert.deepEqual(
            (await serious(page)).map((each) => [what, look.colorScheme, ...each]),
            [],
          );
          checked += 1;
        };
        await page.goto(`${app.url}/agents`);
        await page.getByRole("button", { name: `Stop agent ${agent}`, exact: true }).click();
        await dialog(page).waitFor();
        await check("the dialog to stop");
        await page.keyboard.press("Escape");
        await set("agent", agent, "halted", "Looked at");
        await set("source", "slack", "dry_run", "Looked at too");
        await page.getByRole("button", { name: "Show all" }).click();
        await check("the agents");
        await page.goto(`${app.url}/agents/${encodeURIComponent(agent)}`);
        await page.getByRole("list", { name: "Latest invocations" }).waitFor();
        await check("an agent");
        await page
          .getByRole("button", { name: `Resume agent ${agent}`, exact: true })
          .first()
          .click();
        await dialog(page).waitFor();
        await check("the dialog to resume");
        if (last !== null) await last.context.close();
        last = { context, wrong };
      }
    } finally {
      await resumeAll();
    }
    return { ...last, note: `${checked} pages without a serious finding` };
  },
};
