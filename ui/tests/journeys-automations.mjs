// The ways of those who make automations: by a form, by JSON, with somebody else at the same time, and with webhooks.
import assert from "node:assert/strict";
import { LOOKS, serious } from "./axe.mjs";
import { call, gateway, open, PHONE, tokens } from "./kit.mjs";

const owner = (method, path, body) => call(tokens.owner, method, path, body);
const idIn = (page) => new URL(page.url()).pathname.split("/")[2];
const head = (page) => page.getByRole("heading", { level: 1 });
let count = 0;
const named = (what) => {
  count += 1;
  return `${what} ${Date.now().toString(36)}${count}`;
};

const looks = (name, more = {}) => ({
  schema_version: "1.0",
  name,
  goal: "Looks at what is to do.",
  inputs: { schema: { type: "object", properties: { state: { type: "string", default: "Todo" } } } },
  plan: [
    {
      step_id: "look",
      action: "linear.list_issues",
      output_as: "open",
      config: { state: "{{ inputs.state }}", first: 5 },
    },
  ],
  ...more,
});

async function saved(definition) {
  const { status, body } = await owner("POST", "/v1/automations", { definition });
  assert.equal(status, 201, JSON.stringify(body));
  return body;
}

async function chooseAction(page, part, action) {
  await page.getByRole("region", { name: "Steps" }).getByRole("button", { name: "Choose an action" }).click();
  await page.getByRole("combobox", { name: "Search actions" }).fill(part);
  await page.getByRole("option", { name: action }).waitFor();
  await page.keyboard.press("Enter");
}

async function write(page, text) {
  await page.getByRole("textbox", { name: "Definition as JSON" }).click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(text);
}

export const automations = {
  async "an automation is made by the form, and run"(app) {
    const { page, context, wrong } = await open(app);
    const name = named("By the form");
    await page.goto(`${app.url}/automations`);
    await page.getByRole("link", { name: "New automation" }).click();
    await page.getByRole("button", { name: "Empty automation" }).click();
    await page.getByRole("textbox", { name: "name", exact: true }).fill(name);
    await page.getByRole("button", { name: "+ Input" }).click();
    await page.getByLabel("Name of input 1").fill("state");
    await page.getByLabel("Default of state").fill("Todo");
    await chooseAction(page, "list issues linear", "linear.list_issues");
    const plan = page.getByRole("region", { name: "Steps" });
    await plan.getByRole("button", { name: "+ state" }).click();
    await plan.getByRole("button", { name: "Insert a name or a filter into state" }).click();
    await page.getByRole("button", { name: "inputs.state" }).click();
    assert.equal(await plan.getByRole("textbox", { name: "state" }).inputValue(), "{{ inputs.state }}");
    await plan.getByRole("button", { name: "+ first" }).click();
    await plan.getByLabel("first", { exact: true }).fill("99");
    await plan.getByText(/greater than/).waitFor();
    await plan.getByLabel("first", { exact: true }).fill("5");
    await page.getByText("valid", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.waitForURL(/automations\/aut_/);
    const { definition } = (await owner("GET", `/v1/automations/${idIn(page)}`)).body;
    assert.deepEqual(definition.plan, [
      { step_id: "list_issues", action: "linear.list_issues", config: { state: "{{ inputs.state }}", first: 5 } },
    ]);
    await page.getByRole("button", { name: "Run now" }).click();
    await page.getByLabel("state").fill("Done");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.waitForURL(/runs\/run_/);
    await head(page).getByText("succeeded").waitFor();
    await page.getByRole("button", { name: /list_issues.*Details/ }).click();
    await page.getByText("Output").waitFor();
    const run = (await owner("GET", `/v1/runs/${idIn(page)}`)).body;
    assert.deepEqual(run.inputs, { state: "Done" });
    await owner("PATCH", `/v1/automations/${run.automation}`, { status: "archived" });
    return { context, wrong };
  },

  async "a mistake in the JSON is told at its place; mended, it is version 2, and the change is shown"(app) {
    const { page, context, wrong } = await open(app);
    const made = await saved(looks(named("By JSON")));
    await page.goto(`${app.url}/automations/${made.id}/edit`);
    await page.getByRole("button", { name: "JSON", exact: true }).click();
    const text = JSON.stringify(looks(made.name), null, 2);
    await write(
      page,
      text.replace("linear.list_issues", "linear.lst_issues").replace("inputs.state }}", "inputs.stat }}"),
    );
    const problems = page.getByRole("region", { name: "Problems" });
    await problems.getByText("/plan/0/action").waitFor();
    assert.ok(await page.getByRole("button", { name: "Save version" }).isDisabled(), "what is wrong cannot be saved");
    assert.ok((await page.locator(".cm-lintRange-error").count()) > 0, "it is underlined where it is");
    await write(page, `${text} no`);
    await page.getByText("invalid JSON").waitFor();
    await page.getByRole("button", { name: "Form", exact: true }).click();
    await page.getByText("Fix it to use the form.").waitFor();
    await page.getByRole("button", { name: "JSON", exact: true }).click();
    await write(page, text.replace('"first": 5', '"first": 20'));
    await page.getByText("valid", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Form", exact: true }).click();
    assert.equal(
      await page.getByRole("region", { name: "Steps" }).getByLabel("first", { exact: true }).inputValue(),
      "20",
    );
    await page.getByRole("button", { name: "Save version" }).click();
    await page.waitForURL(new RegExp(`automations/${made.id}$`));
    await page.getByRole("button", { name: "Show 1 change" }).click();
    const row = page.getByRole("row", { name: "plan.look.config.first" });
    assert.deepEqual(await row.getByRole("cell").allInnerTexts(), ["5", "20"]);
    await owner("PATCH", `/v1/automations/${made.id}`, { status: "archived" });
    return { context, wrong };
  },

  async "names are offered while a template is written"(app) {
    const { page, context, wrong } = await open(app);
    await page.goto(`${app.url}/automations/new`);
    await page.getByRole("button", { name: "CI failure" }).click();
    await page.getByRole("button", { name: "JSON", exact: true }).click();
    await page.locator(".cm-line").filter({ hasText: '"title"' }).first().click();
    await page.keyboard.press("End");
    for (let n = 0; n < 2; n += 1) await page.keyboard.press("ArrowLeft");
    await page.keyboard.type(" {{ inp");
    await page.getByRole("option", { name: /inputs\.repository/ }).waitFor();
    await page.keyboard.press("Escape");
    // Leaving asks first: nothing that was written is lost by a wrong click.
    await page.getByRole("navigation", { name: "Pages" }).first().getByRole("link", { name: "Runs" }).click();
    await page
      .getByRole("dialog", { name: "Leave without saving?" })
      .getByRole("button", { name: "Keep editing" })
      .click();
    assert.match(page.url(), /automations\/new/);
    await page.getByRole("navigation", { name: "Pages" }).first().getByRole("link", { name: "Runs" }).click();
    await page.getByRole("button", { name: "Discard changes" }).click();
    await page.waitForURL(/\/runs/);
    return { context, wrong };
  },

  async "somebody else saved meanwhile: it is told, shown, and nothing is overwritten unseen"(app) {
    const { page, context, wrong } = await open(app);
    const made = await saved(looks(named("By two")));
    await page.goto(`${app.url}/automations/${made.id}/edit`);
    await page.getByRole("textbox", { name: "goal" }).fill("Mine.");
    await page.getByText("valid", { exact: true }).waitFor();
    await owner("PATCH", `/v1/automations/${made.id}`, {
      from_version: 1,
      definition: { ...looks(made.name), goal: "Theirs." },
    });
    await page.getByRole("button", { name: "Save version" }).click();
    const dialog = page.getByRole("dialog", { name: "Someone else saved a new version" });
    await dialog.getByRole("region", { name: "Their changes" }).getByText("Theirs.").waitFor();
    assert.equal((await owner("GET", `/v1/automations/${made.id}`)).body.goal, "Theirs.");
    await dialog.getByRole("button", { name: "Save mine as version 3" }).click();
    await page.waitForURL(new RegExp(`automations/${made.id}$`));
    assert.equal((await owner("GET", `/v1/automations/${made.id}`)).body.goal, "Mine.");
    await owner("PATCH", `/v1/automations/${made.id}`, { status: "archived" });
    return { context, wrong };
  },

  async "the token of a webhook is shown once, and a new one closes the old"(app) {
    const { page, context, wrong } = await open(app);
    const made = await saved(looks(named("By webhook")));
    await page.goto(`${app.url}/automations/${made.id}/edit`);
    await page.getByRole("button", { name: "+ Webhook" }).click();
    await page.getByRole("textbox", { name: "state" }).first().fill("$.wanted");
    await page.getByText("valid", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Save version" }).click();
    const dialog = page.getByRole("dialog", { name: "Copy this token now" });
    const shown = async () => (await dialog.locator("code[data-secret]").first().textContent()).trim();
    await dialog.waitFor();
    const first = await shown();
    await dialog.getByRole("button", { name: "Done" }).click();
    await page.getByText("A token is active").waitFor();
    assert.ok(!(await page.content()).includes(first), "it is gone from the page");
    const { path } = (await owner("GET", `/v1/automations/${made.id}`)).body.triggers[0];
    const knock = (token) =>
      fetch(gateway + path, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify({ wanted: "Done" }),
      });
    assert.equal((await knock(first)).status, 202);
    await page.getByRole("button", { name: "New token" }).click();
    await page.getByRole("button", { name: "Create token" }).click();
    await dialog.waitFor();
    const second = await shown();
    assert.notEqual(second, first);
    await dialog.getByRole("button", { name: "Done" }).click();
    assert.equal((await knock(first)).status, 401);
    assert.equal((await knock(second)).status, 202);
    await page.getByRole("button", { name: "Revoke token" }).click();
    await page.getByRole("button", { name: "Revoke", exact: true }).click();
    await page.getByText("No token").waitFor();
    assert.equal((await knock(second)).status, 401);
    await owner("PATCH", `/v1/automations/${made.id}`, { status: "archived" });
    return { context, wrong };
  },

  async "an automation is paused and resumed, and its runs are found"(app) {
    const { page, context, wrong } = await open(app, { viewport: PHONE });
    const made = await saved(
      looks(named("Now and then"), {
        triggers: [{ type: "schedule", config: { cron: "0 9 * * 1-5", timezone: "Africa/Kigali" } }],
      }),
    );
    const card = page.getByRole("listitem").filter({ hasText: made.name });
    await page.goto(`${app.url}/automations`);
    await card.getByText("0 9 * * 1-5").waitFor();
    await card.getByRole("button", { name: /^Pause/ }).tap();
    await card.getByText("Paused: manual runs only").waitFor();
    assert.equal((await owner("GET", `/v1/automations/${made.id}`)).body.status, "paused");
    await card.getByRole("button", { name: /^Resume/ }).tap();
    await card.getByText("0 9 * * 1-5").waitFor();
    await owner("POST", `/v1/automations/${made.id}/runs`, { inputs: {} });
    await page.goto(`${app.url}/runs?automation=${made.id}&status=succeeded`);
    await page.getByRole("list", { name: "Runs" }).getByText(made.name).waitFor();
    await page.getByLabel("Status").selectOption("failed");
    await page.getByText("No runs found").waitFor();
    await owner("PATCH", `/v1/automations/${made.id}`, { status: "archived" });
    return { context, wrong };
  },

  async "everybody can make automations"(app) {
    const made = await saved(
      looks(named("For everybody"), {
        triggers: [
          { type: "webhook", config: {} },
          { type: "schedule", config: { cron: "0 9 * * *", timezone: "UTC" } },
        ],
      }),
    );
    let [checked, last] = [0, null];
    for (const { colorScheme, viewport } of LOOKS) {
      const { page, context, wrong } = await open(app, { colorScheme, viewport });
      const look = async (what) => {
        await page.waitForTimeout(500);
        assert.deepEqual(
          (await serious(page)).map((each) => [what, colorScheme, ...each]),
          [],
        );
        assert.ok(
          await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
          `${what} is wider than the window`,
        );
        checked += 1;
      };
      await page.goto(`${app.url}/automations/${made.id}`);
      await page.getByRole("heading", { name: "Steps" }).waitFor();
      await look("automation");
      await page.goto(`${app.url}/automations/new`);
      await page.getByText("Empty automation").waitFor();
      await look("new");
      await page.goto(`${app.url}/automations/${made.id}/edit`);
      await page.getByText("valid", { exact: true }).waitFor();
      await look("form");
      await page.getByRole("region", { name: "Steps" }).getByRole("button", { name: "Choose an action" }).click();
      await look("choosing an action");
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "JSON", exact: true }).click();
      await page.getByRole("textbox", { name: "Definition as JSON" }).waitFor();
      await look("JSON");
      if (last !== null) await last.context.close();
      last = { context, wrong };
    }
    await owner("PATCH", `/v1/automations/${made.id}`, { status: "archived" });
    return { ...last, note: `${checked} pages without a serious finding` };
  },
};
