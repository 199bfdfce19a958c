// The ways of people and programs into an organization, and out of it: invitations, first passkeys, service accounts,
// tokens.
import assert from "node:assert/strict";
import { serious } from "./axe.mjs";
import { add, device } from "./journeys-passkeys.mjs";
import { ask, call, open, PHONE, shownDigest, tokens } from "./kit.mjs";
import { freshOwner, openAs, somebody } from "./people.mjs";
import { free, LEFT_OUT, secondGateway } from "./second-gateway.mjs";

const dialog = (page) => page.getByRole("dialog");
const rowIn = (page, list, text) =>
  page.getByRole("list", { name: list, exact: true }).getByRole("listitem").filter({ hasText: text });
const isNarrow = (page) => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
const me = async (token) => call(token, "GET", "/v1/me");

/** Leaves a dialog with a secret that was not copied. */
async function leaveSecret(page) {
  await dialog(page).getByRole("button", { name: "Done" }).click();
  await dialog(page).getByText("This value cannot be shown again").waitFor();
  await dialog(page).getByRole("button", { name: "Done" }).click();
  await dialog(page).waitFor({ state: "detached" });
}

/** The owner invites a person on the page. Returns the link. */
async function invite(page, { name, email, role }) {
  await page.getByRole("button", { name: "Invite a person" }).click();
  await dialog(page).getByLabel("Name").fill(name);
  await dialog(page).getByLabel("Email").fill(email);
  await dialog(page).getByLabel("Role").selectOption(role);
  await dialog(page).getByRole("button", { name: "Create link" }).click();
  const link = await dialog(page).getByLabel("Link, shown once").inputValue();
  await leaveSecret(page);
  assert.ok(!(await page.content()).includes(secretOf(link)), "it is nowhere any more");
  return link;
}

const secretOf = (link) => new URL(link).hash.slice(1);

/** The invited person joins on a phone and adds a passkey. Returns their first token. */
async function joins(app, link) {
  const { page, context, wrong } = await open(app, { viewport: PHONE, signedIn: false });
  page.on("request", (request) => {
    if (request.url().includes(secretOf(link))) wrong.push(`sends the link: ${request.url()}`);
  });
  await device(context, page);
  await page.goto(link);
  await page.getByText(/invites you to .* as admin$/).waitFor();
  assert.equal(page.url(), `${app.url}/join`, "the token leaves the address bar");
  assert.deepEqual(await serious(page), []);
  assert.ok(await isNarrow(page), "nothing is wider than the phone");
  await page.getByLabel("Your name").fill("Mara M.");
  await page.getByRole("button", { name: "Join" }).tap();
  await page.getByText(/^You joined/).waitFor();
  const token = await page.getByLabel("Your token, shown once").inputValue();
  await add(page, "phone");
  await page.getByText("You have a passkey to sign with.").waitFor();
  assert.deepEqual(await serious(page), []);
  assert.ok(await isNarrow(page), "nothing is wider than the phone");
  const go = page.getByRole("button", { name: "Go to the inbox" });
  await go.tap();
  await page.getByText("This value cannot be shown again").waitFor();
  await go.tap();
  await page.getByRole("region", { name: "Inbox" }).waitFor();
  assert.ok(!(await page.content()).includes(token), "it is nowhere any more");
  // A link works once.
  await page.goto("about:blank");
  await page.goto(link);
  await page.getByText("This invitation cannot be used").waitFor();
  await context.close();
  assert.deepEqual(wrong, []);
  return token;
}

/** At a gateway that knows its own address by name: to an IP address no passkey belongs. */
async function invited({ browser }) {
  if (!process.env.COUNTERSIGN_BIN) return LEFT_OUT;
  const app = { browser, url: `http://localhost:${await free()}` };
  const stop = await secondGateway(app.url);
  try {
    const email = `m${Date.now()}@example.com`;
    const { page, context, wrong } = await openAs(app, await freshOwner());
    await page.goto(`${app.url}/settings/members`);
    const link = await invite(page, { name: "Mara", email, role: "admin" });
    assert.ok(link.startsWith(`${app.url}/join#`), link);
    await rowIn(page, "Invitations", email).waitFor();
    const token = await joins(app, link);
    assert.equal((await me(token)).body.role, "admin");

    // The owner's page learns of it.
    const row = rowIn(page, "Members", email);
    await row.getByText("Mara M.").waitFor();
    await row.getByText("invited by").waitFor();
    await rowIn(page, "Invitations", email).waitFor({ state: "detached" });
    assert.deepEqual(await serious(page), []);

    // A lost token: a new link, which is withdrawn.
    await row.getByRole("button", { name: "Tokens of Mara M." }).click();
    await page.getByRole("button", { name: "Create sign-in link for Mara M." }).click();
    await dialog(page).getByRole("button", { name: "Create link" }).click();
    const second = await dialog(page).getByLabel("Link, shown once").inputValue();
    await leaveSecret(page);
    const again = rowIn(page, "Invitations", email);
    await again.getByRole("button", { name: "New link" }).click();
    await dialog(page).getByRole("button", { name: "Create link" }).click();
    const third = await dialog(page).getByLabel("Link, shown once").inputValue();
    await leaveSecret(page);
    const look = async (each) =>
      (
        await context.request.post(`${app.url}/v1/join/look`, {
          data: { token: secretOf(each) },
          headers: { "x-countersign-web": "1" },
        })
      ).status();
    assert.deepEqual([await look(second), await look(third)], [404, 200], "a new link ends the earlier one");
    await again.getByRole("button", { name: "Withdraw" }).click();
    await dialog(page).getByRole("button", { name: "Withdraw" }).click();
    await again.waitFor({ state: "detached" });
    assert.equal(await look(third), 404);

    await row.getByRole("button", { name: "Edit" }).click();
    await dialog(page).getByLabel("Role").selectOption("member");
    await dialog(page).getByRole("button", { name: "Save" }).click();
    await row.getByText("member", { exact: true }).waitFor();
    await row.getByRole("button", { name: "Remove" }).click();
    await dialog(page).getByRole("button", { name: "Remove" }).click();
    await page.getByText("is no longer a member").waitFor();
    await row.waitFor({ state: "detached" });
    assert.equal((await me(token)).status, 401, "the token ended with the membership");
    // The gateway goes first otherwise, and the page says so.
    await context.close();
    return { context, wrong };
  } finally {
    stop();
  }
}

export const peopleJourneys = {
  "an invited person joins from the link, adds a passkey and is a member": invited,

  async "a service account has a token and no vote, at phone width"(app) {
    if (!process.env.COUNTERSIGN_BIN) return LEFT_OUT;
    const name = `deploy ${Date.now()}`;
    const { page, context, wrong } = await openAs(app, await freshOwner(), { viewport: PHONE });
    await page.goto(`${app.url}/settings/members`);
    await page.getByRole("button", { name: "Add a service account" }).tap();
    await dialog(page).getByLabel("Name").fill(name);
    await dialog(page).getByLabel("Role").selectOption("admin");
    await dialog(page).getByRole("button", { name: "Add" }).tap();
    const row = rowIn(page, "Members", name).first();
    await row.getByText("service account").waitFor();
    await page.getByRole("button", { name: `Create token for ${name}` }).tap();
    await dialog(page).getByLabel("Name").fill("production");
    await dialog(page).getByLabel("Expires after").selectOption("30 days");
    await dialog(page).getByRole("button", { name: "Create token" }).tap();
    const token = await dialog(page).getByLabel("Secret, shown once").inputValue();
    await leaveSecret(page);
    assert.deepEqual(await serious(page), []);
    assert.ok(await isNarrow(page), "nothing is wider than the phone");
    const { user, role } = (await me(token)).body;
    assert.equal(role, "admin");

    const { id } = await ask("linear.create_issue", { team_id: "team-1", title: "By a program" });
    const vote = await call(token, "POST", `/v1/invocations/${id}/approve`, { shown_digest: await shownDigest(id) });
    assert.equal(vote.status, 403, JSON.stringify(vote.body));

    await page
      .getByRole("list", { name: `Tokens of ${name}` })
      .getByRole("button", { name: "Revoke" })
      .tap();
    await dialog(page).getByRole("button", { name: "Revoke" }).tap();
    await page.getByText("no longer works").waitFor();
    assert.equal((await me(token)).status, 401);
    await call(tokens.owner, "DELETE", `/v1/members/${user}`);
    return { context, wrong };
  },

  async "an owner finds the token of another person and revokes it"(app) {
    if (!process.env.COUNTERSIGN_BIN) return LEFT_OUT;
    const person = await somebody({ name: `Tom ${Date.now()}` });
    const { page, context, wrong } = await open(app);
    await page.goto(`${app.url}/settings/tokens`);
    const search = page.getByLabel("Search all tokens");
    const row = rowIn(page, "All tokens", person.name);
    await row.or(search).first().waitFor();
    if (await search.isVisible()) await search.fill(person.name);
    await row.getByRole("button", { name: "Revoke" }).click();
    await dialog(page).getByText(person.name).waitFor();
    await dialog(page).getByRole("button", { name: "Revoke" }).click();
    await page.getByText("no longer works").waitFor();
    await row.waitFor({ state: "detached" });
    assert.equal((await me(person.token)).status, 401);
    assert.equal((await me(tokens.owner)).status, 200);
    await call(tokens.owner, "DELETE", `/v1/members/${person.user}`);
    return { context, wrong };
  },

  async "a sign-in that is too old for a new token is repeated, and leads back"(app) {
    const { page, context, wrong } = await open(app);
    await page.goto(`${app.url}/settings/tokens`);
    const problem = { type: "x", code: "fresh_sign_in_needed", status: 403, title: "x", detail: "x", hint: "x" };
    await page.route(/\/v1\/tokens$/, (route) =>
      route.request().method() === "POST" ? route.fulfill({ status: 403, json: problem }) : route.continue(),
    );
    await page.getByRole("button", { name: "Create a token" }).click();
    await dialog(page).getByLabel("Name").fill("laptop");
    await dialog(page).getByRole("button", { name: "Create token" }).click();
    await dialog(page).getByText("This needs a sign-in of the last ten minutes").waitFor();
    assert.deepEqual(await serious(page), []);
    await dialog(page).getByRole("button", { name: "Sign in again" }).click();
    // The list of tokens has a name like the field's.
    await page.locator("input").and(page.getByLabel("Your token")).fill(tokens.owner);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Your tokens" }).waitFor();
    assert.equal(new URL(page.url()).pathname, "/settings/tokens");
    return { context, wrong };
  },

  async "an authorization that nobody began is refused, and its code leaves the address bar"(app) {
    const { page, context, wrong } = await open(app, { signedIn: false });
    const sent = [];
    page.on("request", (request) => request.url().endsWith("/v1/oauth/finish") && sent.push(request.postDataJSON()));
    await page.goto(`${app.url}/connect#code=a%2Fb&state=nobody&iss=https%3A%2F%2Fauth.example`);
    await page.getByLabel("Your token").waitFor();
    assert.equal(page.url(), `${app.url}/connect`);
    assert.deepEqual(sent, [], "nothing is sent before the sign-in");
    await page.getByLabel("Your token").fill(tokens.owner);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("Another person began the authorization").waitFor();
    assert.deepEqual(sent, [{ state: "nobody", code: "a/b", iss: "https://auth.example" }], "it is sent once");
    await page.goto(`${app.url}/connect#error=refused`);
    await page.reload();
    await page.getByText("Nothing to finish here").waitFor();
    return { context, wrong };
  },
};
