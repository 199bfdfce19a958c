// The ways of an admin with providers of language models: add one, correct its key, change it, disable it, remove it.
import assert from "node:assert/strict";
import { everybodyCan, LOOKS, serious } from "./axe.mjs";
import { withSecondOwner } from "./journeys-loosening.mjs";
import { call, open, PHONE, tokens } from "./kit.mjs";
import { modelServer } from "./model-server.mjs";

const KEY = "sesame-opens";
const owner = (method, path, body) => call(tokens.owner, method, path, body);
const saved = async () => (await owner("GET", "/v1/models")).body.items;
const dialog = (page) => page.getByRole("dialog");
const card = (page) => page.getByRole("list", { name: "Model providers" }).getByRole("listitem");
export const model = (inside, number) => inside.getByRole("group", { name: `Model ${number}` });
export const isNarrow = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll("html, #main, [role=dialog]")].every((each) => each.scrollWidth <= each.clientWidth),
  );

/** Providers and keys of an earlier try are taken away. */
async function fresh() {
  for (const { provider } of await saved()) await owner("DELETE", `/v1/models/${provider}`);
  await owner("DELETE", "/v1/secrets/local-key");
}

/** Runs something with a server and without providers, before and after. */
export async function withServer(settings, act) {
  await fresh();
  const server = await modelServer(settings);
  try {
    return await act(server);
  } finally {
    await fresh();
    await server.stop();
  }
}

/** The form of a new provider with a server of one's own, up to its key. */
export async function begin(page, url) {
  await page.getByRole("radio", { name: /^Another compatible server/ }).check();
  await page.getByLabel("Provider name").fill("local");
  await page.getByLabel("URL", { exact: true }).fill(url);
  await model(page, 1).getByLabel("Model name").fill("small");
}

async function addWithKey(app, page, { url }) {
  await page.goto(`${app.url}/models`);
  await page.getByText("No model providers").waitFor();
  await page.getByRole("link", { name: "Add a provider" }).click();
  await begin(page, url);
  await page.getByRole("radio", { name: /^Bearer token/ }).check();
  assert.equal(await page.getByLabel("Secret name").inputValue(), "local-key");
  await page.getByLabel("Value", { exact: true }).fill("wrong-key");
  await page.getByRole("button", { name: "Save and test" }).click();
  await page.getByText("local is saved, but not ready: does not answer").waitFor();
  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByLabel("New value (optional)").fill(KEY);
  await page.getByRole("button", { name: "Save and test" }).click();
  await page.getByText("local is saved and ready").waitFor();
  assert.ok(!(await page.content()).includes(KEY), "the key is nowhere on the page any more");
  const [{ auth, has_credential, tested }] = await saved();
  assert.deepEqual([auth, has_credential], [{ kind: "bearer", secret: "local-key" }, true]);
  assert.deepEqual([tested.model, tested.calls_tools, tested.answers_in_schema], ["small", true, true]);
  await page.getByRole("link", { name: "Done" }).click();
  await card(page).getByText("ready", { exact: true }).waitFor();
  await card(page).getByText("model.local", { exact: true }).waitFor();
  await card(page).getByText("public data only").waitFor();
  await card(page).getByRole("row").filter({ hasText: "small" }).getByText("budgets in USD are refused").waitFor();
}

/** A second model, and an own price for the first. */
async function edit(page) {
  await page.getByRole("button", { name: "Edit local" }).click();
  await dialog(page).getByRole("button", { name: "Add a model" }).click();
  await model(dialog(page), 2).getByLabel("Model name").fill("claude-sonnet-5-5");
  const first = model(dialog(page), 1);
  await first.getByText("More: sizes and price").click();
  await first.getByLabel("Input price (optional)").fill("0.0755");
  await first.getByLabel("Output price (optional)").fill("1.5");
  await dialog(page).getByRole("button", { name: "Save and test" }).click();
  await dialog(page).getByText("at most three decimals").waitFor();
  assert.equal((await saved())[0].models.length, 1);
  await first.getByLabel("Input price (optional)").fill("0.075");
  await dialog(page).getByRole("button", { name: "Save and test" }).click();
  await dialog(page).waitFor({ state: "detached" });
  await card(page).getByText("Saved: ready").waitFor();
  const rows = card(page).getByRole("row");
  await rows.filter({ hasText: "small" }).getByText("0.075").waitFor();
  await rows.filter({ hasText: "small" }).getByText("organization").waitFor();
  await rows.filter({ hasText: "claude-sonnet-5-5" }).getByText("bundled table").waitFor();
  const [{ models }] = await saved();
  assert.deepEqual(
    models.map(({ name }) => name),
    ["small", "claude-sonnet-5-5"],
  );
  assert.deepEqual([models[0].price.input, models[0].price.output], [75, 1_500]);
}

export const modelJourneys = {
  async "add a model provider, correct its key, change it, disable it and remove it"(app) {
    return withServer({ key: KEY }, async (server) => {
      const { page, context, wrong } = await open(app);
      await addWithKey(app, page, server);
      await edit(page);

      await page.getByRole("button", { name: "Disable local" }).click();
      await card(page).getByText("disabled", { exact: true }).waitFor();
      assert.equal((await saved())[0].enabled, false);
      assert.ok(await page.getByRole("button", { name: "Test local" }).isDisabled());
      await page.getByRole("button", { name: "Enable local" }).click();
      await card(page).getByText("ready", { exact: true }).waitFor();
      assert.equal((await saved())[0].enabled, true);

      server.state.callsTools = false;
      await page.getByRole("button", { name: "Test local" }).click();
      await card(page).getByText("calls no tools", { exact: true }).waitFor();
      assert.ok(
        server.state.asked.every((name) => name === "small"),
        "only the first model is asked",
      );

      await page.getByRole("button", { name: "Remove local" }).click();
      await dialog(page).getByRole("button", { name: "Cancel" }).click();
      assert.equal((await saved()).length, 1);
      await page.getByRole("button", { name: "Remove local" }).click();
      await dialog(page).getByRole("button", { name: "Remove provider" }).click();
      await page.getByText("No model providers").waitFor();
      assert.deepEqual(await saved(), []);
      return { context, wrong };
    });
  },

  async "a model provider that may see private data waits for a second owner"(app) {
    return withServer({}, ({ url }) =>
      withSecondOwner(async (second) => {
        const { page, context, wrong } = await open(app, { viewport: PHONE });
        await page.goto(`${app.url}/models/add`);
        await begin(page, url);
        await page.getByLabel("May see data that is not public").check();
        await page.getByText("A second owner must approve this").waitFor();
        await page.getByRole("button", { name: "Save and test" }).tap();
        await page.getByRole("main").getByText("Waits for a second owner").waitFor();
        assert.equal(await page.getByText("local is saved").count(), 0, "nothing claims success");
        assert.deepEqual(await saved(), []);
        const [{ id, digest }] = (await owner("GET", "/v1/proposed-changes?status=waiting")).body.items;
        const answer = await call(second.token, "POST", `/v1/proposed-changes/${id}/approve`, { digest });
        assert.equal(answer.status, 200, JSON.stringify(answer.body));
        await page.getByRole("link", { name: "Back to models" }).tap();
        await card(page).getByText("ready", { exact: true }).waitFor();
        await card(page).getByText("data that is not public").waitFor();
        assert.ok(await isNarrow(page), "nothing is wider than the phone");
        return { context, wrong };
      }),
    );
  },

  async "the limits of models are lowered at once, and a higher one waits for a second owner"(app) {
    return withServer({}, ({ url }) =>
      withSecondOwner(async (second) => {
        const budget = async () => (await owner("GET", "/v1/org")).body.model_budget;
        const before = await budget();
        const provider = { preset: "compatible", base_url: url, auth: { kind: "none" }, models: [{ name: "small" }] };
        await owner("PUT", "/v1/models/local", provider);
        const { page, context, wrong } = await open(app);
        const card = page.getByRole("region", { name: "Spending today" });
        const save = async (usd, tokens) => {
          await card.getByRole("button", { name: "Change limits" }).click();
          await dialog(page).getByLabel("USD per day (optional)").fill(usd);
          await dialog(page).getByLabel("Tokens per day (optional)").fill(tokens);
          await dialog(page).getByRole("button", { name: "Save limits" }).click();
        };
        await page.goto(`${app.url}/models`);
        await card.getByText(/of \$10\.00 used/).waitFor();
        await everybodyCan(page, "spending");
        await save("five", "");
        await dialog(page).getByText("must be an amount such as 25").waitFor();
        await everybodyCan(page, "the limits");
        await dialog(page).getByRole("button", { name: "Cancel" }).click();
        await save("7.5", "2000000");
        await card.getByText(/of \$7\.50 used/).waitFor();
        await card.getByText(/of 2.000.000 used/).waitFor();
        assert.deepEqual(await budget(), { usd_per_day: 7.5, tokens_per_day: 2_000_000 });
        await save("", "2000000");
        await dialog(page).waitFor({ state: "detached" });
        await page.getByText("Waits for a second owner").first().waitFor();
        assert.deepEqual(await budget(), { usd_per_day: 7.5, tokens_per_day: 2_000_000 });
        const agree = async () => {
          const [{ id, digest }] = (await owner("GET", "/v1/proposed-changes?status=waiting")).body.items;
          const answer = await call(second.token, "POST", `/v1/proposed-changes/${id}/approve`, { digest });
          assert.equal(answer.status, 200, JSON.stringify(answer.body));
        };
        await agree();
        await card.getByText("no limit in USD").waitFor();
        // Without the limit of tokens again, which loosens too.
        await owner("PATCH", "/v1/org", { model_budget: before });
        await agree();
        assert.deepEqual(await budget(), before);
        return { context, wrong };
      }),
    );
  },

  async "everybody can use the model providers"(app) {
    return withServer({}, async ({ url }) => {
      let last = null;
      for (const look of LOOKS) {
        const { page, context, wrong } = await open(app, look);
        const check = async (what) => {
          assert.deepEqual(
            (await serious(page)).map((each) => [what, look.colorScheme, ...each]),
            [],
          );
          if (look.viewport === PHONE) assert.ok(await isNarrow(page), `${what}: nothing is wider than the phone`);
        };
        await fresh();
        await page.goto(`${app.url}/models`);
        await page.getByText("No model providers").waitFor();
        await check("no providers");
        await page.goto(`${app.url}/models/add`);
        await begin(page, url);
        await page.getByText("More: sizes and price").click();
        await check("the form");
        await page.getByRole("button", { name: "Save and test" }).click();
        await page.getByText("local is saved and ready").waitFor();
        await check("the result");
        await page.getByRole("link", { name: "Done" }).click();
        await card(page).getByText("ready", { exact: true }).waitFor();
        await check("a provider");
        await page.getByRole("button", { name: "Edit local" }).click();
        await dialog(page).getByLabel("Model name").waitFor();
        await check("the dialog");
        if (last !== null) await last.context.close();
        last = { context, wrong };
      }
      return last;
    });
  },
};
