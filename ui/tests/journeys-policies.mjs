// The ways of people with policies as text: a cap from the first fact to the question it asks, a loosening that a
// second owner tests, a starter, and a suggestion.
import assert from "node:assert/strict";
import { LOOKS, serious } from "./axe.mjs";
import { withSecondOwner } from "./journeys-loosening.mjs";
import { approve, ask, call, open, PHONE, session, status, tokens } from "./kit.mjs";
import { openAs } from "./people.mjs";

const ACTION = "linear.create_issue";
const SEND = "slack.send_message";
const owner = (method, path, body) => call(tokens.owner, method, path, body);

async function must(method, path, body, token = tokens.owner) {
  const answer = await call(token, method, path, body);
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

const POINTS = {
  kind: "sum",
  of: [ACTION],
  field: "input.priority",
  within: "1h",
  per: "session",
};
const cap = (limit, comparison = ">") => `@id("points-cap")
@mode("ask")
@why("At most ${limit} points of priority an hour")
forbid (principal, action == Action::"${ACTION}", resource)
when { context.input has priority && context.history.points + context.input.priority ${comparison} ${limit} };
`;

const SENT = { kind: "count", of: [SEND], within: "1h", per: "session" };
const rate = (limit) => `@id("message-cap")
@mode("ask")
@why("At most ${limit} messages an hour")
forbid (principal, action == Action::"${SEND}", resource)
when { context.history.sent >= ${limit} };
`;

const invoke = (action, params) =>
  call(tokens.agent, "POST", `/v1/sessions/${session}/actions/invoke`, { action, params });

/** Texts differ, because two equal requests would be one effect. */
let texts = 0;
const another = (text) => {
  texts += 1;
  return `${text} ${Date.now()} ${texts}`;
};
const create = (priority) => invoke(ACTION, { team_id: "team-1", title: another("Points"), priority });
const message = () => invoke(SEND, { channel: "C0GENERAL", text: another("Message") });

/** Deletes everything that these journeys make. Policies come first, because they read the facts. */
async function clean() {
  for (const { name } of (await must("GET", "/v1/policies")).items) await must("DELETE", `/v1/policies/${name}`);
  for (const { name } of (await must("GET", "/v1/facts")).items) await must("DELETE", `/v1/facts/${name}`);
  for (const { name } of (await must("GET", "/v1/policy-cases")).items)
    await must("DELETE", `/v1/policy-cases/${name}`);
  const rules = (await must("GET", "/v1/rules?limit=100")).items.filter(({ action }) =>
    [ACTION, SEND].includes(action),
  );
  for (const { id } of rules) await must("DELETE", `/v1/rules/${id}`);
}

/** Runs a journey in an organization without policies, in which actions are performed without asking. */
async function withoutPolicies(act) {
  await clean();
  for (const action of [ACTION, SEND]) await must("PUT", "/v1/rules", { action, mode: "allow", reason: "a test" });
  try {
    return await act();
  } finally {
    await clean();
  }
}

const dialog = (page) => page.getByRole("dialog");
const toast = (page, text) => page.getByRole("status").filter({ hasText: text });
const isNarrow = (page) => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
const editor = (page) => page.getByRole("textbox", { name: "Policy text" });

/** Replaces the text of the policy. */
async function write(page, text) {
  await editor(page).click();
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Delete");
  await page.keyboard.insertText(text);
}

const saveButton = (page) => page.getByRole("button", { name: "Save", exact: true });

/** Replaces the gate settings behind the page's back. */
async function setGates(settings) {
  const { version } = await must("GET", "/v1/gates");
  await must("PUT", "/v1/gates", { ...settings, version });
}

/** Replaces the text of the gate settings. */
export async function writeGates(page, settings) {
  await page.getByRole("textbox", { name: "Gate settings as JSON" }).click();
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Delete");
  await page.keyboard.insertText(typeof settings === "string" ? settings : JSON.stringify(settings));
}

/** A fact of the form, as a person fills it in. */
async function newFact(app, page) {
  await page.goto(`${app.url}/policy#facts`);
  await page.getByText("No facts").waitFor();
  await page.getByRole("button", { name: "New fact" }).click();
  await dialog(page).getByLabel("Name").fill("points");
  await dialog(page).getByLabel("Kind").selectOption({ label: "Sum of a field" });
  await dialog(page).getByLabel("Actions", { exact: true }).fill(ACTION);
  await dialog(page).getByRole("button", { name: "Add", exact: true }).first().click();
  await dialog(page)
    .getByRole("textbox", { name: "Field" })
    .or(dialog(page).getByRole("combobox", { name: "Field" }))
    .first()
    .fill("input.priority");
  await dialog(page).getByText(`sum of input.priority of ${ACTION}, counted, within 1 hour, per session`).waitFor();
  await dialog(page).getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "Edit points" }).waitFor();
}

/** A case at the boundary: five points are allowed. */
async function newCase(app, page) {
  await page.goto(`${app.url}/policy#cases`);
  await page.getByText("No cases").waitFor();
  await page.getByRole("button", { name: "New case" }).click();
  await dialog(page).getByLabel("Name").fill("exactly-the-limit");
  await dialog(page).getByLabel("Action", { exact: true }).fill(ACTION);
  const params = dialog(page).getByRole("textbox", { name: "Parameters as JSON" });
  await params.click();
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Delete");
  await page.keyboard.insertText('{"team_id": "team-1", "title": "Five", "priority": 2}');
  await dialog(page).getByLabel("Expected decision").selectOption({ label: "allowed: no policy holds" });
  await dialog(page).getByLabel("points").fill("3");
  await dialog(page).getByRole("button", { name: "Save" }).click();
  const row = page.getByRole("list", { name: "Cases" }).getByRole("listitem").filter({ hasText: "exactly-the-limit" });
  await row.getByText("passes").waitFor();
}

/** Writes the text; completion offers the fact, and a wrong name is shown where it stands. */
async function writeCap(app, page) {
  await page.goto(`${app.url}/policy#policies`);
  await page.getByRole("link", { name: /^(New|Write a) policy$/ }).click();
  await editor(page).waitFor();
  const [before] = cap(5).split("context.history");
  await write(page, `${before}context.history.`);
  const offer = page.getByRole("option", { name: /^points/ });
  const fact = offer.getByText("sum of input.priority");
  // What is offered is loaded while the page opens: who is faster than that presses again.
  for (let asked = 0; asked < 60 && !(await fact.isVisible()); asked += 1) {
    await page.keyboard.press("Control+Space");
    await fact.waitFor({ timeout: 2_000 }).catch(() => null);
  }
  await fact.waitFor();
  await offer.click();
  await write(page, cap(5).replace("history.points", "history.pionts"));
  const problems = page.getByRole("region", { name: "Problems" });
  await problems.getByText("error").first().waitFor();
  await page.locator(".cm-lintRange-error").first().waitFor();
  assert.ok(await page.getByRole("button", { name: "Save", exact: true }).isDisabled(), "it cannot be saved");
  await problems
    .getByRole("button", { name: /^line 5/ })
    .first()
    .click();
  // The comparison is wrong by one now: five points would be asked about.
  await write(page, cap(5, ">="));
  await problems.waitFor({ state: "detached" });
  await page.getByText("Applies to 1 action").waitFor();
  await page.getByText("1 of 1 case fails").waitFor();
  await page.getByText("expected allowed, got needs approval").waitFor();
  await page.getByRole("radio", { name: /^Enforced/ }).check();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Case failed").waitFor();
  assert.equal((await must("GET", "/v1/policies")).items.length, 0, "it was not saved");
  await write(page, cap(5));
  await page.getByText("the case passes").waitFor();
}

/** Runs the backtest that is open. Progress was shown on the way. */
async function backtest(page, start) {
  await page.evaluate(() => {
    globalThis.seen = 0;
    const look = () => {
      if (document.querySelector("progress") !== null) globalThis.seen += 1;
    };
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
  });
  await start();
  const sentence = page.getByText(/^In the last 30 days /);
  await sentence.waitFor();
  assert.ok((await page.evaluate(() => globalThis.seen)) > 0, "progress was shown");
  await page.getByRole("region", { name: "Calls by day" }).locator("svg").first().waitFor();
  return sentence.textContent();
}

export const policyJourneys = {
  async "a cap is written, tested on cases and on the past, and asks a person with its numbers"(app) {
    return withoutPolicies(async () => {
      for (const priority of [3, 3]) assert.equal((await create(priority)).status, 200);
      const { page, context, wrong } = await open(app);
      await newFact(app, page);
      await newCase(app, page);
      await writeCap(app, page);
      await page.getByRole("button", { name: "Backtest this change" }).click();
      const run = page.getByRole("region", { name: "Backtest" }).getByRole("button", { name: "Run backtest" });
      assert.match(await backtest(page, () => run.click()), /asked/);
      const changed = page.getByRole("list", { name: "Changed actions" });
      await changed.getByText(ACTION).click();
      await changed.getByRole("link").first().waitFor();
      await page.getByLabel("Reason for the change").fill("Zu viele dringende Łódź-Tickets 🙂");
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await toast(page, "points-cap is enforced").waitFor();
      await page.getByRole("list", { name: "Policies" }).getByText("points-cap").waitFor();
      const [record] = (await must("GET", "/v1/changes?change=policy.set&limit=1")).items;
      assert.equal(record.reason, "Zu viele dringende Łódź-Tickets 🙂");

      // The session has used six points already, so the next one is asked about.
      const waiting = await create(1);
      assert.equal(waiting.status, 202, JSON.stringify(waiting.body));
      await page.goto(`${app.url}/inbox/${waiting.body.id}`);
      await page.getByText("Policy points-cap asks").waitFor();
      await page.getByText("At most 5 points of priority an hour").first().waitFor();
      const facts = page.getByRole("list", { name: "Facts" });
      await facts.getByText("points: 6 of 5, this call adds 1").waitFor();
      await facts.getByText("within 1h").waitFor();
      await approve({ id: waiting.body.id });
      assert.equal(await status(waiting.body.id), "succeeded");
      await page.goto(`${app.url}/activity/${waiting.body.id}`);
      await page.getByText("Policy points-cap asks").waitFor();
      await facts.getByText("points: 6 of 5, this call adds 1").waitFor();

      // The catalog and the matrix know no parameters.
      await page.goto(`${app.url}/policy`);
      await page.getByLabel("Search the matrix").fill(ACTION);
      await page.getByText("depends on the parameters").first().waitFor();
      return { context, wrong };
    });
  },

  async "a weaker policy waits, and a second owner sees what it would have let through"(app) {
    return withoutPolicies(async () => {
      await must("PUT", "/v1/facts/sent", SENT);
      await must("PUT", "/v1/policies/message-cap", { text: rate(1), state: "enforced" });
      const asked = [];
      for (let n = 0; n < 2; n += 1) asked.push(await message());
      assert.deepEqual(
        asked.map((each) => each.status),
        [200, 202],
      );
      return withSecondOwner(async (second) => {
        const { page, context, wrong } = await open(app);
        await page.goto(`${app.url}/policy/policies/message-cap`);
        await editor(page).waitFor();
        await write(page, rate(50));
        await page.getByText("valid", { exact: true }).waitFor();
        await page.getByRole("button", { name: "Compare with the saved policy" }).click();
        const compared = page.getByRole("region", { name: "Comparison" });
        await compared.getByText(/needs a solver|The decision becomes less strict for 1 of/).waitFor();
        await page.getByLabel("Reason for the change").fill("A release week");
        await page.getByRole("button", { name: "Save", exact: true }).click();
        const said = toast(page, "Waits for a second owner").filter({ hasText: "This loosens a protection" });
        await said.waitFor();
        await said.getByRole("link", { name: "Open the proposed change" }).click();
        await page.waitForURL(/\/inbox\/pch_/);
        const id = new URL(page.url()).pathname.split("/").at(-1);
        assert.match((await must("GET", "/v1/policies")).items[0].text, />= 1 /, "nothing has changed yet");

        const other = await openAs(app, second.token, { viewport: PHONE });
        await other.page.goto(`${app.url}/inbox/${id}`);
        await other.page.getByRole("heading", { name: "Change: Policy message-cap set" }).waitFor();
        await other.page.getByText("A release week").first().waitFor();
        const button = other.page.getByRole("button", { name: "Backtest this change" });
        assert.match(await backtest(other.page, () => button.tap()), /would have let \d+ run without asking/);
        const changed = other.page.getByRole("list", { name: "Changed actions" });
        await changed.getByText(SEND).tap();
        await changed.locator(`a[href$="${asked[1].body.id}"]`).waitFor();
        await other.page
          .getByRole("region", { name: "Comparison" })
          .getByText(/needs a solver|The decision becomes less strict for 1 of/)
          .waitFor();
        assert.ok(await isNarrow(other.page), "nothing is wider than the phone");
        assert.deepEqual(await serious(other.page), []);
        await other.page.getByRole("button", { name: /^Approve …/ }).tap();
        await dialog(other.page).getByRole("button", { name: "Approve", exact: true }).tap();
        await other.page.getByText("Approved. The change is in effect.").first().waitFor();
        assert.match((await must("GET", "/v1/policies")).items[0].text, />= 50 /);
        assert.deepEqual(other.wrong, []);
        await other.context.close();

        // Without a policy, cleaning up loosens nothing more.
        const last = await owner("DELETE", "/v1/policies/message-cap");
        const { digest } = await must("GET", `/v1/proposed-changes/${last.body.id}`);
        await must("POST", `/v1/proposed-changes/${last.body.id}/approve`, { digest }, second.token);
        return { context, wrong };
      });
    });
  },

  async "a starter is filled in, observed and then enforced"(app) {
    return withoutPolicies(async () => {
      const { page, context, wrong } = await open(app);
      await page.goto(`${app.url}/policy#policies`);
      await page.getByRole("link", { name: "Choose a starter" }).click();
      await page.getByRole("link", { name: "Ask after many messages" }).click();
      await page.getByLabel("Messages without a question").fill("two");
      await page.getByText("must be a whole number").waitFor();
      await page.getByLabel("Messages without a question").fill("2");
      // The cases are written for the default.
      await page.getByText(/not fit your values/).waitFor();
      await page.getByRole("radio", { name: /^Observing/ }).check();
      await page.getByRole("button", { name: "Add this policy" }).click();
      await page.getByRole("heading", { name: "Added", exact: true }).waitFor();
      assert.equal((await must("GET", "/v1/facts")).items[0].name, "messages_sent");

      for (let n = 0; n < 3; n += 1) assert.equal((await message()).status, 200);
      await page.goto(`${app.url}/policy#observing`);
      const report = page.getByRole("region", { name: "message-rate", exact: true });
      await report.getByText(/^Matched \d+ calls?: would have asked about \d+\./).waitFor();
      await page.getByRole("button", { name: "Enforce message-rate" }).click();
      await dialog(page).getByRole("button", { name: "Enforce" }).click();
      await toast(page, "message-rate is enforced").waitFor();
      await page.getByText("No observing policies").waitFor();
      await page.goto(`${app.url}/policy#policies`);
      await page
        .getByRole("list", { name: "Policies" })
        .getByRole("listitem")
        .filter({ hasText: "message-rate" })
        .getByText("Enforced")
        .waitFor();
      return { context, wrong };
    });
  },

  async "a suggestion is opened with its backtest and becomes a bounded grant"(app) {
    const { page, context, wrong } = await open(app);
    for (let n = 0; n < 4; n += 1) {
      const asked = await ask("linear.add_comment", { issue_id: "ENG-3", body: `Suggested ${Date.now()} ${n}` }).catch(
        () => ask("linear.add_comment", { issue: "ENG-3", body: `Suggested ${Date.now()} ${n}` }),
      );
      await approve(asked);
    }
    const { items } = await must("GET", "/v1/policy-suggestions?days=30");
    assert.ok(
      items.some(({ kind, action }) => kind === "grant" && action === "linear.add_comment"),
      JSON.stringify(items),
    );
    await page.goto(`${app.url}/policy#suggestions`);
    const row = page
      .getByRole("list", { name: "Suggestions" })
      .getByRole("listitem")
      .filter({ hasText: "linear.add_comment" })
      .first();
    await row.getByText("Grant", { exact: true }).waitFor();
    const said = await backtest(page, () => row.getByRole("button", { name: /^Open/ }).click());
    assert.match(said, /would have let \d+ run without asking/);
    await row.getByRole("button", { name: "Create grant …" }).click();
    await dialog(page).getByLabel("Calls").fill("3");
    await dialog(page).getByLabel("Duration").fill("60d");
    await dialog(page).getByText("at most 30 days").waitFor();
    await dialog(page).getByLabel("Duration").fill("1h");
    await dialog(page).getByText("The next 3 calls within 1 hour run without asking.").waitFor();
    await dialog(page).getByRole("button", { name: "Create grant" }).click();
    await toast(page, "Grant created").waitFor();
    const given = (await must("GET", "/v1/grants")).items.find(
      ({ action, max_calls }) => action === "linear.add_comment" && max_calls === 3,
    );
    assert.ok(given?.where, "the grant has the condition of the suggestion");
    await must("DELETE", `/v1/grants/${given.id}`);
    return { context, wrong };
  },

  async "gates are set and a consent is given and revoked"(app) {
    return withoutPolicies(async () => {
      const purposes = [{ action: SEND, purpose: "announcements", subject: "input.channel" }];
      const gates = { purposes, homes: [], crossings: [], recipients: null };
      const detector = { name: "customer-number", pattern: "\\bK-\\d{5}\\b", of: [SEND], why: "They stay inside" };
      try {
        const { page, context, wrong } = await open(app);
        await page.goto(`${app.url}/policy#gates`);
        await page.getByRole("textbox", { name: "Gate settings as JSON" }).waitFor();
        await writeGates(page, "[]");
        await page.getByText("Expected a JSON object.").waitFor();
        assert.ok(await saveButton(page).isDisabled(), "a list cannot be saved");
        await writeGates(page, gates);
        await page.getByLabel("Reason for the change").fill("Channels agree first");
        await saveButton(page).click();
        await toast(page, "apply from the next decision on").waitFor();
        await page.getByText(/^Last changed by /).waitFor();
        const [record] = (await must("GET", "/v1/changes?change=gates.changed&limit=1")).items;
        assert.equal(record.reason, "Channels agree first");
        assert.equal((await message()).status, 403, "nobody agreed yet");

        await page
          .getByText("No consents.")
          .or(page.getByRole("list", { name: "Consents" }))
          .first()
          .waitFor();
        await page.getByRole("button", { name: "Give consent" }).click();
        await dialog(page).getByLabel("Purpose").fill("announcements");
        await dialog(page).getByLabel("Subject").fill("C0GENERAL");
        await dialog(page).getByLabel("Note").fill("asked in the channel");
        await dialog(page).getByRole("button", { name: "Give consent" }).click();
        await toast(page, "announcements").waitFor();
        const row = page.getByRole("list", { name: "Consents" }).getByRole("listitem").first();
        await row.getByText("asked in the channel").waitFor();
        assert.ok(!(await page.getByRole("region", { name: "Consents" }).innerText()).includes("C0GENERAL"));
        assert.equal((await message()).status, 200, "the channel agreed");

        // Someone else saves while the text is edited. Nothing is saved before the person chooses.
        await writeGates(page, { ...gates, detectors: [detector] });
        await setGates({ ...gates, recipients: { allow: ["C0GENERAL"] } });
        await page.getByText(/^Version \d+ was saved while you edited\./).waitFor();
        assert.ok(await saveButton(page).isDisabled(), "it cannot be saved before a choice");
        await page.getByRole("button", { name: "Keep my text" }).click();
        await saveButton(page).click();
        await page.getByRole("button", { name: "Save", exact: true, disabled: true }).waitFor();
        const { recipients, detectors } = await must("GET", "/v1/gates");
        assert.deepEqual([recipients, detectors], [null, [detector]]);

        // A subject is found by its hash.
        await page.getByRole("form", { name: "Filter consents" }).getByLabel("Subject").fill("C0OTHER");
        await page.getByRole("button", { name: "Filter", exact: true }).click();
        await page.getByText("No consent matches the filter.").waitFor();
        await page.getByRole("form", { name: "Filter consents" }).getByLabel("Subject").fill("C0GENERAL");
        await page.getByRole("button", { name: "Filter", exact: true }).click();
        await row.getByRole("button", { name: /^Revoke/ }).click();
        await dialog(page).getByLabel("Reason for the change").fill("withdrawn");
        await dialog(page).getByRole("button", { name: "Revoke consent" }).click();
        await row.getByText("revoked", { exact: true }).waitFor();
        assert.equal((await message()).status, 403, "the consent is revoked");
        return { context, wrong };
      } finally {
        await setGates({});
        for (const { id, state } of (await must("GET", "/v1/consents?purpose=announcements")).items)
          if (state === "active") await must("DELETE", `/v1/consents/${id}`);
      }
    });
  },

  async "everybody can use the pages of policies"(app) {
    return withoutPolicies(async () => {
      await must("PUT", "/v1/facts/points", POINTS);
      await must("PUT", "/v1/policies/points-cap", { text: cap(5), state: "observing" });
      const request = {
        action: ACTION,
        params: { team_id: "team-1", title: "Five", priority: 2 },
        history: { points: 3 },
      };
      await must("PUT", "/v1/policy-cases/exactly-the-limit", { request, expect: "allow" });
      for (const priority of [4, 4]) await create(priority);
      let last = null;
      for (const look of LOOKS) {
        const { page, context, wrong } = await open(app, look);
        const check = async (path, text) => {
          await page.goto(app.url + path);
          await page.getByText(text).first().waitFor();
          assert.deepEqual(await serious(page), [], path);
          if (look.viewport === PHONE) assert.ok(await isNarrow(page), `${path} is not wider than the phone`);
        };
        await check("/policy#policies", "points-cap");
        await check("/policy#facts", "sum of input.priority");
        await page.getByRole("button", { name: "Edit points" }).click();
        await dialog(page).getByLabel("Kind").waitFor();
        assert.deepEqual(await serious(page), [], "the form of a fact");
        await check("/policy#cases", "passes");
        await page.getByRole("button", { name: "Edit exactly-the-limit" }).click();
        await dialog(page).getByRole("textbox", { name: "Parameters as JSON" }).waitFor();
        assert.deepEqual(await serious(page), [], "the form of a case");
        await check("/policy#observing", "would have asked");
        await check("/policy#suggestions", /Based on the last 30 days|No suggestions/);
        await check("/policy#gates", /^(Last changed by|Never changed)/);
        await page.getByRole("textbox", { name: "Gate settings as JSON" }).waitFor();
        await page.getByRole("button", { name: "Give consent" }).click();
        await dialog(page).getByLabel("Subject").waitFor();
        assert.deepEqual(await serious(page), [], "the form of a consent");
        await check("/policy#backtest", "Change to test");
        await page.getByRole("combobox", { name: "Policy", exact: true }).selectOption("points-cap");
        await backtest(page, () => page.getByRole("button", { name: "Run backtest" }).click());
        assert.deepEqual(await serious(page), [], "a result of a backtest");
        await check("/policy/policies/points-cap", "Coverage");
        await check("/policy/starters", "Ask after many messages");
        await check("/policy/starters/message-rate", "Messages without a question");
        if (last !== null) await last.context.close();
        last = { context, wrong };
      }
      return last;
    });
  },
};
