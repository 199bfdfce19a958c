// What the pictures show: a small org at work. Everything is asked for, answered and run through the API of a real
// gateway, so that every number in a picture was counted by it. A gateway that was filled before is only looked up.
import { readdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { makeUnknown } from "./journeys-runs.mjs";
import { call, dir, shownDigest, tokens } from "./kit.mjs";
import { mcpServer, SEARCH, SEND, SEND_CHANGED, WIPE } from "./mcp-server.mjs";
import { modelServer } from "./model-server.mjs";
import { freshOwner, somebody } from "./people.mjs";

const STAND_INS = "token-of-the-stand-ins";
const EXAMPLES = new URL("../../examples/automations/", import.meta.url);
/** What was made, so that the same gateway can be taken pictures of again. */
const KEPT = `${dir}/shots.json`;
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

/** As the owner; what is refused ends the whole. */
export async function owner(method, path, body) {
  return must(tokens.owner, method, path, body);
}

async function must(token, method, path, body) {
  const answer = await call(token, method, path, body);
  if (answer.status >= 400)
    throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 600)}`);
  return answer.body;
}

/** An agent with a session of its own. What is refused or fails is a part of the picture. */
async function agent(name, title, space, kind = "unattended") {
  const at = (await owner("GET", "/v1/spaces")).items.find((each) => each.slug === space);
  const { session, token } = await owner("POST", "/v1/sessions", { agent: name, title, kind, space: at.id });
  const invoke = async (action, params, more = {}) => {
    const { status, body } = await call(token, "POST", `/v1/sessions/${session.id}/actions/invoke`, {
      action,
      params,
      ...more,
    });
    if (status === 422 || status === 429) throw new Error(`${action}: ${JSON.stringify(body).slice(0, 600)}`);
    return body;
  };
  const wish = (action, max_calls, lifetime_s, reason) =>
    must(token, "POST", `/v1/sessions/${session.id}/grants/request`, { action, max_calls, lifetime_s, reason });
  return { id: session.id, invoke, wish };
}

const approve = async (who, { id }, note = "") =>
  must(who, "POST", `/v1/invocations/${id}/approve?wait=30s`, { shown_digest: await shownDigest(id, who), note });
const deny = async (who, { id }, reason) =>
  must(who, "POST", `/v1/invocations/${id}/deny`, { shown_digest: await shownDigest(id, who), reason });

async function people() {
  const { user } = await owner("GET", "/v1/me");
  await owner("PATCH", `/v1/members/${user}`, { name: "Mara Duarte" });
  const nora = await somebody({ name: "Nora Lind", email: "nora@demo.example", role: "admin" });
  const yuki = await somebody({ name: "Yuki Tanabe", email: "yuki@demo.example", role: "admin" });
  await somebody({ name: "Tom Okafor", email: "tom@demo.example" });
  await owner("POST", "/v1/service-accounts", { name: "deploy pipeline", role: "member" });
  await owner("PUT", "/v1/slack/people/U0NORA", { user: nora.user });
  return { nora: nora.token, yuki: yuki.token };
}

/** Where things are, where people are told, and what is decided beforehand. */
async function places(receiver) {
  await owner("POST", "/v1/spaces", { name: "Customer support", slug: "support", risk_band: "amber" });
  await owner("POST", "/v1/spaces", { name: "Production", slug: "production", risk_band: "red" });
  for (const source of ["sentry", "github"]) await owner("PUT", `/v1/connections/${source}`, { token: STAND_INS });
  for (const name of ["slack-signing-secret", "handbook-token"])
    await owner("PUT", `/v1/secrets/${name}`, { value: "only for these pictures" });
  await owner("POST", "/v1/notifiers", { kind: "slack", target: "C0GENERAL" });
  await owner("POST", "/v1/webhooks", { url: receiver, types: ["action.*", "run.*"] });
  await must(await freshOwner(), "POST", "/v1/tokens", { name: "CI" });
  await owner("PUT", "/v1/rules", {
    action: "linear.add_comment",
    mode: "allow",
    reason: "Comments are low risk and visible to everyone.",
  });
  await owner("PUT", "/v1/rules", {
    action: "sentry.update_issue",
    mode: "deny",
    reason: "The deploy pipeline resolves Sentry issues.",
  });
  await owner("PUT", "/v1/rules", {
    action: "files.read_text",
    mode: "require_approval",
    reason: "The folder contains customer data.",
  });
}

/** A server whose tools were accepted, and one that is no longer what was accepted. */
async function servers(handbook, calendar) {
  for (const [source, server] of [
    ["handbook", handbook],
    ["calendar", calendar],
  ]) {
    await owner("POST", "/v1/connectors", { source, kind: "mcp", place: server.url });
    for (const { tool, shape_hash, text_hash } of (await owner("GET", `/v1/connectors/${source}`)).tools) {
      const read = /^(search|list)/.test(tool);
      await owner("POST", `/v1/connectors/${source}/review`, {
        tool,
        shape_hash,
        text_hash,
        verdict: "accept",
        risk: read ? "R1" : "R2",
        effect: read ? "read" : "once",
      });
    }
  }
}

const ISSUES = [
  ["Login fails with SSO", "Since 14:02 every SSO login ends in a 500.\nSeen by three customers.", 1],
  ["Invoice shows the wrong VAT for Austria", "Two customers were charged 19 % instead of 20 %.", 2],
  ["CSV export stops after 10 000 rows", "The file ends in the middle of a line.", 3],
  ["Password mail arrives after an hour", "Only for addresses at one provider.", 3],
];
const issueOf = ([title, description, priority]) => ({ team_id: "team-1", title, description, priority });

/** What is over: asked for, answered, done, refused, failed. */
async function past({ nora, yuki }) {
  const triage = await agent("support-triage", "Tickets this morning", "support");
  const release = await agent("release-manager", "Release 2.4", "production");
  const oncall = await agent("oncall-helper", "On call, week 46", "main");
  const nightly = await agent("nightly-reporter", "Nightly numbers", "main", "interactive");
  const asked = [];
  for (const issue of ISSUES) asked.push(await triage.invoke("linear.create_issue", issueOf(issue)));
  const message = await release.invoke("slack.send_message", {
    channel: "C0GENERAL",
    text: "Release 2.4 goes out at 17:00.",
  });
  const early = await release.invoke("slack.send_message", { channel: "C0GENERAL", text: "Release 2.4 is done!" });
  const archived = await oncall.invoke("slack.send_message", { channel: "C0OLD", text: "Handing over to Yuki." });
  const note = await oncall.invoke("files.write_text", {
    path: "handover/week-46.md",
    text: "# Week 46\n\n- SSO: fixed, watch it\n- VAT: waiting for finance\n",
  });
  const bug = await oncall.invoke("github.create_issue", {
    owner: "acme",
    repo: "web",
    title: "Flaky test in checkout",
    body: "Fails in one of ten builds.",
  });
  for (const [each, params] of [
    ["linear.list_issues", { first: 20 }],
    ["sentry.list_issues", { organization: "acme", project: "web", limit: 10 }],
    ["github.list_pull_requests", { owner: "acme", repo: "web", state: "open" }],
    ["slack.list_channels", {}],
  ]) {
    for (const who of [oncall, nightly, nightly]) await who.invoke(each, params);
  }
  for (let n = 1; n <= 4; n += 1) await oncall.invoke("linear.get_issue", { issue: "ENG-1" });
  await oncall.invoke("linear.get_issue", { issue: "ENG-404" });
  await oncall.invoke("github.get_pull_request", { owner: "acme", repo: "web", number: 1 });
  await oncall.invoke("handbook.search", { query: "who is on call" });
  await oncall.invoke("calendar.list_events", { day: "2026-11-16" });
  await oncall.invoke("sentry.update_issue", { organization: "acme", issue_id: "1", status: "resolved" });
  await oncall.invoke("linear.create_issue", issueOf(ISSUES[1]), { dry_run: true });
  const unknown = await makeUnknown("Deployment of gateway 2.4 starts now.");
  const done = await approve(nora, asked[0], "Support confirmed the problem.");
  for (const each of asked.slice(1, 3)) await approve(yuki, each);
  await deny(nora, asked[3], "Known issue of their mail provider.");
  await approve(yuki, message);
  const denied = await deny(nora, early, "The release is not out yet.");
  for (const each of [archived, note, bug]) await approve(nora, each);
  for (const n of [2, 3])
    await approve(
      yuki,
      await triage.invoke("linear.add_comment", { issue: `ENG-${n}`, body: "Two more customers wrote about this." }),
    );
  await oncall.invoke("linear.add_comment", { issue: "ENG-2", body: "Fixed in today's release." });
  // What is always approved, and what is always denied, is suggested.
  for (const title of ["Flaky test in search", "Flaky test in login", "Slow test in export"])
    await approve(yuki, await oncall.invoke("github.create_issue", { owner: "acme", repo: "web", title, body: "…" }));
  for (const person of ["tom@demo.example", "yuki@demo.example", "nora@demo.example"])
    await deny(nora, await nightly.invoke("calendar.invite", { event: "Standup", person }), "People invite people.");
  await owner("POST", "/v1/grants", {
    action: "linear.create_issue",
    session: oncall.id,
    max_calls: 25,
    lifetime_s: 86_400,
    reason: "Ticket triage this morning",
  });
  await owner("POST", "/v1/grants", {
    action: "github.comment",
    session: oncall.id,
    max_calls: 10,
    lifetime_s: 604_800,
    reason: "Replies to reviewers",
  });
  const gone = await owner("POST", "/v1/grants", {
    action: "github.comment",
    max_calls: 100,
    lifetime_s: 604_800,
    reason: "Release notes for 2.3",
  });
  await owner("DELETE", `/v1/grants/${gone.id}`);
  for (const title of ["Alert: disk of db-2 is 81 % full", "Alert: mail queue is long"])
    await oncall.invoke("linear.create_issue", { team_id: "team-1", title });
  await oncall.invoke("github.comment", {
    owner: "acme",
    repo: "web",
    number: 1,
    body: "Tests pass again, please review.",
  });
  return { triage, release, oncall, nightly, done: done.id, denied: denied.id, unknown };
}

/** One provider that is ready, and one whose models call no tools. */
async function models(capable, simple) {
  await owner("PUT", "/v1/secrets/claude-key", { value: capable.state.key });
  await owner("PUT", "/v1/models/claude", {
    preset: "compatible",
    base_url: capable.url,
    auth: { kind: "bearer", secret: "claude-key" },
    may_see_private: true,
    models: [
      { name: "claude-sonnet-5-5" },
      { name: "acme-tuned-1", context: 128_000, price: { input: 250, output: 1_000 } },
      { name: "acme-preview" },
    ],
  });
  await owner("PUT", "/v1/models/local", {
    preset: "vllm",
    base_url: simple.url,
    is_free: true,
    models: [{ name: "qwen3:8b", context: 40_000 }],
  });
}

/** Policies as text, with what they read and how they are tested. */
async function policies() {
  await owner("PUT", "/v1/facts/triage_points", {
    kind: "sum",
    of: ["linear.create_issue"],
    field: "input.priority",
    within: "1d",
    per: "space",
  });
  await owner("PUT", "/v1/facts/messages_sent", {
    kind: "count",
    of: ["slack.send_message"],
    within: "10m",
    per: "session",
  });
  const texts = {
    "triage-budget": `// Urgent issues are rare. An agent that finds many is probably wrong.
@id("triage-budget")
@mode("ask")
@why("At most 7 points of priority a day and space")
forbid (principal, action == Action::"linear.create_issue", resource)
when {
  context.input has priority &&
  context.history.triage_points + context.input.priority > 7
};
`,
    "message-rate": `@id("message-rate")
@mode("deny")
@why("At most 20 messages within ten minutes")
forbid (principal, action == Action::"slack.send_message", resource)
when { context.history.messages_sent >= 20 };
`,
    "production-merges": `@id("production-merges")
@mode("ask")
@approvers("2")
@why("Two people look at what reaches production")
forbid (principal in Space::"production", action == Action::"github.merge_pull_request", resource);
`,
    "no-announcements": `@id("no-announcements")
@mode("deny")
@why("Only people write to #general")
forbid (principal, action == Action::"slack.send_message", resource)
when { context.input.channel == "C0GENERAL" };
`,
  };
  for (const [name, text] of Object.entries(texts)) {
    const state = name === "no-announcements" ? "observing" : "enforced";
    await owner("PUT", `/v1/policies/${name}`, { text, state });
  }
  const issue = (priority, points) => ({
    action: "linear.create_issue",
    params: { team_id: "team-1", title: "Login fails", priority },
    space: "support",
    history: { triage_points: points },
  });
  const message = { action: "slack.send_message", params: { channel: "C0TEAM", text: "Done." } };
  for (const [name, one] of Object.entries({
    "exactly-seven-points": { request: issue(1, 6), expect: "allow", policies: [] },
    "one-point-too-many": { request: issue(2, 6), expect: "require_approval", policies: ["triage-budget"] },
    "the-twentieth-message": { request: { ...message, history: { messages_sent: 19 } }, expect: "allow" },
    "one-message-too-many": { request: { ...message, history: { messages_sent: 20 } }, expect: "deny" },
  }))
    await owner("PUT", `/v1/policy-cases/${name}`, one);
}

/** Gate settings that no request of the pictures is refused for, and consents. */
async function gates() {
  await owner("PUT", "/v1/gates", {
    version: 0,
    detectors: [
      {
        name: "customer-number",
        pattern: "\\bK-\\d{5}\\b",
        of: ["does:sends_out"],
        why: "Customer numbers stay inside",
      },
    ],
  });
  for (const [subject, note] of [
    ["ada@example.com", "form on the website"],
    ["bob@example.com", "answered by e-mail"],
  ])
    await owner("POST", "/v1/consents", { purpose: "newsletter", subject, note });
}

/** Pending items, one of each kind. */
async function waits({ nora }, { triage, release, oncall }) {
  await owner("PATCH", "/v1/org", { approval_quorum: 2 });
  await oncall.wish(
    "slack.send_message",
    20,
    7_200,
    "Status updates in the channel while the incident is open, about twenty messages.",
  );
  for (const [issue, priority] of [
    ["ENG-2", 1],
    ["ENG-3", 2],
    ["ENG-4", 3],
  ])
    await triage.invoke("linear.update_issue", { issue, priority });
  await oncall.invoke("handbook.send", { to: "yuki@demo.example", text: "Please check the mail queue." });
  const pull = { owner: "acme", repo: "web", number: 1, sha: "a".repeat(40), method: "squash" };
  await release.invoke("github.merge_pull_request", pull);
  const merge = await oncall.invoke("github.merge_pull_request", pull);
  await approve(nora, merge, "Reviewed this morning.");
  await release.invoke("slack.send_message", {
    channel: "C0GENERAL",
    text: "Release 2.4 is out. Rollback is possible until 18:00; tell support.",
  });
  return (
    await triage.invoke(
      "linear.create_issue",
      issueOf([
        "Checkout is slow for carts above 100 items",
        "Five customers since Monday; the page takes 12 s.\nProfile: 90 % in price_of().",
        2,
      ]),
    )
  ).id;
}

/** An issue that takes more points than the budget has. */
async function overBudget({ triage }) {
  let asked = null;
  for (const title of ["Search finds nothing after the update", "Export stops at 10 000 rows"])
    asked = await triage.invoke("linear.create_issue", issueOf([title, "Reported by two customers.", 4]));
  return asked.id;
}

/** What went on while that waited. */
async function later({ oncall, nightly }) {
  await oncall.invoke("linear.get_issue", { issue: "ENG-2" });
  await oncall.invoke("linear.get_issue", { issue: "ENG-404" });
  await nightly.invoke("sentry.list_issues", { organization: "acme", project: "web", limit: 10 });
  await oncall.invoke("linear.add_comment", { issue: "ENG-3", body: "The export is complete again." });
  await oncall.invoke("slack.send_message", { channel: "C0GENERAL", text: "Use AKIAIOSFODNN7EXAMPLE for the bucket." });
  await oncall.invoke("linear.create_issue", { team_id: "team-1", title: "Alert: shop certificate expires in 9 days" });
  await nightly.invoke("github.list_pull_requests", { owner: "acme", repo: "web", state: "open" });
}

async function ended(run) {
  for (let n = 0; n < 150; n += 1) {
    const now = await owner("GET", `/v1/runs/${run}`);
    if (!["pending", "running"].includes(now.status)) return now;
    await sleep(200);
  }
  throw new Error(`${run} does not end`);
}

async function answerRun(run, answer) {
  const { awaits } = await ended(run);
  await answer(await owner("GET", `/v1/invocations/${awaits}`));
  await sleep(500);
  return ended(run);
}

async function automate({ nora }) {
  const made = {};
  for (const file of (await readdir(EXAMPLES)).filter((each) => each.endsWith(".json")).sort()) {
    const definition = JSON.parse(await readFile(new URL(file, EXAMPLES), "utf8"));
    made[definition.name] = { definition, ...(await owner("POST", "/v1/automations", { definition })) };
  }
  const { "CI failure": ci, "Daily digest": digest, "File added": file, "Weekly report": report } = made;
  const allow = (action, automation, reason) =>
    owner("PUT", "/v1/rules", { action, mode: "allow", automation: automation.id, reason });
  await allow("slack.send_message", file, "The message names only the file.");
  await allow("slack.send_message", digest, "The team subscribed to the digest.");
  await allow("linear.create_issue", ci, "Every failed build needs an issue.");
  const run = (automation, inputs) => owner("POST", `/v1/automations/${automation.id}/runs`, { inputs });
  const weekly = await run(report, {});
  for (let n = 0; n < 2; n += 1) await answerRun(weekly.id, (asked) => approve(nora, asked, "Looks good."));
  const NAMES = [
    "offer-hansen",
    "lease-berlin",
    "nda-okafor",
    "order-1181",
    "order-1182",
    "offer-miller",
    "lease-porto",
  ];
  await owner(
    "POST",
    "/v1/events",
    NAMES.map((name, n) => ({
      specversion: "1.0",
      id: name,
      source: "drive",
      type: "drive.file_added",
      data: { folder: "/contracts", name: `${name}.pdf`, author: n % 2 ? "Tom" : "Mara", size: 48_000 + 7_300 * n },
    })),
  );
  for (const [branch, commit] of [
    ["main", "4f2a91c77e"],
    ["release/2.4", "b03d1e5a90"],
    ["main", "c77e1f0d24"],
  ]) {
    const begun = await must(ci.new_tokens[0].token, "POST", ci.new_tokens[0].path, {
      repository: { name: "web" },
      build: { branch, commit, url: `https://ci.example/builds/${commit}` },
    });
    await ended(begun.id);
  }
  for (let n = 0; n < 3; n += 1) await ended((await run(digest, {})).id);
  await ended((await run(digest, { channel: "C0OLD" })).id);
  const next = structuredClone(ci.definition);
  next.plan[0].config.title = "CI: {{ inputs.repository }} broke on {{ inputs.branch | upper }}";
  next.execution.max_retries = 5;
  await owner("PATCH", `/v1/automations/${ci.id}`, { definition: next, from_version: 1 });
  const waiting = await run(report, {});
  await ended(waiting.id);
  return { ci: ci.id, digest: digest.id, report: report.id, done: weekly.id, waiting: waiting.id };
}

/** A run with a step that a model performs: it looks for an issue, finds none, and says so. */
async function triage({ nora }, capable) {
  const text = await readFile(new URL("models/triage-errors.json", EXAMPLES), "utf8");
  const definition = JSON.parse(text.replaceAll('"anthropic"', '"claude"'));
  const automation = await owner("POST", "/v1/automations", { definition });
  const verdict = {
    needs_issue: true,
    priority: 2,
    why: "Every visitor of the checkout sees it, and no issue is open.",
  };
  capable.state.script = [
    {
      text: "I look for an open issue about the same error first.",
      calls: [
        ["linear__list_issues", { title_contains: "checkout" }],
        ["linear__list_issues", { title_contains: "TypeError" }],
      ],
    },
    { text: JSON.stringify(verdict) },
  ];
  const run = await owner("POST", `/v1/automations/${automation.id}/runs`, { inputs: { issue: "1" } });
  return (await answerRun(run.id, (asked) => approve(nora, asked, "Confirmed."))).id;
}

/** Flows are held from now on. An agent that read an issue wants to tell partners about it. */
async function flows() {
  const { version } = await owner("GET", "/v1/gates");
  await owner("PUT", "/v1/gates", {
    version,
    flow: {
      mode: "hold",
      audiences: [
        { source: "slack", destination: "C0GENERAL", audience: "internal" },
        { source: "slack", destination: "C0PARTNERS", audience: "partner" },
      ],
    },
  });
  const status = await agent("status-writer", "Status for partners", "main");
  await status.invoke("linear.get_issue", { issue: "ENG-2" });
  const asked = await status.invoke("slack.send_message", {
    channel: "C0PARTNERS",
    text: `Status: ${ISSUES[0][1].split("\n")[0]} We work on it.`,
  });
  return asked.id;
}

const EVENTS = {
  name: "list_events",
  description: "Lists the events of a day.",
  annotations: { readOnlyHint: true },
  inputSchema: {
    type: "object",
    properties: { day: { type: "string", format: "date" } },
    required: ["day"],
    additionalProperties: false,
  },
};
const INVITE = {
  name: "invite",
  description: "Invites one person to an event.",
  inputSchema: {
    type: "object",
    properties: { event: { type: "string" }, person: { type: "string" } },
    required: ["event", "person"],
    additionalProperties: false,
  },
};

/** Takes what is sent to it, so that deliveries arrive. */
async function receiver() {
  const server = createServer((request, response) => request.resume().on("end", () => response.writeHead(204).end()));
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${server.address().port}/countersign`,
    stop: () => new Promise((done) => server.close(done) && server.closeAllConnections()),
  };
}

/** Fills the gateway, and says which things the pictures are of. */
export async function seed() {
  const [handbook, calendar, wiki, capable, simple, hooks] = [
    await mcpServer([SEARCH, SEND]),
    await mcpServer([EVENTS, INVITE]),
    await mcpServer([SEARCH, SEND, WIPE], { token: "sesame" }),
    await modelServer({ key: "sesame" }),
    await modelServer({ callsTools: false }),
    await receiver(),
  ];
  const stop = () => Promise.all([handbook, calendar, wiki, capable, simple, hooks].map((each) => each.stop()));
  const before = await readFile(KEPT, "utf8").then(JSON.parse, () => null);
  if (before !== null) {
    handbook.state.tools = [SEARCH, SEND_CHANGED, WIPE];
    for (const [source, { url }] of [
      ["handbook", handbook],
      ["calendar", calendar],
    ])
      await owner("PATCH", `/v1/connectors/${source}`, { place: url });
    for (const [provider, { url }] of [
      ["claude", capable],
      ["local", simple],
    ])
      await owner("PUT", `/v1/models/${provider}`, { base_url: url });
    await owner("PATCH", `/v1/webhooks/${(await owner("GET", "/v1/webhooks")).items[0].id}`, { url: hooks.url });
    return { ...before, wiki, capable, stop };
  }
  const who = await people();
  await places(hooks.url);
  await servers(handbook, calendar);
  await models(capable, simple);
  const agents = await past(who);
  const runs = { ...(await automate(who)), agent: await triage(who, capable) };
  await policies();
  await gates();
  const first = await waits(who, agents);
  const capped = await overBudget(agents);
  await later(agents);
  const flow = await flows();
  handbook.state.tools = [SEARCH, SEND_CHANGED, WIPE];
  await owner("POST", "/v1/connectors/handbook/harvest");
  const { done, denied, unknown } = agents;
  const made = { first, capped, flow, done, denied, unknown, runs };
  await writeFile(KEPT, JSON.stringify(made));
  return { ...made, wiki, capable, stop };
}
