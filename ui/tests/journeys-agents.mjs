// The ways of those who let a model do a step: made in the editor, followed turn by turn, and read in the transcript.
import assert from "node:assert/strict";
import { everybodyCan, LOOKS, serious } from "./axe.mjs";
import { begin, isNarrow, model, withServer } from "./journeys-models.mjs";
import { call, open, PHONE, tokens } from "./kit.mjs";

const owner = (method, path, body) => call(tokens.owner, method, path, body);
const idIn = (page) => new URL(page.url()).pathname.split("/")[2];
const head = (page) => page.getByRole("heading", { level: 1 });
const steps = (page) => page.getByRole("region", { name: "Steps" });
const turn = (page, number) =>
  page
    .getByRole("list", { name: "Turns" })
    .locator("> li")
    .nth(number - 1);
const named = (what) => `${what} ${Date.now().toString(36)}`;

const GOAL = "Say what kind of issue this is.";
const SCHEMA = {
  type: "object",
  required: ["kind"],
  additionalProperties: false,
  properties: { kind: { enum: ["bug", "question"] } },
};
/** What looks like a link and an image, and must be neither. */
const TEMPTING = "I look first. [click](https://evil.example) ![x](https://evil.example/x.png)";
const SCRIPT = [
  { text: TEMPTING, calls: [["linear__list_issues", {}]] },
  { calls: [["linear__create_issue", { team_id: "team-1", title: "From a model" }]] },
  { text: '{"kind":"cat"}' },
  { text: '{"kind":"bug"}' },
];
const CONFIG = {
  goal: GOAL,
  context: { title: "It crashes" },
  tools: ["linear.list_issues", "linear.create_issue"],
  provider: "local",
  model: "small",
  max_turns: 6,
};

/** A provider with a price, so that the budget of the step can hold. */
async function addProvider(app, page, url) {
  await page.goto(`${app.url}/models/add`);
  await begin(page, url);
  const first = model(page, 1);
  await first.getByText("More: sizes and price").click();
  await first.getByLabel("Input price (optional)").fill("3");
  await first.getByLabel("Output price (optional)").fill("15");
  await page.getByRole("button", { name: "Save and test" }).click();
  await page.getByText("local is saved and ready").waitFor();
}

/** The same provider, behind the page's back. */
async function putProvider(url) {
  const models = [{ name: "small", price: { input: 3_000, output: 15_000 } }];
  const provider = { preset: "compatible", base_url: url, auth: { kind: "none" }, models };
  const { status, body } = await owner("PUT", "/v1/models/local", provider);
  assert.equal(status, 200, JSON.stringify(body));
}

async function choose(page, button, part, name) {
  await steps(page).getByRole("button", { name: button }).click();
  await page.getByRole("combobox", { name: "Search actions" }).fill(part);
  await page.getByRole("option", { name }).first().waitFor();
  await page.keyboard.press("Enter");
}

async function fillStep(page) {
  const plan = steps(page);
  await choose(page, "Choose an action", "agent task", "Model (agent task)");
  await plan.getByRole("textbox", { name: "Context as JSON" }).fill(JSON.stringify(CONFIG.context));
  await choose(page, "Add a tool", "list issues linear", "linear.list_issues");
  await choose(page, "Add a tool", "create issue linear", "linear.create_issue");
  assert.equal(await plan.getByRole("list", { name: "Chosen tools" }).getByRole("listitem").count(), 2);
  await plan.getByLabel("Provider", { exact: true }).selectOption("local");
  assert.equal(await plan.getByLabel("Model", { exact: true }).inputValue(), "small", "its first model is chosen");
  await plan.getByText(/input and .* output per million tokens/).waitFor();
  await plan.getByLabel("Max turns").fill("6");
  await plan.getByLabel("Output schema").fill(JSON.stringify(SCHEMA));
  const goal = plan.getByRole("textbox", { name: "Goal", exact: true });
  await goal.fill("Sort {{ inputs.title }}");
  await plan.getByText(/the goal cannot read/).waitFor();
  await goal.fill(GOAL);
  await page.getByText("valid", { exact: true }).waitFor();
  await page.getByRole("region", { name: "Worth checking" }).getByText("models may cost 0.5 USD in a run").waitFor();
}

async function makeAutomation(app, page) {
  await page.goto(`${app.url}/automations/new`);
  await page.getByRole("button", { name: "Empty automation" }).click();
  await page.getByRole("textbox", { name: "name", exact: true }).fill(named("By a model"));
  await fillStep(page);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.waitForURL(/automations\/aut_/);
  const { definition } = (await owner("GET", `/v1/automations/${idIn(page)}`)).body;
  assert.deepEqual(definition.plan, [
    { step_id: "agent_task", action: "agent_task", config: CONFIG, output_schema: SCHEMA },
  ]);
  await page.getByText("asks small of local, with 2 tools").waitFor();
}

async function followTurns(page) {
  const waits = page.getByRole("region", { name: "Pending approval" });
  await waits.getByRole("heading", { name: "linear.create_issue" }).waitFor();
  await page.getByRole("button", { name: /agent_task.*Details/ }).click();
  await turn(page, 1).getByText("called tools").waitFor();
  await turn(page, 1).getByText("linear.list_issues", { exact: true }).waitFor();
  await turn(page, 1).getByRole("link", { name: "Invocation of linear.list_issues" }).waitFor();
  await turn(page, 2).getByText("waiting", { exact: true }).waitFor();
  const inbox = turn(page, 2).getByRole("link", { name: /Open in the inbox/ });
  assert.match(await inbox.getAttribute("href"), /\/inbox\/inv_/);
  await waits.getByRole("button", { name: "Approve once" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Approve once" }).click();
  await head(page).getByText("succeeded").waitFor();
  await turn(page, 3).getByText("answer does not fit", { exact: true }).waitFor();
  await turn(page, 4).getByText("answered").waitFor();
  await page.getByText(/Total of 4 turns: 4.800 tokens in, 320 out/).waitFor();
  await page
    .getByText(/· cost /)
    .first()
    .waitFor();
}

async function readTranscript(page) {
  await page.getByRole("button", { name: "Transcript of agent_task" }).click();
  const dialog = page.getByRole("dialog", { name: "Transcript" });
  await dialog.getByText("A model and outside sources wrote this text.").waitFor();
  await dialog.getByRole("group", { name: "System prompt" }).getByText(GOAL).waitFor();
  await dialog.getByRole("group", { name: "Context" }).getByText("It crashes").waitFor();
  const first = dialog.getByRole("region", { name: "Turn 1" });
  await first.getByRole("group", { name: "Model" }).getByText("[click](https://evil.example)").waitFor();
  await first.getByRole("group", { name: "Result" }).waitFor();
  await dialog.getByRole("region", { name: "Turn 2" }).getByText("From a model").first().waitFor();
  await dialog
    .getByRole("region", { name: "Turn 3" })
    .getByRole("group", { name: /does not fit/ })
    .waitFor();
  assert.equal(await dialog.locator("a, img").count(), 0, "nothing that a model wrote is a link or an image");
  assert.equal(await dialog.getByText("no longer stored").count(), 0);
  await dialog.getByRole("button", { name: "Close" }).click();
}

export const agentJourneys = {
  async "a step is made for a model, run, followed by its turns and read in its transcript"(app) {
    return withServer({}, async ({ url, state }) => {
      const { page, context, wrong } = await open(app);
      await addProvider(app, page, url);
      await makeAutomation(app, page);
      state.script.push(...SCRIPT);
      await page.getByRole("button", { name: "Run now" }).click();
      await page.getByRole("button", { name: "Run", exact: true }).click();
      await page.waitForURL(/runs\/run_/);
      await followTurns(page);
      await readTranscript(page);
      const run = (await owner("GET", `/v1/runs/${idIn(page)}`)).body;
      assert.equal(run.steps[0].turns.length, 4);
      assert.ok(run.cost_usd > 0, "its cost is known");
      assert.equal(state.script.length, 0, "every reply was asked for");
      assert.match(JSON.stringify(state.prompts[0].messages), new RegExp(GOAL));
      await page.goto(`${app.url}/runs?automation=${run.automation}`);
      await page
        .getByRole("list", { name: "Runs" })
        .getByText(/· cost /)
        .waitFor();
      await page.goto(`${app.url}/overview`);
      await page.getByRole("region", { name: "Model cost" }).waitFor();
      await owner("PATCH", `/v1/automations/${run.automation}`, { status: "archived" });
      return { context, wrong };
    });
  },

  async "the questions of one turn are one row, and answered at once in their order"(app) {
    return withServer({}, async ({ url, state }) => {
      await putProvider(url);
      const config = { ...CONFIG, tools: [...CONFIG.tools, "slack.send_message"] };
      const plan = [{ step_id: "sort", action: "agent_task", config, output_schema: SCHEMA }];
      const definition = { schema_version: "1.0", name: named("Asks"), plan };
      const made = (await owner("POST", "/v1/automations", { definition })).body;
      const issue = (title) => ["linear__create_issue", { team_id: "team-1", title }];
      const said = ["slack__send_message", { channel: "C0GENERAL", text: "Two issues follow" }];
      state.script.push({ text: "Both are bugs.", calls: [issue("Turn one"), said, issue("Turn two")] }, SCRIPT[3]);
      const { id } = (await owner("POST", `/v1/automations/${made.id}/runs`, { inputs: {} })).body;
      let asked = [];
      for (let tries = 0; tries < 300 && asked.length < 3; tries += 1) {
        await new Promise((done) => setTimeout(done, 200));
        asked = (await owner("GET", "/v1/inbox?limit=100")).body.items.map(({ invocation }) => invocation.id);
      }
      const { page, context, wrong } = await open(app);
      await page.goto(app.url);
      await page.getByText("3 questions of one step").waitFor();
      await page.waitForURL(new RegExp(`/inbox/${id}$`));
      const pane = page.getByRole("article", { name: "Several requests" });
      for (const text of ["Turn one", "Turn two", "Two issues follow"]) await pane.getByText(text).first().waitFor();
      assert.equal(await pane.getByText("Both are bugs.").count(), 2, "what the model said stands above each action");
      await pane.getByText("Goes to", { exact: true }).first().waitFor();
      assert.deepEqual(await pane.getByRole("link", { name: /^(Open request|Request) \d$/ }).allTextContents(), [
        "1",
        "3",
        "Open",
      ]);
      await everybodyCan(page, "the questions of a turn");
      await page.getByRole("button", { name: "Approve 3 …" }).click();
      const dialog = page.getByRole("dialog");
      for (const text of ["Turn one", "Turn two", "Two issues follow"]) await dialog.getByText(text).first().waitFor();
      await dialog.getByText("in the order of the numbers").waitFor();
      await everybodyCan(page, "the answer to a turn");
      await dialog.getByRole("button", { name: "Approve 3", exact: true }).click();
      await page.getByText("3 approved", { exact: true }).waitFor();
      await page.goto(`${app.url}/runs/${id}`);
      await head(page).getByText("succeeded").waitFor();
      const done = await Promise.all(asked.map(async (one) => (await owner("GET", `/v1/invocations/${one}`)).body));
      assert.deepEqual(
        done
          .toSorted((one, other) => (one.finished_at < other.finished_at ? -1 : 1))
          .map(({ params }) => params.title ?? params.text),
        ["Turn one", "Two issues follow", "Turn two"],
      );
      await owner("PATCH", `/v1/automations/${made.id}`, { status: "archived" });
      return { context, wrong };
    });
  },

  async "without a provider, the editor says where to add one"(app) {
    return withServer({}, async () => {
      const { page, context, wrong } = await open(app, { viewport: PHONE });
      await page.goto(`${app.url}/automations/new`);
      await page.getByRole("button", { name: "Empty automation" }).tap();
      await choose(page, "Choose an action", "agent task", "Model (agent task)");
      const link = steps(page).getByRole("link", { name: "Add a provider on the Models page" });
      await link.waitFor();
      assert.match(await link.getAttribute("href"), /\/models$/);
      assert.ok(await isNarrow(page), "nothing is wider than the phone");
      return { context, wrong };
    });
  },

  async "everybody can use the steps of models"(app) {
    return withServer({}, async ({ url, state }) => {
      await putProvider(url);
      const plan = [{ step_id: "sort", action: "agent_task", config: CONFIG, output_schema: SCHEMA }];
      const definition = { schema_version: "1.0", name: named("Sorts"), plan };
      const made = (await owner("POST", "/v1/automations", { definition })).body;
      state.script.push(SCRIPT[0], { text: '{"kind":"bug"}' });
      const { id } = (await owner("POST", `/v1/automations/${made.id}/runs`, { inputs: {} })).body;
      let last = null;
      for (const look of LOOKS) {
        const { page, context, wrong } = await open(app, look);
        const check = async (what) => {
          assert.deepEqual(
            (await serious(page)).map((each) => [what, look.colorScheme, ...each]),
            [],
          );
          if (look.viewport === PHONE) assert.ok(await isNarrow(page), `${what}: nothing is wider than the phone`);
        };
        await page.goto(`${app.url}/automations/${made.id}/edit`);
        await page.getByText("valid", { exact: true }).waitFor();
        await steps(page).getByLabel("Provider", { exact: true }).waitFor();
        await check("the form");
        await page.goto(`${app.url}/runs/${id}`);
        await head(page).getByText("succeeded").waitFor();
        await page.getByRole("button", { name: /sort.*Details/ }).click();
        await turn(page, 2).getByText("answered").waitFor();
        await check("the turns");
        await page.getByRole("button", { name: "Transcript of sort" }).click();
        await page.getByRole("dialog", { name: "Transcript" }).getByRole("region", { name: "Turn 2" }).waitFor();
        await check("the transcript");
        if (last !== null) await last.context.close();
        last = { context, wrong };
      }
      await owner("PATCH", `/v1/automations/${made.id}`, { status: "archived" });
      return last;
    });
  },
};
