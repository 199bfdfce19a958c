// Signing in by a real identity provider: `oidc-provider` on this machine, and a second gateway on the same databases that
// knows it. COUNTERSIGN_BIN is the directory of the program; without it there is no second gateway, and this is left out.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { Provider } from "oidc-provider";
import { preview } from "vite";
import { call, dir, open, tokens } from "./kit.mjs";

const free = () => new Promise((done) => {
  const server = createServer().listen(0, "127.0.0.1", () => {
    const { port } = server.address();
    server.close(() => done(port));
  });
});

/** Lets anybody in under the address they type; `unverified@…` is one that it has not verified. */
async function provider(redirect) {
  const port = await free();
  const issuer = `http://127.0.0.1:${port}`;
  const made = new Provider(issuer, {
    clients: [{ client_id: "countersign", client_secret: "a-secret-of-the-test", redirect_uris: [redirect], response_types: ["code"], grant_types: ["authorization_code"] }],
    cookies: { keys: ["a key of the test"] },
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    conformIdTokenClaims: false,
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, email: id, email_verified: !id.startsWith("unverified"), name: id }) }),
  });
  made.on("server_error", (_, error) => console.log("provider:", error.message));
  const server = await new Promise((done) => { const one = made.listen(port, "127.0.0.1", () => done(one)); });
  return { issuer, stop: () => server.closeAllConnections() ?? server.close() };
}

async function secondGateway(bin, publicUrl, issuer) {
  const settings = JSON.parse(await readFile(`${dir}/settings.json`, "utf8"));
  const port = await free();
  const child = spawn(`${bin}/countersign`, ["serve"], {
    stdio: ["ignore", "ignore", "inherit"],
    env: {
      PATH: process.env.PATH, HOME: process.env.HOME, RUST_LOG: "warn", COUNTERSIGN_LOG_FORMAT: "text",
      COUNTERSIGN_DATABASE_URL: settings.database_url, COUNTERSIGN_REDIS_URL: settings.redis_url, COUNTERSIGN_RESTATE_INGRESS_URL: settings.restate_ingress_url,
      COUNTERSIGN_MASTER_KEY_FILE: settings.master_key_file, COUNTERSIGN_LISTEN: `127.0.0.1:${port}`, COUNTERSIGN_PUBLIC_URL: publicUrl,
      COUNTERSIGN_OIDC_ISSUER: issuer, COUNTERSIGN_OIDC_CLIENT_ID: "countersign", COUNTERSIGN_OIDC_CLIENT_SECRET: "a-secret-of-the-test", COUNTERSIGN_OIDC_NAME: "Acme",
    },
  });
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; ; tries += 1) {
    if (await fetch(`${url}/readyz`).then((answer) => answer.ok, () => false)) break;
    assert.ok(tries < 150 && child.exitCode === null, "the second gateway is not ready");
    await new Promise((done) => setTimeout(done, 200));
  }
  return { url, stop: () => child.kill("SIGTERM") };
}

export async function byProvider({ browser }) {
  const bin = process.env.COUNTERSIGN_BIN;
  if (!bin) return { context: { close() {} }, wrong: [], isSkipped: true, note: "COUNTERSIGN_BIN is not set" };
  const page_port = await free();
  const url = `http://127.0.0.1:${page_port}`;
  const known = await provider(`${url}/v1/signin/oidc/callback`);
  const stops = [known.stop];
  try {
    const second = await secondGateway(bin, url, known.issuer);
    stops.push(second.stop);
    const proxy = Object.fromEntries(["/v1", "/.well-known"].map((path) => [path, { target: second.url, changeOrigin: false }]));
    const pages = await preview({ preview: { port: page_port, strictPort: true, host: "127.0.0.1", proxy }, logLevel: "error" });
    stops.push(() => pages.httpServer.closeAllConnections() ?? pages.httpServer.close());
    return await through({ url, browser }, known.issuer);
  } finally {
    stops.forEach((stop) => stop());
  }
}

async function through(app, issuer) {
  const email = `o${Date.now()}@example.com`;
  const added = await call(tokens.owner, "POST", "/v1/members", { email, name: "Ola", role: "admin" });
  assert.equal(added.status, 201);
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

  for (const [login, said] of [["stranger@example.com", "you are not in any org here"], ["unverified@example.com", "has not verified your e-mail address"]]) {
    await page.goto(`${app.url}/settings/spaces`);
    await there(login);
    await page.getByText(said).waitFor();
    await context.clearCookies();
  }
  // The page that was asked for first is still where it leads.
  await there(email);
  await page.getByRole("heading", { name: "Spaces" }).waitFor();
  assert.equal(new URL(page.url()).pathname, "/settings/spaces");
  const who = await page.evaluate(async () => (await fetch("/v1/me")).json());
  assert.deepEqual([who.email, who.role], [email, "admin"]);
  await page.keyboard.press("Control+k");
  await page.getByLabel("Page or command").fill("sign out");
  await page.keyboard.press("Enter");
  await button.waitFor();
  return { context, wrong, note: "a stranger and an unverified address are turned away" };
}
