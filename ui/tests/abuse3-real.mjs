// The same texts through the gateway itself, as far as it lets them in: agents with such names ask for such things, and
// an MCP server that lies describes its tools so. What waits for approval is looked at as it comes; what is quarantined
// has the same fields as the made-up items in abuse3-places.mjs.
import { createServer } from "node:http";
import { look, texts } from "./abuse3-inspect.mjs";
import { approve, call, clear, open, tokens } from "./kit.mjs";

const MOST_TOOLS = 40;
const AT_ONCE = 20;
const post = (token, path, body) => call(token, "POST", path, body);

/** One session for each text, that asks for an action and for a grant. Gives back what waits, and with which texts. */
async function ask(strings) {
  const waiting = [];
  let refused = 0;
  for (const [n, text] of strings.entries()) {
    const begun = await post(tokens.owner, "/v1/sessions", { agent: text, title: text, kind: "unattended" });
    const named =
      begun.status < 300 ? begun : await post(tokens.owner, "/v1/sessions", { agent: `bot-${n}`, kind: "unattended" });
    if (begun.status >= 300) refused += 1;
    const { session, token } = named.body;
    const other = strings[(n + 1) % strings.length];
    const invoked = await post(token, `/v1/sessions/${session.id}/actions/invoke`, {
      action: "linear.create_issue",
      params: { team_id: "team-1", title: text, description: other },
    });
    if (invoked.status === 202) waiting.push({ key: invoked.body.id, wanted: [session.agent, text, other] });
    else refused += 1;
    const granted = await post(token, `/v1/sessions/${session.id}/grants/request`, {
      action: "linear.add_comment",
      max_calls: 1,
      lifetime_s: 60,
      reason: text,
    });
    if (granted.status < 300) waiting.push({ key: granted.body.id, wanted: [session.agent, text] });
    else refused += 1;
  }
  return { waiting, refused };
}

/** A server of tools whose every word is hostile, and whose calls fail with more of them. */
async function liar(strings) {
  const tools = strings.map((text, n) => ({
    name: `tool_${n}`,
    description: text,
    inputSchema: {
      type: "object",
      title: text,
      properties: { value: { type: "string", title: text, description: text } },
    },
  }));
  const answers = {
    initialize: ({ protocolVersion }) => ({
      protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: strings[0] || "liar", version: "1" },
    }),
    "tools/list": () => ({ tools }),
    "tools/call": ({ name }) => ({
      isError: true,
      content: [{ type: "text", text: strings[Number(name.slice(5))] || "no" }],
    }),
  };
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (part) => {
      body += part;
    });
    request.on("end", () => {
      const { id, method, params } = body === "" ? {} : JSON.parse(body);
      if (id === undefined) return response.writeHead(body === "" ? 405 : 202).end();
      const answer = answers[method];
      const result =
        answer === undefined ? { error: { code: -32601, message: "no" } } : { result: answer(params ?? {}) };
      return response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ jsonrpc: "2.0", id, ...result }));
    });
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return server;
}

async function askTheLiar(strings) {
  const server = await liar(strings);
  let agent;
  const source = `liar-${Date.now().toString(36)}`;
  const connected = await post(tokens.owner, "/v1/connectors", {
    source,
    kind: "mcp",
    place: `http://127.0.0.1:${server.address().port}/mcp`,
  });
  const waiting = [];
  const note = connected.status < 300 ? "" : JSON.stringify(connected.body).slice(0, 200);
  for (const [n, text] of connected.status < 300 ? strings.entries() : []) {
    if (n % 8 === 0)
      agent = (await post(tokens.owner, "/v1/sessions", { agent: "asks-the-liar", kind: "unattended" })).body;
    const { session, token } = agent;
    const { status, body } = await post(token, `/v1/sessions/${session.id}/actions/invoke`, {
      action: `${source}.tool_${n}`,
      params: { value: `v${n}` },
    });
    if (status === 202) waiting.push({ key: body.id, wanted: [`v${n}`], text });
  }
  return {
    waiting,
    note,
    stop: async () => {
      await call(tokens.owner, "DELETE", `/v1/connectors/${source}`);
      server.close();
      server.closeAllConnections();
    },
  };
}

export async function throughTheGateway(app, table, strings, judge, quiet) {
  const { page, context, wrong } = await open(app);
  const real = table.row("through the gateway: agents, parameters, reasons");
  let [waited, refused] = [0, 0];
  // A few at a time: what waits for a person does not wait for ever.
  for (let from = 0; from < strings.length; from += AT_ONCE) {
    const asked = await ask(strings.slice(from, from + AT_ONCE));
    [waited, refused] = [waited + asked.waiting.length, refused + asked.refused];
    for (const { key, wanted } of asked.waiting) {
      await page.goto(`${app.url}/inbox/${key}`);
      await page.locator("article header").first().waitFor();
      judge(
        real,
        await page.evaluate(look),
        wanted.filter((text) => text !== ""),
        key,
      );
    }
    // What waits or is held takes one of the places that a person's sessions have.
    await clear();
  }
  // Half a character is no JSON to the gateway, and a megabyte more than it reads.
  const lied = await askTheLiar(
    strings.filter((text) => text.isWellFormed() && text.length < 2_000).slice(0, MOST_TOOLS),
  );
  const tools = table.row(`through the gateway: tools of an MCP server that lies${lied.note && `: ${lied.note}`}`);
  let told = 0;
  for (const { key, wanted, text } of lied.waiting) {
    await page.goto(`${app.url}/inbox/${key}`);
    await page.locator("article header").first().waitFor();
    const { description } = (await call(tokens.owner, "GET", `/v1/inbox/${key}`)).body.shown;
    judge(tools, await page.evaluate(look), [...wanted, ...(description === "" ? [] : [description])], key);
    // What its call ends in is told in the server's words, behind the page's back and then on it.
    await approve({ id: key }, { wait: "5s" });
    const { error } = (await call(tokens.owner, "GET", `/v1/invocations/${key}`)).body;
    if (error == null) continue;
    told += error.message.includes(text) && text !== "" ? 1 : 0;
    await page.getByText("No longer pending").waitFor();
    // Approved is not yet done: the page learns what came of it a moment later.
    let seen = await page.evaluate(look);
    for (let tries = 0; tries < 75 && !texts(seen).has(error.message); tries += 1) {
      await page.waitForTimeout(200);
      seen = await page.evaluate(look);
    }
    judge(tools, seen, [error.message], `${key}, answered`);
  }
  await lied.stop();
  await context.close();
  console.log(
    `     through the gateway: ${waited} waited, ${refused} were refused by it; ` +
      `of the liar's tools ${lied.waiting.length} waited, ${told} of its errors were told`,
  );
  quiet(table, "through the gateway", wrong);
}
