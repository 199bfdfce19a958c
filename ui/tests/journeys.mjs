// The ways people go, in a real browser against a real gateway: `npm run build && npm run journeys`.
import assert from "node:assert/strict";
import { activityJourneys } from "./journeys-activity.mjs";
import { agentJourneys } from "./journeys-agents.mjs";
import { automations } from "./journeys-automations.mjs";
import { catalogJourneys } from "./journeys-catalog.mjs";
import { changeJourneys } from "./journeys-changes.mjs";
import { conditionJourneys } from "./journeys-conditions.mjs";
import { editJourneys } from "./journeys-edit.mjs";
import { flowJourneys } from "./journeys-flows.mjs";
import { inboxJourneys } from "./journeys-inbox.mjs";
import { looseningJourneys } from "./journeys-loosening.mjs";
import { modelJourneys } from "./journeys-models.mjs";
import { noticeJourneys } from "./journeys-notices.mjs";
import { passkeyJourneys } from "./journeys-passkeys.mjs";
import { peopleJourneys } from "./journeys-people.mjs";
import { policyJourneys } from "./journeys-policies.mjs";
import { quarantineJourneys } from "./journeys-quarantine.mjs";
import { everybody, grantAsked, unknown, waitingRun } from "./journeys-runs.mjs";
import { spaceJourneys } from "./journeys-spaces.mjs";
import { stopJourneys } from "./journeys-stop.mjs";
import { wordJourneys } from "./journeys-words.mjs";
import { APPROVED, answerable, ask, call, clear, deny, open, PHONE, session, start, status, tokens } from "./kit.mjs";

const issue = (title) => ask("linear.create_issue", { team_id: "team-1", title });

const journeys = {
  ...activityJourneys,
  ...noticeJourneys,
  "an unknown outcome is reconciled": unknown,

  async "approve at phone width"(app) {
    const { page, context, wrong } = await open(app, { viewport: PHONE });
    await page.goto(app.url);
    await page.getByText("Nothing needs approval").waitFor();
    let said = "";
    // A busy machine may be too slow for what came of it now and then, not always.
    for (let tries = 0; tries < 5 && said !== "Approved and done"; tries += 1) {
      const { id } = await issue(`From a phone ${tries}`);
      await page.getByText(`From a phone ${tries}`).tap();
      await page.getByText("Why approval is needed").waitFor();
      await page.getByRole("button", { name: "Approve once" }).tap();
      await page.getByRole("dialog").getByRole("button", { name: "Approve once" }).tap();
      said = await page.getByText(APPROVED).first().textContent();
      await page.getByText("Nothing needs approval").waitFor();
      assert.equal(await status(id), "succeeded");
    }
    assert.equal(said, "Approved and done");
    assert.ok(
      await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
      "nothing is wider than the phone",
    );
    return { context, wrong };
  },

  async "deny with a reason, by keys alone"(app) {
    const { page, context, wrong } = await open(app);
    await issue("First");
    const second = await issue("Second");
    await page.goto(app.url);
    await page.getByText("Second").first().waitFor();
    // They are alike, so one row stands for both until it is opened.
    await page.waitForURL(/inbox\/alk_/);
    await page.keyboard.press("Enter");
    // Down, and up again where it was passed: a busy page follows a little later.
    for (let tries = 0; tries < 100 && !page.url().endsWith(second.id); tries += 1) {
      await page.keyboard.press(tries % 20 < 10 ? "j" : "k");
      await page.waitForTimeout(300);
    }
    assert.ok(page.url().endsWith(second.id), page.url());
    await page.waitForTimeout(1_100);
    await answerable(page);
    await page.keyboard.press("d");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.type("not before the release");
    await page.keyboard.press("Enter");
    await page.getByText("Denied", { exact: true }).waitFor();
    const { body } = await call(tokens.agent, "GET", `/v1/sessions/${session}/invocations/${second.id}`);
    assert.equal(body.status, "denied");
    assert.match(JSON.stringify(body.error), /not before the release/);
    return { context, wrong };
  },

  async "a race that is lost is said, and the answer did not count"(app) {
    const { page, context, wrong } = await open(app);
    const { id } = await issue("Who is faster");
    await page.goto(`${app.url}/inbox/${id}`);
    await page.getByRole("button", { name: "Approve once" }).click();
    await page.getByRole("dialog").waitFor();
    await deny({ id }, { reason: "no" });
    await page.getByRole("dialog").getByRole("button", { name: "Approve once" }).click();
    await page.getByText("Already answered by someone else").waitFor();
    await page.getByText("No longer pending").waitFor();
    assert.equal(await status(id), "denied");
    return { context, wrong };
  },

  async "a grant with bounds answers the next one"(app) {
    const { page, context, wrong } = await open(app);
    const { id } = await ask("linear.add_comment", { issue_id: "ENG-1", body: "One" }).catch(() =>
      issue("With a grant"),
    );
    await page.goto(`${app.url}/inbox/${id}`);
    await page.getByRole("button", { name: "Approve with grant …" }).click();
    await page.getByLabel("Calls").fill("3");
    await page.getByLabel("Duration").fill("1h");
    await page.getByRole("button", { name: "Approve and grant" }).click();
    await page
      .getByRole("status")
      .or(page.getByRole("alert"))
      .filter({ hasText: /Approved/ })
      .waitFor();
    const grants = (await call(tokens.owner, "GET", "/v1/grants")).body.items;
    const mine = grants.find((grant) => grant.max_calls === 3);
    assert.ok(mine, "the grant has the bounds that were typed");
    await call(tokens.owner, "DELETE", `/v1/grants/${mine.id}`);
    return { context, wrong };
  },

  ...activityJourneys,
  ...noticeJourneys,
  "a run that waits is answered in place, run again and cancelled": waitingRun,
  "a grant that an agent asks for is given with less": grantAsked,
  ...automations,
  ...catalogJourneys,
  ...modelJourneys,
  ...wordJourneys,
  ...flowJourneys,
  ...agentJourneys,
  ...changeJourneys,
  "everybody can use it": everybody,
  ...inboxJourneys,
  ...editJourneys,
  ...conditionJourneys,
  ...quarantineJourneys,
  ...stopJourneys,
  ...looseningJourneys,
  ...policyJourneys,
  ...peopleJourneys,
  ...spaceJourneys,
  ...passkeyJourneys,
};

const app = await start();
let failed = 0;
const only = process.argv.slice(2);
for (const [name, journey] of Object.entries(journeys)) {
  if (only.length > 0 && !only.some((part) => name.includes(part))) continue;
  const began = Date.now();
  try {
    await clear();
    const { context, wrong, note = "", isSkipped = false } = await journey(app);
    await context.close();
    assert.deepEqual(wrong, []);
    console.log(`${isSkipped ? "skip" : "pass"}  ${name} (${Date.now() - began} ms) ${note}`);
  } catch (error) {
    failed += 1;
    console.log(`FAIL  ${name}\n${error.stack}`);
  }
}
await app.stop();
process.exit(failed === 0 ? 0 : 1);
