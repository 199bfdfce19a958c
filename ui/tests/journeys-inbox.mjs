// The ways people go in the inbox: live, several at once, by keys alone, long texts, and whether everybody can.
import assert from "node:assert/strict";
import { LOOKS, serious } from "./axe.mjs";
import { makeUnknown } from "./journeys-runs.mjs";
import { APPROVED, answerable, ask, call, clear, deny, open, PHONE, session, status, tokens } from "./kit.mjs";
import { tenThousand } from "./ten-thousand.mjs";

const issue = (title, more = {}) => ask("linear.create_issue", { team_id: "team-1", title, ...more });
const settled = (page) => page.waitForTimeout(1_100);

async function live(app) {
  const { page, context, wrong } = await open(app);
  const asked = [];
  page.on("request", (request) => /\/v1\/inbox/.test(request.url()) && asked.push(request.url()));
  await page.goto(app.url);
  await page.getByText("Nothing needs approval").waitFor();
  await page.waitForTimeout(500);
  asked.length = 0;
  const began = Date.now();
  const one = await issue("It appears by itself");
  await page.getByText("It appears by itself").first().waitFor();
  const appeared = Date.now() - began;
  await deny(one);
  await page.getByText("Nothing needs approval").waitFor();
  assert.ok(asked.filter((url) => url.includes("/v1/inbox?")).length <= 2, asked.join("\n"));
  // Cut off: it is said, and what happened meanwhile is told afterwards.
  await context.setOffline(true);
  await page.getByText("No response from the gateway for").waitFor();
  await issue("Asked while nobody listened");
  await context.setOffline(false);
  await page.getByText("Asked while nobody listened").first().waitFor();
  await page.getByText("No response from the gateway for").waitFor({ state: "detached" });
  // The browser itself says that it is offline.
  return {
    context,
    wrong: wrong.filter((line) => !/ERR_INTERNET_DISCONNECTED|ERR_NETWORK/.test(line)),
    note: `appeared after ${appeared} ms`,
  };
}

async function alikeWithARace(app) {
  const { page, context, wrong } = await open(app);
  const all = [await issue("Label one"), await issue("Label two"), await issue("Label three")];
  await page.goto(app.url);
  await page.getByText("3 similar").waitFor();
  await settled(page);
  await page.getByRole("button", { name: "Approve 3 …" }).click();
  const question = page.getByRole("dialog");
  for (const title of ["Label one", "Label two", "Label three"]) await question.getByText(title).first().waitFor();
  assert.equal(
    await question.getByText("team-1", { exact: true }).count(),
    1,
    "what they have in common stands there once",
  );
  await question.getByText("Goes to", { exact: true }).waitFor();
  await deny(all[1]);
  await question.getByText("no longer pending").waitFor();
  await question.getByRole("button", { name: "Approve 3", exact: true }).click();
  await question.getByText("2 of 3 accepted. 1 failed; see the reason beside it.").waitFor();
  assert.equal(await question.getByText("Already answered by someone else").count(), 1);
  assert.deepEqual(await Promise.all(all.map(({ id }) => status(id))), ["succeeded", "denied", "succeeded"]);
  await question.getByRole("button", { name: "Close", exact: true }).last().click();
  await page.getByText("Nothing needs approval").waitFor();
  return { context, wrong };
}

async function pickedOnAPhone(app) {
  const { page, context, wrong } = await open(app, { viewport: PHONE });
  const all = [
    await issue("First of these"),
    await ask("slack.send_message", { channel: "C0GENERAL", text: "Second of these" }),
    await issue("Not this one", { priority: 2 }),
  ];
  await page.goto(app.url);
  await page.getByRole("button", { name: "Select", exact: true }).tap();
  for (const text of ["First of these", "Second of these"])
    await page.getByRole("listitem").filter({ hasText: text }).getByRole("checkbox").tap();
  await page.getByRole("button", { name: "Deny 2 …" }).tap();
  const question = page.getByRole("dialog");
  await question.getByText("Second of these").first().waitFor();
  assert.equal(await question.getByText("Not this one").count(), 0);
  assert.ok(
    await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
    "nothing is wider than the phone",
  );
  await question.getByLabel("Reason (the agent can read it)").fill("not today");
  await question.getByRole("button", { name: "Deny 2", exact: true }).tap();
  await page.getByText("2 denied").waitFor();
  assert.deepEqual(await Promise.all(all.map(({ id }) => status(id))), ["denied", "denied", "pending"]);
  return { context, wrong };
}

/** Nothing but keys: approve, grant, deny, several at once, an unknown outcome, other pages. */
async function keysAlone(app) {
  const unknown = await makeUnknown("By keys alone: is this sent?");
  const { page, context, wrong } = await open(app);
  const { keyboard } = page;
  const press = async (...keys) => {
    for (const key of keys) await keyboard.press(key);
  };
  /** From the top, so that what came in above is found too. */
  const goTo = async (id) => {
    await page.waitForFunction(() => document.querySelector("li [aria-current]") !== null);
    const isFirst = () =>
      page.evaluate(
        () => document.querySelector("li [aria-current]")?.closest("li")?.getAttribute("aria-posinset") === "1",
      );
    while (!(await isFirst())) {
      await press("k");
      await page.waitForTimeout(60);
    }
    for (let n = 0; n < 30 && !page.url().endsWith(id); n += 1) {
      const at = page.url();
      await press("j");
      await page.waitForFunction((was) => location.href !== was, at, { timeout: 5_000 }).catch(() => {});
    }
    assert.ok(page.url().endsWith(id), `keys lead to ${id}, not ${page.url()}`);
    await settled(page);
    await answerable(page);
  };
  const notice = (text) => page.locator("[aria-live]").getByText(text, { exact: true }).first().waitFor();

  const one = await issue("Approved by keys");
  await page.goto(app.url);
  await goTo(one.id);
  await press("a");
  await page.getByRole("dialog").waitFor();
  await press("Enter");
  await notice(APPROVED);
  assert.equal(await status(one.id), "succeeded");

  const two = await ask("slack.send_message", { channel: "C0GENERAL", text: "Denied by keys" });
  await page.getByText("Denied by keys").first().waitFor();
  await goTo(two.id);
  await press("d");
  await page.getByRole("dialog").waitFor();
  await keyboard.type("keys said no");
  await press("Enter");
  await notice("Denied");
  assert.equal(await status(two.id), "denied");

  const grants = async () => (await call(tokens.owner, "GET", "/v1/grants")).body.items;
  const before = new Set((await grants()).map((each) => each.id));
  const three = await issue("Granted by keys", { priority: 3 });
  await page.getByText("Granted by keys").first().waitFor();
  await goTo(three.id);
  await press("G");
  await page.getByRole("dialog").waitFor();
  await press("Control+a");
  await keyboard.type("7");
  await press("Tab", "Control+a");
  await keyboard.type("1h");
  await press("Enter");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  const grant = await until(async () => (await grants()).find((each) => each.max_calls === 7 && !before.has(each.id)));
  await call(tokens.owner, "DELETE", `/v1/grants/${grant.id}`);

  const several = [
    await issue("Several 1", { description: "x" }),
    await issue("Several 2", { description: "x" }),
    await issue("Several 3", { description: "x" }),
  ];
  await page.getByText("3 similar").waitFor();
  await goTo(await page.evaluate(() => document.querySelector("li a[href*=alk_]").getAttribute("href")));
  await press("Enter");
  await goTo(several[2].id);
  await press("x");
  await goTo(several[0].id);
  await press("x");
  await page.getByRole("button", { name: "Approve 2 …" }).waitFor();
  await press("a");
  await page.getByRole("dialog").locator("button:enabled", { hasText: "Approve 2" }).waitFor();
  await press("Tab");
  assert.equal(
    await page.evaluate(() => document.activeElement?.textContent),
    "Approve 2",
    "one Tab leads from what is read to the answer",
  );
  await press("Enter");
  await notice("2 approved");
  assert.deepEqual(await Promise.all(several.map(({ id }) => status(id))), ["succeeded", "pending", "succeeded"]);

  if (unknown !== null) {
    await goTo(unknown);
    await press("r");
    await page.getByRole("dialog").waitFor();
    await press("Shift+Tab", "Space", "ArrowLeft", "Tab");
    await keyboard.type("seen in the channel");
    await press("Enter");
    await notice("Outcome saved");
    assert.equal(await status(unknown), "succeeded");
  }

  await press("?");
  await page.getByRole("dialog").getByText("go to Runs").waitFor();
  await press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  const stood = await status(several[1].id);
  await press("g", "r");
  await page.waitForURL(/\/runs/);
  await press("g", "a");
  await page.waitForURL(/\/activity/);
  await press("g", "i");
  await page.waitForURL(/\/inbox/);
  assert.equal(await page.getByRole("dialog").count(), 0, "the second of two keys answers nothing");
  assert.equal(await status(several[1].id), stood);
  return { context, wrong, note: unknown === null ? "without an unknown outcome: FAKES_PID is not set" : "" };
}

async function until(what) {
  for (let tries = 0; tries < 100; tries += 1) {
    const found = await what();
    if (found) return found;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`it did not come: ${what}`);
}

/** What is too long for a place can be unfolded there, or says in the list that there is more. */
async function long(app) {
  const { page, context, wrong } = await open(app, { viewport: PHONE });
  const words = (text) => Array.from({ length: 1_200 }, (_, n) => `${text}${n}`).join(" ");
  const { id } = await issue(`${words("t").slice(0, 200)} END`, { description: `${words("d")} END` });
  await page.goto(app.url);
  await page
    .getByRole("listitem")
    .getByText(/⟨\d+ more⟩/)
    .waitFor();
  await page.goto(`${app.url}/inbox/${id}`);
  await page.getByText("Why approval is needed").waitFor();
  const fold = page.getByRole("button", { name: /characters are hidden here/ });
  assert.ok((await fold.count()) > 0);
  while ((await fold.count()) > 0) await fold.first().tap();
  assert.ok((await page.locator("dl").first().textContent()).includes(words("d")), "the whole can be read");
  return { context, wrong };
}

/** What redaction hides is revealed before it can be approved, and stays nowhere. */
async function hidden(app) {
  const { page, context, wrong } = await open(app, { viewport: PHONE });
  const secret = "of-the-front-door";
  const { id } = await ask("slack.send_message", { channel: "C0GENERAL", text: `the password=${secret} is new` });
  await page.goto(`${app.url}/inbox/${id}`);
  await page.getByText("1 value is hidden. Reveal it before you approve.").waitFor();
  assert.ok(await page.getByRole("button", { name: "Approve once" }).isDisabled(), "nothing is approved unseen");
  assert.ok(await page.getByRole("button", { name: "Deny" }).isEnabled());
  assert.equal(await page.getByText(secret).count(), 0);
  assert.deepEqual(await serious(page), []);
  await page.getByRole("button", { name: "Reveal hidden values" }).tap();
  await page.getByText(secret).waitFor();
  const seen = async () =>
    (await call(tokens.owner, "GET", "/v1/events?type=action.values_revealed&limit=1")).body.items[0]?.data;
  await until(async () => (await seen())?.invocation === id);
  assert.deepEqual((await seen()).places, ["/text"]);
  // Another item, and back: it is hidden again.
  await page.goto(`${app.url}/inbox`);
  await page.goto(`${app.url}/inbox/${id}`);
  await page.getByRole("button", { name: "Reveal hidden values" }).tap();
  await page.getByText(secret).waitFor();
  await page.getByRole("button", { name: "Approve once" }).tap();
  await page.getByRole("dialog").getByRole("button", { name: "Approve once" }).tap();
  await page.getByText(APPROVED).first().waitFor();
  assert.equal(await status(id), "succeeded");
  return { context, wrong };
}

/** axe on every state of the inbox. */
async function everyState(app) {
  const states = {
    async empty(page) {
      await page.getByText("Nothing needs approval").first().waitFor();
    },
    async full(page) {
      await issue("Alike one");
      await issue("Alike two");
      await ask("slack.send_message", { channel: "C0GENERAL", text: "Alone, раураl\u00e9" });
      await call(tokens.agent, "POST", `/v1/sessions/${session}/grants/request`, {
        action: "linear.add_comment",
        max_calls: 20,
        lifetime_s: 7200,
        reason: "twenty issues",
      });
      await page.getByText("2 similar").waitFor();
      await page.getByText("twenty issues").first().waitFor();
    },
    async alike(page) {
      await page.getByRole("listitem").getByRole("link").filter({ hasText: "2 similar" }).click();
      await page.getByRole("button", { name: /Approve 2/ }).waitFor();
    },
    async "approve several"(page) {
      await page.getByRole("button", { name: /Approve 2/ }).click();
      await page.getByRole("dialog").locator("button:enabled", { hasText: "Approve 2" }).waitFor();
    },
    async "deny several"(page) {
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: /Deny 2/ }).click();
      await page.getByRole("dialog").locator("button:enabled", { hasText: "Deny 2" }).waitFor();
    },
    async "opened and picked"(page, isPhone) {
      await page.keyboard.press("Escape");
      await page.goto(`${app.url}/inbox`);
      await page.getByRole("button", { name: "Expand" }).click();
      if (isPhone) await page.getByRole("button", { name: "Select", exact: true }).click();
      await page.getByRole("checkbox", { name: "Select all 2" }).check();
      await page
        .getByRole("button", { name: /Approve 2/ })
        .first()
        .waitFor();
    },
    async keys(page, isPhone) {
      if (!isPhone) await page.getByRole("button", { name: "Keyboard shortcuts" }).click();
    },
    async "a request for a grant"(page) {
      await page.goto(`${app.url}/inbox`);
      await page.getByText("twenty issues").first().click();
      await page.getByRole("button", { name: "Approve grant" }).waitFor();
    },
    async "a grant"(page) {
      await page.getByRole("button", { name: "Approve grant" }).click();
      await page.getByRole("dialog").waitFor();
    },
    async one(page) {
      await page.goto(`${app.url}/inbox`);
      await page.getByText("Alone").first().click();
      await page.getByText("Why approval is needed").waitFor();
    },
    async approve(page) {
      await page.getByRole("button", { name: "Approve once" }).click();
      await page.getByRole("dialog").waitFor();
    },
    async "no longer waits"(page) {
      await page.goto(`${app.url}/inbox/inv_${"0".repeat(32)}`);
      await page.getByText("No longer pending").waitFor();
    },
  };
  let checked = 0;
  let last;
  for (const { colorScheme, viewport } of LOOKS) {
    const { page, context, wrong } = await open(app, { viewport, colorScheme });
    await clear();
    await page.goto(`${app.url}/inbox`);
    for (const [name, prepare] of Object.entries(states)) {
      await prepare(page, viewport === PHONE);
      const device = viewport === PHONE ? "phone" : "desk";
      const picture = `inbox-${name.replaceAll(" ", "-")}-${device}-${colorScheme}.png`;
      if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${picture}` });
      assert.deepEqual(await serious(page), [], `${name}, ${colorScheme}, ${viewport.width}`);
      checked += 1;
    }
    if (last !== undefined) await last.context.close();
    last = { context, wrong };
  }
  return { ...last, note: `${checked} states without a serious finding` };
}

export const inboxJourneys = {
  "what changes is there at once, and after a break": live,
  "requests that are alike are answered together, and a race is told": alikeWithARace,
  "several are picked on a phone and denied": pickedOnAPhone,
  "everything in the inbox by keys alone": keysAlone,
  "a long text can be read to its end": long,
  "what is hidden is revealed before it is approved": hidden,
  "every state of the inbox is for everybody": everyState,
  "ten thousand items": tenThousand,
};
