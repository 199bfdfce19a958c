// A yes that is signed: a passkey is added and confirmed, the org asks for signatures, what is hard to undo is approved
// with one, and whoever reads the receipt sees it. What was signed once counts for nothing else.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { serious } from "./axe.mjs";
import { APPROVED, ask, call, open, PHONE, shownDigest, status, tokens } from "./kit.mjs";
import { mcpServer, WIPE } from "./mcp-server.mjs";
import { laterToken, openAs, operatorInvites, somebody } from "./people.mjs";
import { free, LEFT_OUT, secondGateway } from "./second-gateway.mjs";
import { verifiedByOthers } from "./third-party.mjs";

const SOURCE = "archive";
const owner = (method, path, body) => call(tokens.owner, method, path, body);
const dialog = (page) => page.getByRole("dialog");
const wipe = (page) => ask(`${SOURCE}.wipe`, { page });

/** Something that deletes for good (R3), reviewed and ready. */
async function source() {
  await owner("DELETE", `/v1/connectors/${SOURCE}`);
  const server = await mcpServer([WIPE]);
  await owner("POST", "/v1/connectors", { source: SOURCE, kind: "mcp", place: server.url });
  for (const { tool, shape_hash, text_hash } of (await owner("GET", `/v1/connectors/${SOURCE}`)).body.tools) {
    await owner("POST", `/v1/connectors/${SOURCE}/review`, {
      tool,
      shape_hash,
      text_hash,
      verdict: "accept",
      risk: "R3",
      effect: "once",
    });
  }
  return server;
}

async function without() {
  for (const { id, removed_at } of (await owner("GET", "/v1/passkeys?limit=100")).body.items)
    if (removed_at == null) await owner("DELETE", `/v1/passkeys/${id}`);
}

/** A device in the browser that makes and uses passkeys by itself, and can be told to be away. */
export async function device(context, page, transport = "internal") {
  const cdp = await context.newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const options = {
    protocol: "ctap2",
    ctap2Version: "ctap2_1",
    transport,
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  };
  const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", { options });
  const is = (there) => cdp.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled: there });
  const knows = (them) => cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: them });
  return {
    cdp,
    is,
    knows,
    another: (kind) =>
      cdp.send("WebAuthn.addVirtualAuthenticator", { options: { ...options, transport: kind } }).then(
        ({ authenticatorId: id }) =>
          (there) =>
            cdp.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId: id, enabled: there }),
      ),
  };
}

export async function add(page, name) {
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await dialog(page).getByLabel("Name").fill(name);
  await dialog(page).getByRole("button", { name: "Create passkey" }).click();
}

const row = (page, name) =>
  page.getByRole("list", { name: "Passkeys" }).getByRole("listitem").filter({ hasText: name });

/** What a passkey on this page signs when it is asked by hand. */
const signed = (page, credential, statement) => {
  const challenge = createHash("sha256")
    .update(JSON.stringify(Object.fromEntries(Object.entries(statement).sort(([a], [b]) => (a < b ? -1 : 1)))))
    .digest("base64url");
  return page.evaluate(
    async ([id, asked]) => {
      const bytes = (text) =>
        Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
      const text = (buffer) =>
        btoa(String.fromCharCode(...new Uint8Array(buffer)))
          .replaceAll("+", "-")
          .replaceAll("/", "_")
          .replace(/=+$/, "");
      const { rawId, response } = await navigator.credentials.get({
        publicKey: {
          challenge: bytes(asked),
          allowCredentials: [{ type: "public-key", id: bytes(id) }],
          userVerification: "required",
        },
      });
      return {
        credential: text(rawId),
        client_data: text(response.clientDataJSON),
        authenticator_data: text(response.authenticatorData),
        signature: text(response.signature),
      };
    },
    [credential, challenge],
  );
};

async function refuses(code, id, body) {
  const answer = await owner("POST", `/v1/invocations/${id}/approve`, body);
  assert.deepEqual([answer.status, answer.body.code], [403, code], JSON.stringify(answer.body));
  assert.equal((await owner("GET", `/v1/invocations/${id}`)).body.status, "pending", "nothing was done");
}

/** At a gateway that knows its own address by name: to an address of numbers no passkey belongs. */
async function aSignedYes({ browser, url: byNumbers }) {
  if (!process.env.COUNTERSIGN_BIN) return LEFT_OUT;
  const url = `http://localhost:${await free()}`;
  const server = await source();
  await without();
  const stop = await secondGateway(url);
  const nora = await somebody({ name: "Nora", role: "admin" });
  try {
    return await through({ url, browser }, { url: byNumbers, browser }, nora);
  } finally {
    await without();
    await owner("DELETE", `/v1/members/${nora.user}`);
    stop();
    await server.stop();
    await owner("DELETE", `/v1/connectors/${SOURCE}`);
  }
}

async function through(app, byNumbers, nora) {
  const { page, context, wrong } = await openAs(app, await laterToken());
  const own = await device(context, page);

  // Nobody has a passkey: the rule would leave nobody who can say yes.
  await page.goto(`${app.url}/settings/org`);
  const rule = page.getByLabel(/must be signed with a passkey/);
  await rule.check();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("no_passkeys").waitFor();
  await page.getByRole("alert").getByRole("link", { name: "Add a passkey" }).click();

  await page.getByText("No passkeys yet.").waitFor();
  await own.knows(false);
  await add(page, "laptop");
  await dialog(page).getByText("Cancelled", { exact: true }).waitFor();
  await own.knows(true);
  await dialog(page).getByRole("button", { name: "Create passkey" }).click();
  await row(page, "laptop").getByText("never used").waitFor();
  await confirmed(app, page, nora);
  assert.deepEqual(await serious(page), []);
  await page.goto(`${app.url}/settings/org`);
  await rule.check();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("The rules apply to new requests.").waitFor();

  // Signed, done, and the receipt says so.
  const first = await wipe("page-1");
  await page.goto(`${app.url}/inbox/${first.id}`);
  await page.getByText("You sign this approval with your passkey").waitFor();
  await page.waitForTimeout(1_100);
  await page.keyboard.press("a");
  const sent = page.waitForRequest(/\/approve/);
  await dialog(page).getByRole("button", { name: "Sign and approve once" }).click();
  const { assertion } = (await sent).postDataJSON();
  await page.getByText(APPROVED).first().waitFor();
  assert.equal(await status(first.id), "succeeded");
  await page.goto(`${app.url}/activity/${first.id}`);
  await page
    .getByRole("list", { name: "Votes in the receipt" })
    .getByText("Verify the receipt to check the signature")
    .waitFor();
  let bundle = { status: 0 };
  for (; bundle.status !== 200; await page.waitForTimeout(100)) {
    const { receipt } = (await owner("GET", `/v1/invocations/${first.id}`)).body;
    bundle = await owner("GET", `/v1/receipts/${receipt}/bundle`);
  }
  const keys = await owner("GET", "/.well-known/countersign-keys.json");
  await verifiedByOthers(bundle.body, keys.body, ["page-1", "page-9"]);
  await page.getByRole("button", { name: "Verify", exact: true }).click();
  await page.getByText("Verified: signed, in the ledger, unchanged").waitFor();
  await page.getByText(/^Signed with the passkey of .+ over exactly what was shown\.$/).waitFor();
  const { fingerprint, credential } = (await owner("GET", "/v1/passkeys")).body.items.find(
    (each) => each.removed_at == null,
  );
  await page.getByRole("list", { name: "Votes in the receipt" }).getByText(fingerprint).waitFor();
  assert.deepEqual(await serious(page), []);

  // What was signed counts for this one alone, and nothing counts unsigned.
  const [second, third] = [await wipe("page-2"), await wipe("page-3")];
  const shown_digest = await shownDigest(second.id);
  await refuses("assertion_refused", second.id, { shown_digest, assertion });
  await refuses("passkey_needed", second.id, { shown_digest });
  const { org, user } = (await owner("GET", "/v1/me")).body;
  const statement = {
    format: "countersign/vote/v1",
    org,
    user,
    invocation: second.id,
    verdict: "approved",
    shown_digest,
  };
  await refuses("assertion_refused", second.id, {
    shown_digest,
    assertion: await signed(page, credential, { ...statement, invocation: third.id }),
  });
  await somebodyElse(app, async (their) => {
    const assertion = await their(statement);
    await refuses("assertion_refused", second.id, { shown_digest, assertion });
  });

  // Two that are alike are denied together, and not approved together.
  await page.goto(`${app.url}/inbox`);
  await page.getByRole("listitem").getByRole("link").filter({ hasText: "2 similar" }).click();
  await page.getByText("Each request must be approved one by one").waitFor();
  assert.ok(await page.getByRole("button", { name: "Approve one by one" }).isDisabled());
  await page.waitForTimeout(1_100);
  await page.getByRole("button", { name: "Deny 2 …" }).click();
  await dialog(page).getByRole("button", { name: "Deny 2", exact: true }).click();
  await page.getByText("2 denied").waitFor();

  await aSecondOne(app, page, own);
  await switchedOff(app, page, rule);
  await elsewhere(byNumbers);
  // The gateway goes first otherwise, and the page says so.
  await context.close();
  return { context, wrong };
}

/** The owner did not add it while joining, so it signs nothing until another approver has confirmed it. */
async function confirmed(app, page, nora) {
  const waits = row(page, "laptop").getByText("waits for another approver");
  await waits.waitFor();
  await page.getByText("Your passkey waits for another approver").waitFor();
  assert.equal(await page.getByRole("button", { name: "Confirm laptop" }).count(), 0, "nobody confirms their own");
  const { fingerprint } = (await owner("GET", "/v1/passkeys")).body.items.find((each) => each.removed_at == null);

  const other = await openAs(app, nora.token, { viewport: PHONE });
  await other.page.goto(`${app.url}/settings/passkeys`);
  await other.page.getByRole("button", { name: "Confirm laptop" }).tap();
  await dialog(other.page).getByText(fingerprint).waitFor();
  await dialog(other.page).getByText("Ask them in person or on the phone").waitFor();
  assert.deepEqual(await serious(other.page), []);
  await dialog(other.page).getByRole("button", { name: "Confirm passkey" }).tap();
  await row(other.page, "laptop").getByText(`confirmed by ${nora.name}`).waitFor();
  assert.deepEqual(other.wrong, []);
  await other.context.close();
  // The page of its owner learns of it.
  await waits.waitFor({ state: "detached" });
}

/** That approvals need no signature any more is itself signed. */
async function switchedOff(app, page, rule) {
  const { status, body } = await owner("PATCH", "/v1/org", { approval_passkey: false });
  assert.deepEqual([status, body.code], [403, "passkey_needed"]);
  await page.goto(`${app.url}/settings/org`);
  await rule.uncheck();
  await page.getByText("You sign this change with your passkey").waitFor();
  await page.getByRole("button", { name: "Sign and save" }).click();
  await page.getByText("The rules apply to new requests.").waitFor();
  assert.equal((await owner("GET", "/v1/org")).body.approval_passkey ?? false, false);
}

/** A second passkey needs the word of the first. */
async function aSecondOne(app, page, own) {
  await page.goto(`${app.url}/settings/passkeys`);
  await row(page, "laptop")
    .getByText(/used .* ago|used just now/)
    .waitFor();
  await own.is(false);
  const key = await own.another("usb");
  const unsigned = async (route) => {
    const { confirmed_by, ...body } = route.request().postDataJSON();
    assert.ok(confirmed_by, "the page signs it");
    await route.continue({ postData: JSON.stringify(body) });
  };
  await page.route(/\/v1\/passkeys$/, unsigned);
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await dialog(page).getByText("so your device asks twice").waitFor();
  await dialog(page).getByLabel("Name").fill("the blue key");
  await dialog(page).getByRole("button", { name: "Create passkey" }).click();
  await dialog(page).getByText("Confirm with an existing passkey").waitFor();
  await key(false);
  await own.is(true);
  await dialog(page).getByRole("button", { name: "Confirm" }).click();
  await dialog(page).getByText("passkey_confirm").waitFor();
  await page.unroute(/\/v1\/passkeys$/, unsigned);
  await dialog(page).getByRole("button", { name: "Confirm" }).click();
  await row(page, "the blue key").waitFor();
  await row(page, "the blue key").getByRole("button", { name: "Remove" }).click();
  await dialog(page).getByRole("button", { name: "Remove" }).click();
  await dialog(page).waitFor({ state: "detached" });
  await row(page, "the blue key").waitFor({ state: "detached" });
  await page.getByText(/^\d+ removed$/).waitFor();
}

/** An admin with a passkey of their own, who signs what the owner should. */
async function somebodyElse(app, then) {
  const email = `m${Date.now()}@example.com`;
  const { page, context } = await open(app, { viewport: PHONE, signedIn: false });
  await page.goto(`${app.url}/join#${await operatorInvites({ email, name: "Mara", role: "admin" })}`);
  await page.getByRole("button", { name: "Join" }).tap();
  await page.getByText(/^You joined/).waitFor();
  const { user } = await page.evaluate(async () => (await fetch("/v1/me")).json());
  const waits = (await owner("GET", "/v1/inbox?limit=1")).body.items[0].invocation.id;
  await device(context, page);
  await page.goto(`${app.url}/inbox/${waits}`);
  await page.getByText("and you have none.").waitFor();
  await page.getByRole("link", { name: "Add a passkey in the settings" }).tap();
  await add(page, "phone");
  await row(page, "phone").waitFor();
  assert.equal(await page.getByText("waits for another approver").count(), 0, "it was added while joining");
  assert.equal(await page.getByRole("button", { name: "Remove" }).count(), 0, "owners remove them");
  assert.ok(
    await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
    "nothing is wider than the phone",
  );
  const { credential } = (await owner("GET", `/v1/passkeys?user=${user}`)).body.items[0];
  await then((statement) => signed(page, credential, statement));
  await context.close();
  await owner("DELETE", `/v1/members/${user}`);
}

async function elsewhere(app) {
  const { page, context } = await open(app);
  await page.goto(`${app.url}/settings/passkeys`);
  await page.getByText(`open http://localhost:${new URL(app.url).port} instead`).waitFor();
  assert.ok(await page.getByRole("button", { name: "Add a passkey" }).isDisabled());
  await context.close();
}

export const passkeyJourneys = { "a yes signed with a passkey": aSignedYes };
