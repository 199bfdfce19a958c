// The ways of an admin with the flow of data: flows are held, what leaves is read and approved, what was read is
// trusted, a flow of an automation is consented to, and the report says what would have been asked.
import assert from "node:assert/strict";
import { everybodyCan } from "./axe.mjs";
import { writeGates } from "./journeys-policies.mjs";
import { APPROVED, call, open, session, status, tokens } from "./kit.mjs";

const [READ, SEND, PLACE] = ["linear.get_issue", "slack.send_message", "C0GENERAL"];
const owner = async (method, path, body) => {
  const answer = await call(tokens.owner, method, path, body);
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
};
const invoke = (action, params) =>
  call(tokens.agent, "POST", `/v1/sessions/${session}/actions/invoke`, { action, params });
const send = (text) => invoke(SEND, { channel: PLACE, text });
const dialog = (page) => page.getByRole("dialog");
const toast = (page, text) => page.getByRole("status").filter({ hasText: text });

async function setFlow(flow) {
  const { version } = await owner("GET", "/v1/gates");
  await owner("PUT", "/v1/gates", { version, flow });
}

/** Sending is allowed by a rule, so that only its flow can hold it. Afterwards, both are as before. */
async function withRule(act) {
  await setFlow({ mode: "observe" });
  const rule = await owner("PUT", "/v1/rules", { action: SEND, mode: "allow", reason: "a test" });
  try {
    return await act();
  } finally {
    await setFlow({ mode: "observe" });
    await owner("DELETE", `/v1/rules/${rule.id}`);
  }
}

/** Waits until what was asked for has succeeded without a question. Returns its ID. */
async function happened({ body }) {
  assert.equal(await status(body.id), "succeeded", JSON.stringify(body));
  return body.id;
}

/** The agent reads an issue. Returns its title. */
async function read() {
  const id = await happened(await invoke(READ, { issue: "ENG-1" }));
  const { title } = (await owner("GET", `/v1/invocations/${id}`)).result;
  assert.ok(title.length >= 24, `${title} is long enough for a passage`);
  return title;
}

/** Flows are held from now on. What Linear holds is public, so that only who chose the place matters. */
async function hold(app, page) {
  await page.goto(`${app.url}/policy#gates`);
  await page.getByRole("textbox", { name: "Gate settings as JSON" }).waitFor();
  await writeGates(page, { flow: { mode: "hold", public: ["linear"] } });
  await page.getByLabel("Reason for the change").fill("Two weeks observed");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await toast(page, "apply from the next decision on").waitFor();
}

/** The approval says what leaves, to whom, who chose it, and what was read. */
async function readApproval(app, page, { id, title }) {
  await page.goto(`${app.url}/inbox/${id}`);
  await page.getByRole("heading", { name: "Where the data goes" }).waitFor();
  const fact = (name) => page.locator("dl > div").filter({ has: page.getByText(name, { exact: true }) });
  await fact("Sent to").getByText(PLACE).waitFor();
  await fact("Who may see it there").getByText("Anyone").waitFor();
  await fact("Place chosen by").getByText("A model").waitFor();
  await fact("Read, may contain text by strangers").getByText(READ).waitFor();
  await fact("Why it is held").getByText("the destination was chosen by a model").waitFor();
  const passage = page.getByRole("list", { name: "Passages that were read" }).getByRole("listitem");
  await passage.getByText("/text", { exact: true }).waitFor();
  await passage.getByText(title).waitFor();
  await passage.getByRole("link", { name: READ }).waitFor();
}

async function trust(page) {
  await page.getByRole("button", { name: "Trust what was read" }).click();
  await dialog(page).getByText(READ).waitFor();
  await dialog(page).getByLabel("Note").fill("by Ada");
  await dialog(page).getByRole("button", { name: "Trust what was read" }).click();
  await page.getByText("This request still needs an answer.").first().waitFor();
  const [{ change, after }] = (await owner("GET", "/v1/changes?limit=1")).items;
  assert.deepEqual([change, after.note, after.origins], ["flow.endorsed", "by Ada", [READ]]);
}

async function approve(page) {
  await page.getByRole("button", { name: "Approve once" }).click();
  await dialog(page).getByRole("button", { name: "Approve once" }).click();
  await page.getByText(APPROVED).first().waitFor();
}

/** An automation that sends what it read to a place of its definition. */
async function automation() {
  const definition = {
    schema_version: "1.0",
    name: `Digest ${Date.now().toString(36)}`,
    goal: "Posts the first open issue.",
    plan: [
      { step_id: "look", action: "linear.list_issues", output_as: "open", config: { first: 5 } },
      { step_id: "tell", action: SEND, config: { channel: PLACE, text: "{{ open.issues[0].title }}" } },
    ],
  };
  return owner("POST", "/v1/automations", { definition });
}

export const flowJourneys = {
  async "flows are held, read in an approval and trusted; one of an automation is consented to, and all are reported"(
    app,
  ) {
    return withRule(async () => {
      const { page, context, wrong } = await open(app);
      const title = await read();
      // Flows are only observed yet.
      await happened(await send(`Did you know? ${title}.`));

      await hold(app, page);
      const held = await send(`Did you know? ${title}.`);
      assert.equal(held.body.status, "pending", JSON.stringify(held.body));
      await readApproval(app, page, { id: held.body.id, title });
      await everybodyCan(page, "the approval");
      await trust(page);
      assert.equal(await status(held.body.id), "pending", "trust approves nothing");
      await approve(page);
      assert.equal(await status(held.body.id), "succeeded");
      await happened(await send("After it was trusted"));
      await read();
      assert.equal((await send("Read again")).body.status, "pending", "trust covers nothing later");

      await setFlow({ mode: "hold" });
      const { id } = await automation();
      await page.goto(`${app.url}/automations/${id}`);
      const flows = page.getByRole("list", { name: "Data flows" });
      await flows.getByText("A person is asked each time").waitFor();
      await flows.getByText("The definition of the automation").waitFor();
      await everybodyCan(page, "the flows of an automation");
      await flows.getByRole("button", { name: /^Consent/ }).click();
      for (const text of ["linear", SEND, PLACE]) await dialog(page).getByText(text, { exact: true }).waitFor();
      await dialog(page).getByLabel("Reason for the change").fill("The channel is ours");
      await dialog(page).getByRole("button", { name: "Consent", exact: true }).click();
      await flows.getByText("An admin consented").waitFor();
      const run = await owner("POST", `/v1/automations/${id}/runs`, { inputs: {} });
      await page.goto(`${app.url}/runs/${run.id}`);
      await page.getByRole("heading", { level: 1 }).getByText("succeeded").waitFor();

      await page.goto(`${app.url}/policy#flows`);
      const report = page.getByRole("region", { name: "Report", exact: true });
      await report.getByText(/^In the last 14 days, flows alone asked or would have asked/).waitFor();
      const rows = report.getByRole("row").filter({ hasText: SEND }).filter({ hasText: "A model" });
      await rows.filter({ hasText: "would have asked" }).first().waitFor();
      await rows
        .filter({ has: page.getByText("asked", { exact: true }) })
        .first()
        .waitFor();
      await everybodyCan(page, "the report");
      await owner("PATCH", `/v1/automations/${id}`, { status: "archived" });
      return { context, wrong };
    });
  },
};
