// People of the tests. The operator invites them: whoever lets a person in counts as the same person for a day, and an
// owner may invite only with a sign-in of the last ten minutes. Needs COUNTERSIGN_BIN, the directory of the program.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { call, gateway, open, tokens } from "./kit.mjs";
import { environment, program } from "./second-gateway.mjs";

const run = promisify(execFile);

/** The token of an invitation. For a member, with the role that they have, it is a new sign-in link. */
export async function operatorInvites({ email, name, role }) {
  const { org_slug } = (await call(tokens.owner, "GET", "/v1/me")).body;
  const who = ["--org", org_slug, "--email", email, "--name", name, "--role", role];
  const { stdout } = await run(program(), ["invite", "--json", ...who], { env: await environment() });
  return JSON.parse(stdout).token;
}

async function join(invitation) {
  const response = await fetch(`${gateway}/v1/join`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token: invitation }),
  });
  const text = await response.text();
  assert.equal(response.status, 201, text);
  return JSON.parse(text);
}

/** Somebody who has joined, with a token. */
export async function somebody({ name, role = "member", email = `t${Date.now()}@example.org` }) {
  const { me, token } = await join(await operatorInvites({ email, name, role }));
  return { user: me.user, name, email, token: token.token };
}

/** A member who is no admin. */
export const reader = () => somebody({ name: "Reader", email: "reader@example.org" });

/** A token of the owner that was created now, as inviting people and creating tokens needs it. */
export async function freshOwner() {
  const { email, name, role } = (await call(tokens.owner, "GET", "/v1/me")).body;
  return (await join(await operatorInvites({ email, name, role }))).token.token;
}

/** A token of the owner that they did not join with: a first passkey that it adds waits for another approver. */
export async function laterToken() {
  const { status, body } = await call(await freshOwner(), "POST", "/v1/tokens", {
    name: "a journey",
    lifetime_s: 3600,
  });
  assert.equal(status, 201, JSON.stringify(body));
  return body.token;
}

/** A page that this person opened and signed in to. */
export async function openAs(app, token, options) {
  const opened = await open(app, { ...options, signedIn: false });
  await opened.page.goto(`${app.url}/inbox`);
  await opened.page.getByLabel("Your token").fill(token);
  await opened.page.getByRole("button", { name: "Sign in" }).click();
  await opened.page.getByRole("region", { name: "Inbox" }).waitFor();
  return opened;
}
