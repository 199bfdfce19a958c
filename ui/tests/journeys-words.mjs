// The way of a person with an automation in words: a model writes it, the person reads it, changes it in words, saves
// it, runs it and approves what it sends.
import assert from "node:assert/strict";
import { everybodyCan } from "./axe.mjs";
import { logged } from "./journeys-activity.mjs";
import { begin, model, withServer } from "./journeys-models.mjs";
import { APPROVED, call, open, tokens } from "./kit.mjs";

export const WISH = "every weekday at nine, what is still to do in Linear, as one message in Slack";
export const CHANGE = "half past eight instead";
export const SAID = {
  notes: "It posts one message, and none if nothing is to do. Times are in your time zone.",
  questions: ["To which channel? #general is the default of the input."],
};
export const EARLIER = "It now starts at half past eight.";
const CRON = "/triggers/0/config/cron";
const [NINE, HALF_PAST_EIGHT] = ["0 9 * * 1-5", "30 8 * * 1-5"];

/** What the model writes for the wish. */
export const written = (name, timezone = "Africa/Kigali") => ({
  schema_version: "1.0",
  name,
  goal: "Every weekday at nine, post what is still to do in Linear to Slack, as one message.",
  triggers: [{ type: "schedule", config: { cron: NINE, timezone } }],
  inputs: { schema: { type: "object", properties: { channel: { type: "string", default: "C0GENERAL" } } } },
  plan: [
    { step_id: "look", action: "linear.list_issues", output_as: "open", config: { state: "Todo", first: 20 } },
    {
      step_id: "tell",
      action: "slack.send_message",
      when: "{{ open.issues | length > 0 }}",
      config: {
        channel: "{{ inputs.channel }}",
        text: "Still to do: {{ open.issues | length }}, first {{ open.issues[0].title }}",
      },
    },
  ],
});

/** The replies of a model that looks actions up and proposes a definition. */
export const proposing = (definition) => [
  {
    calls: [
      ["find_actions", { words: "list issues" }],
      ["find_actions", { words: "send message" }],
    ],
  },
  { calls: [["get_action", { address: "slack.send_message" }]] },
  { calls: [["propose", { definition: JSON.stringify(definition), gaps: [], ...SAID }]] },
];

/** The reply of a model that changes the time. */
export const patching = () => {
  const changes = [{ pointer: CRON, old: NINE, new: HALF_PAST_EIGHT }];
  return { calls: [["patch", { changes, notes: EARLIER, questions: [], gaps: [] }]] };
};

const owner = (method, path, body) => call(tokens.owner, method, path, body);
const named = async (name) => (await owner("GET", "/v1/automations")).body.items.filter((each) => each.name === name);
const dialog = (page) => page.getByRole("dialog");

/** Says something and waits until the model's definition is in the editor. Returns how long that took. */
export async function sayInWords(page, words) {
  await page.getByLabel("Say what you want").fill(words);
  const began = Date.now();
  await page.getByRole("button", { name: "Propose" }).click();
  await page.getByText(/The proposed definition is in the editor\. The model was asked/).waitFor();
  return Date.now() - began;
}

/** A provider whose model has a price, so that it is seen what writing costs. */
async function addProvider(app, page, { url }) {
  await page.goto(`${app.url}/automations/new`);
  await page.getByRole("button", { name: "Describe it in words" }).click();
  await page.getByText("This needs a provider of language models").waitFor();
  const [, models] = await Promise.all([
    page.getByRole("link", { name: "set one up under Models" }).click(),
    page.context().waitForEvent("page"),
  ]);
  await models.getByRole("link", { name: "Add a provider" }).click();
  await begin(models, url);
  await models.getByText("More: sizes and price").click();
  await model(models, 1).getByLabel("Input price (optional)").fill("1");
  await model(models, 1).getByLabel("Output price (optional)").fill("10");
  await models.getByRole("button", { name: "Save and test" }).click();
  await models.getByText("local is saved and ready").waitFor();
  await models.close();
}

/** The person reads what it will do. */
async function read(page, name) {
  assert.equal(await page.getByRole("textbox", { name: "name", exact: true }).inputValue(), name);
  await page.getByText("valid", { exact: true }).waitFor();
  const said = page.getByRole("region", { name: "Said by the model" });
  await said.getByText(SAID.questions[0]).waitFor();
  // Three replies of 1,200 tokens at 1 USD a million, and 80 at 10 USD.
  await page.getByText("The model was asked 3 times, for $0.006. Nothing is saved yet.").waitFor();
  await page.getByText("Not saved yet").waitFor();
  assert.deepEqual(await named(name), [], "nothing is saved");
  const worth = page.getByRole("region", { name: "Worth checking" });
  await worth.getByText("sends data to").waitFor();
  await worth.getByText(/private data from .*linear\.list_issues/).waitFor();
  const steps = page.getByRole("region", { name: "Steps" });
  for (const action of ["linear.list_issues", "slack.send_message"]) await steps.getByText(action).first().waitFor();
  await page.getByText(/^Every weekday at 09:00/).waitFor();
}

/** Approves what the run wants to send, in the inbox. */
async function approve(page) {
  await page.getByRole("navigation", { name: "Pages" }).first().getByRole("link", { name: "Inbox" }).click();
  await page
    .getByText(/^Still to do: \d/)
    .first()
    .click();
  await page.getByText("Why approval is needed").waitFor();
  const began = Date.now();
  await page.getByRole("button", { name: "Approve once" }).click();
  await dialog(page).getByRole("button", { name: "Approve once" }).click();
  await page.getByText(APPROVED).first().waitFor();
  return Date.now() - began;
}

/** Each step has a receipt that is as it was signed. */
async function receipts(page, run) {
  const { steps } = (await owner("GET", `/v1/runs/${run}`)).body;
  for (const { invocation } of steps) await logged(invocation);
  for (const step of ["look", "tell"]) {
    await page.getByRole("button", { name: new RegExp(`^${step}.*Details`) }).click();
    await page.getByRole("link", { name: "Invocation and receipt" }).click();
    await page.getByRole("button", { name: "Verify", exact: true }).click();
    const result = page.getByRole("status", { name: "Verification" });
    await result.getByText("Verified: signed, in the ledger, unchanged").waitFor();
    await page.goBack();
  }
}

export const wordJourneys = {
  async "an automation is made in words, read, changed in words, run and approved"(app) {
    return withServer({}, async (server) => {
      const { page, context, wrong } = await open(app);
      const name = `Still to do ${Date.now().toString(36)}`;
      await addProvider(app, page, server);

      await page.goto(`${app.url}/automations`);
      await page.getByRole("link", { name: "New automation" }).click();
      await page.getByRole("button", { name: "Describe it in words" }).click();
      server.state.script = proposing(written(name));
      const proposed = await sayInWords(page, WISH);
      await read(page, name);
      await everybodyCan(page, "the proposal");

      server.state.script = [patching()];
      const changed = await sayInWords(page, CHANGE);
      await page.getByText(EARLIER).waitFor();
      await page.getByText(/^Every weekday at 08:30/).waitFor();
      await page.getByText("valid", { exact: true }).waitFor();
      await everybodyCan(page, "the change");
      assert.deepEqual(await named(name), [], "nothing is saved");
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await page.waitForURL(/automations\/aut_/);
      const [saved] = await named(name);
      assert.equal(saved.version, 1);

      const started = Date.now();
      await page.getByRole("button", { name: "Run now" }).click();
      await page.getByRole("button", { name: "Run", exact: true }).click();
      await page.waitForURL(/runs\/run_/);
      const run = page.url();
      await page.getByText("Waiting for approval").waitFor();
      const waited = Date.now() - started;
      const approved = await approve(page);
      await page.goto(run);
      await page.getByRole("heading", { level: 1 }).getByText("succeeded").waitFor();
      assert.equal(await page.getByText(/· cost/).count(), 0, "no model is a part of the run");
      await everybodyCan(page, "the run");
      await receipts(page, new URL(run).pathname.split("/").pop());

      // What it cost to write is in the activity: each question to the model is an invocation.
      await page.goto(`${app.url}/activity?q=model.local`);
      const list = page.getByRole("list", { name: "Invocations" });
      await list.getByRole("link").first().click();
      await page.getByText(/requested by authoring .* · cost \$0\.002/).waitFor();
      assert.equal(server.state.script.length, 0, "the model was asked as often as it had to be");
      await owner("PATCH", `/v1/automations/${saved.id}`, { status: "archived" });
      const note = `proposed after ${proposed} ms, changed after ${changed} ms, waits ${waited} ms after its start`;
      return { context, wrong, note: `${note}, approved within ${approved} ms` };
    });
  },
};
