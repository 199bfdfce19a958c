// More ways people go: a run that waits, answered in place; a grant that an agent asks for; and whether everybody can
// use the pages (axe).
import assert from "node:assert/strict";
import { LOOKS, serious } from "./axe.mjs";
import { ask, call, open, PHONE, session, shownDigest, tokens } from "./kit.mjs";

/** An automation with two steps that each need a person. */
const definition = {
  schema_version: "1.0",
  name: "Two questions",
  goal: "Asks a person twice.",
  triggers: [],
  inputs: { schema: { type: "object", properties: { title: { type: "string", default: "From a run" } } } },
  plan: [
    {
      step_id: "first",
      action: "linear.create_issue",
      output_as: "issue",
      config: { team_id: "team-1", title: "{{ inputs.title }}" },
    },
    { step_id: "second", action: "slack.send_message", config: { channel: "C0GENERAL", text: "Made it" } },
  ],
};

async function begin() {
  const known = (await call(tokens.owner, "GET", "/v1/automations")).body.items.find(
    (each) => each.name === definition.name,
  );
  const space = (await call(tokens.owner, "GET", "/v1/spaces")).body.items[0];
  const automation =
    known ?? (await call(tokens.owner, "POST", "/v1/automations", { definition, space: space.id })).body;
  const run = await call(tokens.owner, "POST", `/v1/automations/${automation.id}/runs`, { inputs: {} });
  assert.equal(run.status, 202, JSON.stringify(run.body));
  return run.body.id;
}

export async function waitingRun(app) {
  const run = await begin();
  const { page, context, wrong } = await open(app);
  await page.goto(`${app.url}/runs/${run}`);
  for (const action of ["linear.create_issue", "slack.send_message"]) {
    const waits = page.getByRole("region", { name: "Pending approval" });
    await waits.getByRole("heading", { name: action }).waitFor();
    await waits.getByRole("button", { name: "Approve once" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Approve once" }).click();
  }
  await page.getByRole("heading", { level: 1 }).getByText("succeeded").waitFor();
  const second = await begin();
  const cancel = async () => {
    await page.getByRole("button", { name: "Cancel run" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel run" }).click();
    await page.getByRole("heading", { level: 1 }).getByText("cancelled").waitFor();
  };
  await page.goto(`${app.url}/runs/${second}`);
  await page.getByText("Waiting for approval").waitFor();
  await cancel();
  await page.getByRole("button", { name: "Restart" }).click();
  await page.waitForURL((url) => !url.pathname.endsWith(second));
  await page.getByText("Waiting for approval").waitFor();
  await cancel();
  return { context, wrong };
}

export async function grantAsked(app) {
  const asked = await call(tokens.agent, "POST", `/v1/sessions/${session}/grants/request`, {
    action: "linear.add_comment",
    max_calls: 20,
    lifetime_s: 7200,
    reason: "about twenty issues",
  });
  const { page, context, wrong } = await open(app, { viewport: PHONE });
  await page.goto(`${app.url}/inbox/${asked.body.id}`);
  await page.getByRole("button", { name: "Approve grant" }).tap();
  await page.getByLabel("Calls").fill("2");
  await page.getByRole("dialog").getByRole("button", { name: "Approve grant" }).tap();
  await page.getByText("Grant approved", { exact: true }).waitFor();
  const grant = (await call(tokens.owner, "GET", "/v1/grants")).body.items.find((each) => each.max_calls === 2);
  assert.ok(grant, "less was given than asked for");
  await call(tokens.owner, "DELETE", `/v1/grants/${grant.id}`);
  return { context, wrong };
}

/** With FAKES_PID, the process that stands in for Slack: it is stopped while it is called, so that nobody knows. */
export async function makeUnknown(text) {
  const pid = Number(process.env.FAKES_PID ?? 0);
  if (pid === 0) return null;
  const { id } = await ask("slack.send_message", { channel: "C0GENERAL", text });
  // The document is read before: its preview may come from the process that is stopped.
  const shown_digest = await shownDigest(id);
  process.kill(pid, "SIGSTOP");
  try {
    await call(tokens.owner, "POST", `/v1/invocations/${id}/approve?wait=60s`, { shown_digest });
    for (let status = ""; status !== "unknown"; ) {
      ({ status } = (await call(tokens.owner, "GET", `/v1/invocations/${id}?wait=30s`)).body);
      assert.ok(["approved", "executing", "unknown"].includes(status), `it ended ${status}`);
    }
  } finally {
    process.kill(pid, "SIGCONT");
  }
  return id;
}

export async function unknown(app) {
  const id = await makeUnknown("Is this sent?");
  if (id === null) return { context: { close() {} }, wrong: [], isSkipped: true, note: "FAKES_PID is not set" };
  const { page, context, wrong } = await open(app, { viewport: PHONE });
  await page.goto(`${app.url}/inbox/${id}`);
  await page.getByText("The outcome is unknown").waitFor();
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/unknown-phone-light.png` });
  await page.getByRole("button", { name: "Record outcome" }).tap();
  await page.getByRole("radio", { name: "It succeeded" }).check();
  await page.getByLabel("Evidence").fill("the message is in the channel");
  await page.getByRole("button", { name: "Save" }).tap();
  await page.getByText("Outcome saved", { exact: true }).waitFor();
  assert.equal((await call(tokens.owner, "GET", `/v1/invocations/${id}`)).body.status, "succeeded");
  return { context, wrong };
}

export async function everybody(app) {
  const { id } = await ask("linear.create_issue", { team_id: "team-1", title: "For everybody" });
  const run = await begin();
  let checked = 0;
  let last;
  for (const look of LOOKS) {
    const { page, context, wrong } = await open(app, look);
    for (const path of [`/inbox/${id}`, "/inbox", "/automations", "/runs", `/runs/${run}`, "/activity"]) {
      await page.goto(app.url + path);
      await page.waitForTimeout(700);
      if (path.startsWith("/inbox/")) await page.getByRole("button", { name: "Deny" }).click();
      assert.deepEqual(
        (await serious(page)).map((each) => [path, look.colorScheme, ...each]),
        [],
      );
      checked += 1;
    }
    if (last) await last.context.close();
    last = { context, wrong };
  }
  await call(tokens.owner, "POST", `/v1/runs/${run}/cancel`);
  return { ...last, note: `${checked} pages without a serious finding` };
}
