// What the tests in a browser share: the built pages with a gateway's headers, a browser that may talk to nobody else,
// an agent that asks for things, and a person who answers behind the page's back.
//
// COUNTERSIGN_URL is a running gateway (`countersign dev`), COUNTERSIGN_DIR its directory with the tokens.
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { chromium } from "playwright-core";
import { preview } from "vite";

export const gateway = process.env.COUNTERSIGN_URL ?? "http://127.0.0.1:9411";
export const dir = process.env.COUNTERSIGN_DIR ?? "/tmp/webdev";
export const tokens = {
  owner: (await readFile(`${dir}/owner-of-demo.token`, "utf8")).trim(),
  agent: (await readFile(`${dir}/agent.token`, "utf8")).trim(),
};

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
export const PHONE = { width: 390, height: 844 };
export const DESK = { width: 1360, height: 860 };

export async function call(token, method, path, body) {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body === undefined ? {} : { "content-type": "application/json" }),
  };
  const response = await fetch(gateway + path, {
    method,
    headers,
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? null : JSON.parse(text) };
}

/** The session of the agent. */
export let { session } = (await call(tokens.agent, "GET", "/v1/me")).body;
const { agent: AGENT, kind: KIND } = (await call(tokens.owner, "GET", `/v1/sessions/${session}`)).body;

/**
 * The agent begins a new session: one that was denied an action three times must wait before it asks again. By default
 * it could use only the sources of this moment, and a journey may connect one.
 */
async function newSession() {
  const wanted = { agent: AGENT, kind: KIND, capabilities: ["*"] };
  const { body } = await call(tokens.owner, "POST", "/v1/sessions", wanted);
  session = body.session.id;
  tokens.agent = body.token;
}

/** The agent asks for an action; what comes back waits for a person. */
export async function ask(action, params) {
  const { status, body } = await call(tokens.agent, "POST", `/v1/sessions/${session}/actions/invoke`, {
    action,
    params,
  });
  if (status !== 202) throw new Error(`${action} does not wait: ${status} ${JSON.stringify(body)}`);
  return body;
}

/** The agent asks for an action that is refused and quarantined. Returns the invocation, which waits for a person. */
export async function askQuarantined(action, params) {
  const { status, body } = await call(tokens.agent, "POST", `/v1/sessions/${session}/actions/invoke`, {
    action,
    params,
  });
  if (status !== 403 || body.code !== "quarantined")
    throw new Error(`${action} is not quarantined: ${status} ${JSON.stringify(body)}`);
  return { id: body.invocation };
}

/** Canonical JSON (RFC 8785), written apart from what the page uses. */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical)}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`)}}`;
}

/** The digest that an answer names: of the document in the inbox item. */
export async function shownDigest(id, token = tokens.owner) {
  const { status, body } = await call(token, "GET", `/v1/inbox/${id}`);
  if (status !== 200 || body.shown === undefined) throw new Error(`${id}: ${status} ${JSON.stringify(body)}`);
  return `sha256:${createHash("sha256").update(canonical(body.shown)).digest("hex")}`;
}

/** A person approves, behind the page's back. */
export async function approve({ id }, { token = tokens.owner, wait = "20s", ...more } = {}) {
  const shown_digest = await shownDigest(id, token);
  return call(token, "POST", `/v1/invocations/${id}/approve?wait=${wait}`, { shown_digest, ...more });
}

export async function deny({ id }, { token = tokens.owner, ...more } = {}) {
  const shown_digest = await shownDigest(id, token);
  return call(token, "POST", `/v1/invocations/${id}/deny`, { shown_digest, ...more });
}

/** Waits until the open request can be answered; before that, keys do nothing. */
export const answerable = (page) => page.locator("article footer button:enabled").first().waitFor();

/** How an invocation stands, once it is not being performed. */
export async function status(id) {
  const until = Date.now() + 120_000;
  for (;;) {
    const { body } = await call(tokens.owner, "GET", `/v1/invocations/${id}`);
    if (!["approved", "executing"].includes(body.status) || Date.now() > until) return body.status;
    await new Promise((done) => setTimeout(done, 100));
  }
}

/** What the fake of Linear received. It listens where the document of a pending request says that the call goes. */
export async function linear(id) {
  const { shown } = (await call(tokens.owner, "GET", `/v1/inbox/${id}`)).body;
  const { address } = shown.destinations.find(({ source }) => source === "linear");
  const read = async (path) => (await fetch(new URL(path, address))).json();
  return { effects: () => read("/_effects"), requests: async () => JSON.stringify(await read("/_requests")) };
}

/** What the page says after a yes: what came of it, or on a busy machine only that it counted. */
export const APPROVED = /^Approved( and done)?$/;

/** Resumes what an earlier test stopped. */
export async function resumeAll() {
  const { items } = (await call(tokens.owner, "GET", "/v1/conduct")).body;
  for (const { scope, subject } of items)
    await call(tokens.owner, "PUT", "/v1/conduct", { scope, subject, conduct: "normal", reason: "a test" });
}

/** Takes every grant back, and denies or discards everything that waits, so that a test begins with an empty inbox. */
export async function clear() {
  await resumeAll();
  await newSession();
  const grants = (await call(tokens.owner, "GET", "/v1/grants?limit=100")).body.items;
  for (const grant of grants.filter((each) => each.state === "active"))
    await call(tokens.owner, "DELETE", `/v1/grants/${grant.id}`);
  for (;;) {
    const { items } = (await call(tokens.owner, "GET", "/v1/inbox?limit=100")).body;
    if (items.length === 0) return;
    for (const item of items) {
      if (item.kind === "unknown") {
        await call(tokens.owner, "POST", `/v1/invocations/${item.invocation.id}/reconcile`, {
          outcome: "failed",
          evidence: "a test",
        });
        continue;
      }
      if (item.kind === "quarantined") {
        await call(tokens.owner, "POST", `/v1/invocations/${item.invocation.id}/discard`, { reason: "a test" });
        continue;
      }
      if (item.kind === "grant_request")
        await call(tokens.owner, "POST", `/v1/grant-requests/${item.id}/answer`, { give: false });
      else
        await deny(item.invocation).catch(async (error) => {
          // One that ended meanwhile has no document.
          if ((await status(item.invocation.id)) === "pending") throw error;
        });
    }
  }
}

export const launch = () =>
  chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: FLAGS });

/** The web where COUNTERSIGN_WEB says that it is served, or what was built, served here. */
export async function start() {
  process.env.COUNTERSIGN_URL = gateway;
  if (process.env.COUNTERSIGN_WEB) {
    const browser = await launch();
    return { url: process.env.COUNTERSIGN_WEB.replace(/\/$/, ""), browser, stop: () => browser.close() };
  }
  const server = await preview({ preview: { port: 0, host: "127.0.0.1" }, logLevel: "error" });
  const url = server.resolvedUrls.local[0].replace(/\/$/, "");
  const browser = await launch();
  const stop = async () => {
    await browser.close();
    await new Promise((done) => server.httpServer.close(done) && server.httpServer.closeAllConnections());
  };
  return { url, browser, stop };
}

/** A page that keeps what it should not do: talk to others, break the policy, write errors. */
export async function open({ url, browser }, { viewport = DESK, colorScheme = "light", signedIn = true } = {}) {
  const context = await browser.newContext({
    viewport,
    colorScheme,
    reducedMotion: "reduce",
    hasTouch: viewport === PHONE,
  });
  // A busy machine may take long, and what is not woken is looked after within half a minute.
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  const wrong = [];
  page.on(
    "request",
    (request) =>
      !request.url().startsWith(url) && !request.url().startsWith("data:") && wrong.push(`asks ${request.url()}`),
  );
  page.on(
    "console",
    (line) => line.type() === "error" && !/status of (4|5)\d\d/.test(line.text()) && wrong.push(line.text()),
  );
  page.on("pageerror", (error) => wrong.push(String(error)));
  page.on("dialog", (dialog) => {
    wrong.push(`a script ran: ${dialog.message()}`);
    void dialog.dismiss();
  });
  if (signedIn) {
    const answer = await context.request.post(`${url}/v1/signin`, {
      data: { token: tokens.owner },
      headers: { "x-countersign-web": "1" },
    });
    if (!answer.ok()) throw new Error(`not signed in: ${answer.status()} ${await answer.text()}`);
  }
  return { page, context, wrong };
}
