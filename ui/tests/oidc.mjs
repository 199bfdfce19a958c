// Signing in by a real identity provider: `oidc-provider` on this machine, and a second gateway that knows it.
import assert from "node:assert/strict";
import { Provider } from "oidc-provider";
import { call, open, tokens } from "./kit.mjs";
import { operatorInvites } from "./people.mjs";
import { free, LEFT_OUT, secondGateway } from "./second-gateway.mjs";

/** Lets anybody in under the address they type; `unverified@…` is one that it has not verified. */
async function provider(redirect) {
  const port = await free();
  const issuer = `http://127.0.0.1:${port}`;
  const made = new Provider(issuer, {
    clients: [
      {
        client_id: "countersign",
        client_secret: "a-secret-of-the-test",
        redirect_uris: [redirect],
        response_types: ["code"],
        grant_types: ["authorization_code"],
      },
    ],
    cookies: { keys: ["a key of the test"] },
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    conformIdTokenClaims: false,
    findAccount: (_, id) => ({
      accountId: id,
      claims: () => ({ sub: id, email: id, email_verified: !id.startsWith("unverified"), name: id }),
    }),
  });
  made.on("server_error", (_, error) => console.log("provider:", error.message));
  const server = await new Promise((done) => {
    const one = made.listen(port, "127.0.0.1", () => done(one));
  });
  return { issuer, stop: () => server.closeAllConnections() ?? server.close() };
}

export async function byProvider({ browser }) {
  if (!process.env.COUNTERSIGN_BIN) return LEFT_OUT;
  const url = `http://127.0.0.1:${await free()}`;
  const known = await provider(`${url}/v1/signin/oidc/callback`);
  const stops = [known.stop];
  try {
    const env = {
      COUNTERSIGN_OIDC_ISSUER: known.issuer,
      COUNTERSIGN_OIDC_CLIENT_ID: "countersign",
      COUNTERSIGN_OIDC_CLIENT_SECRET: "a-secret-of-the-test",
      COUNTERSIGN_OIDC_NAME: "Acme",
    };
    stops.push(await secondGateway(url, env));
    return await through({ url, browser }, known.issuer);
  } finally {
    stops.forEach((stop) => stop());
  }
}

async function through(app, issuer) {
  const email = `o${Date.now()}@example.com`;
  const invitation = await operatorInvites({ email, name: "Ola", role: "admin" });
  const { page, context, wrong } = await open(app, { signedIn: false });
  const button = page.getByRole("link", { name: "Sign in with Acme" });
  const there = async (login) => {
    const ours = [...wrong];
    await button.click();
    await page.waitForURL((url) => url.origin === issuer);
    await page.getByPlaceholder("Enter any login").fill(login);
    await page.getByPlaceholder("and password").fill("any");
    await page.getByRole("button", { name: "Sign-in" }).click();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.waitForURL((url) => url.origin === app.url);
    // The provider's own pages are not ours to judge.
    wrong.splice(0, wrong.length, ...ours);
  };

  // The page of the invitation offers only the provider.
  await page.goto(`${app.url}/join#${invitation}`);
  await page.getByText(email).first().waitFor();
  await button.waitFor();
  assert.equal(page.url(), `${app.url}/join`);
  assert.equal(await page.getByRole("button", { name: "Join" }).count(), 0);

  for (const [login, said] of [
    ["stranger@example.com", "You are not a member of any organization here"],
    ["unverified@example.com", "has not verified your email address"],
  ]) {
    await page.goto(`${app.url}/settings/spaces`);
    await there(login);
    await page.getByText(said).waitFor();
    await context.clearCookies();
  }
  // The page that was asked for first is still where it leads. Signing in accepts the invitation.
  await there(email);
  await page.getByRole("heading", { name: "Spaces" }).waitFor();
  assert.equal(new URL(page.url()).pathname, "/settings/spaces");
  const who = await page.evaluate(async () => (await fetch("/v1/me")).json());
  assert.deepEqual([who.email, who.role], [email, "admin"]);
  await page.keyboard.press("Control+k");
  await page.getByLabel("Page or command").fill("sign out");
  await page.keyboard.press("Enter");
  await button.waitFor();
  await call(tokens.owner, "DELETE", `/v1/members/${who.user}`);
  return { context, wrong, note: "a stranger and an unverified address are turned away" };
}
