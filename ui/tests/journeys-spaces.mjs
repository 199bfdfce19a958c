// The way of a member into a space that is open to its members only, and out of it.
import assert from "node:assert/strict";
import { serious } from "./axe.mjs";
import { call, open, PHONE, tokens } from "./kit.mjs";
import { openAs, somebody } from "./people.mjs";
import { LEFT_OUT } from "./second-gateway.mjs";

const dialog = (page) => page.getByRole("dialog");
const rowIn = (page, list, text) =>
  page.getByRole("list", { name: list, exact: true }).getByRole("listitem").filter({ hasText: text });
const isNarrow = (page) => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
const CLOSED = "You cannot open sessions here";

/** The owner adds a space on the page and leaves who it is open to as it is. Returns its ID. */
async function addSpace(page, name) {
  await page.getByRole("button", { name: "Add a space" }).click();
  await dialog(page).getByLabel("Name", { exact: true }).fill(name);
  const members = dialog(page).getByRole("radio", { name: /^Members of the space/ });
  assert.ok(await members.isChecked(), "a new space is open to its members, unless somebody says otherwise");
  await dialog(page).getByRole("button", { name: "Add", exact: true }).click();
  await dialog(page).waitFor({ state: "detached" });
  await rowIn(page, "Spaces", name).getByText("open to its members").waitFor();
  const { items } = (await call(tokens.owner, "GET", "/v1/spaces?limit=100")).body;
  const added = items.find((space) => space.name === name);
  assert.deepEqual([added.open_to, added.may_open], ["members", true]);
  return added.id;
}

/** The owner adds the member for reading from Linear. */
async function addMember(page, name, person) {
  await page.getByRole("button", { name: `Members of ${name}` }).click();
  await page.getByText("No members yet. Only admins and owners can open sessions here.").waitFor();
  await page.getByRole("button", { name: `Add a member to ${name}` }).click();
  await dialog(page).getByRole("combobox", { name: "Member" }).selectOption(person.user);
  await dialog(page).getByRole("button", { name: "Add", exact: true }).click();
  await dialog(page).getByText("Select at least one source.").waitFor();
  const source = dialog(page)
    .getByRole("listitem")
    .filter({ hasText: /^linear/ });
  await source.getByRole("combobox").selectOption("read");
  assert.deepEqual(await serious(page), []);
  await dialog(page).getByRole("button", { name: "Add", exact: true }).click();
  await dialog(page).waitFor({ state: "detached" });
  await rowIn(page, `Members of ${name}`, person.name).getByText("linear:read").waitFor();
  assert.deepEqual(await serious(page), []);
}

/** The owner removes the member; before that, the page names the session that ends. */
async function removeMember(page, name, person, title) {
  await page.getByRole("button", { name: `Remove ${person.name} from ${name}` }).click();
  await dialog(page).getByText("their sessions in this space end at once").waitFor();
  await dialog(page).getByRole("list", { name: "Sessions that end" }).getByText(title).waitFor();
  assert.deepEqual(await serious(page), []);
  await dialog(page).getByRole("button", { name: "Remove" }).click();
  await dialog(page).waitFor({ state: "detached" });
  await page.getByText("No members yet. Only admins and owners can open sessions here.").waitFor();
}

async function isRefused(token, body, code) {
  const answer = await call(token, "POST", "/v1/sessions", body);
  assert.deepEqual([answer.status, answer.body.code], [403, code], JSON.stringify(answer.body));
}

async function memberWorks(app) {
  if (!process.env.COUNTERSIGN_BIN) return LEFT_OUT;
  const stamp = Date.now().toString(36);
  const [name, title, agent] = [`Support ${stamp}`, `Tickets ${stamp}`, `triage-${stamp}`];
  const person = await somebody({ name: `Tom ${stamp}` });
  try {
    const { page, context, wrong } = await open(app);
    await page.goto(`${app.url}/settings/spaces`);
    const space = await addSpace(page, name);
    const session = { agent, title, kind: "interactive", space, lifetime_s: 600 };

    // The member sees the space, and that it is not open to them.
    const other = await openAs(app, person.token, { viewport: PHONE });
    const theirs = rowIn(other.page, "Spaces", name);
    await other.page.goto(`${app.url}/settings/spaces`);
    await theirs.getByText(CLOSED).waitFor();
    assert.ok(await isNarrow(other.page), "nothing is wider than the phone");
    await isRefused(person.token, session, "not_in_space");

    await addMember(page, name, person);
    await other.page.reload();
    await theirs.waitFor();
    assert.equal(await theirs.getByText(CLOSED).count(), 0);
    await other.page.getByRole("button", { name: `Members of ${name}` }).tap();
    const own = rowIn(other.page, `Members of ${name}`, person.name);
    await own.getByText("linear:read").waitFor();
    await own.getByText("you", { exact: true }).waitFor();
    assert.equal(await other.page.getByRole("button", { name: `Add a member to ${name}` }).count(), 0);
    assert.ok(await isNarrow(other.page), "nothing is wider than the phone");

    // They open a session, which has at most what they have.
    await isRefused(person.token, { ...session, capabilities: ["linear:write"] }, "beyond_reach");
    await isRefused(person.token, { ...session, capabilities: ["*"] }, "beyond_reach");
    const opened = await call(person.token, "POST", "/v1/sessions", session);
    assert.equal(opened.status, 201, JSON.stringify(opened.body));
    assert.deepEqual(opened.body.session.capabilities, ["linear:read"]);
    const { token } = opened.body;
    const invoke = (action, params) =>
      call(token, "POST", `/v1/sessions/${opened.body.session.id}/actions/invoke`, { action, params });
    assert.equal((await invoke("linear.list_issues", {})).status, 200);
    assert.equal((await invoke("linear.create_issue", { team_id: "team-1", title: "No" })).status, 403);
    await other.page.goto(`${app.url}/agents/${agent}`);
    await other.page.getByText("reading from linear").waitFor();
    await rowIn(other.page, "Open sessions", title).waitFor();

    await removeMember(page, name, person, title);
    assert.equal((await call(token, "GET", "/v1/me")).status, 401, "the session ended at once");
    await isRefused(person.token, session, "not_in_space");
    await rowIn(other.page, "Open sessions", title).waitFor({ state: "detached" });
    await other.page.getByText("None. The agent can do nothing until someone opens a session for it.").waitFor();
    await other.page.goto(`${app.url}/settings/spaces`);
    await theirs.getByText(CLOSED).waitFor();
    assert.deepEqual(other.wrong, []);
    await other.context.close();

    // Both changes are recorded, and have words.
    await page.goto(`${app.url}/activity/changes?group=members`);
    const changes = page.getByRole("list", { name: "Changes" });
    await changes.getByText(`Space access of ${person.name} removed`).first().waitFor();
    await changes.getByText(`Space access of ${person.name} set`).first().waitFor();
    return { context, wrong };
  } finally {
    await call(tokens.owner, "DELETE", `/v1/members/${person.user}`);
  }
}

export const spaceJourneys = {
  "a member works in a space they were added to": memberWorks,
};
