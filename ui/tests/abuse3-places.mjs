// The places where a text of an agent, a source or another person is shown, each with what the gateway is made to say
// there. A field is told by what stands in it (`put`) and by the text that must then be on the page.

const json = (route, body, status = 200) =>
  route.fulfill({ status, contentType: "application/json", body: JSON.stringify(body) });
const inv = (n) => `inv_${(0xffffffn - BigInt(n)).toString(16).padStart(32, "0")}`;
const grq = (n) => inv(n).replace("inv_", "grq_");
const at = "2026-01-01T00:00:00Z";
const later = "2099-01-01T00:00:00Z";

/** A name of a parameter as the table writes it: as it is where it cannot be taken for a path, else in quotes. */
const name = (text) => (/^[\p{L}\p{N}_-]+$/u.test(text) ? text : `"${text.replace(/[\\"]/g, "\\$&")}"`);

const vote = (take, want) => ({
  id: "apr_1",
  user: "usr_1",
  name: want(take()),
  verdict: "approved",
  extent: "once",
  channel: "web",
  note: want(take()) || "x",
  at,
});

function invocation(n, take, want, more = {}) {
  const [key, inner] = [take(), take()];
  want(name(key));
  want(`nested.${name(inner)}`);
  return {
    id: inv(n),
    session: "ses_1",
    agent: want(take()),
    action: want(take()),
    risk: "R2",
    status: "pending",
    mode: "require_approval",
    dry_run: false,
    attempts: 1,
    decision: {},
    params: {
      ...Object.fromEntries([[key, want(take())]]),
      "a list": [want(take())],
      nested: Object.fromEntries([[inner, want(take())]]),
    },
    subject_digest: "sha256:00",
    requested_at: at,
    expires_at: later,
    ...more,
  };
}

/** The document of an invocation: everything that an approver is shown. */
function shown(view, take, want) {
  const { id, session, action, agent, risk, params } = view;
  const { name: voter, verdict, note } = vote(take, want);
  return {
    version: "countersign/shown/v1",
    salt: id,
    org: "org_1",
    invocation: id,
    subject: "sha256:00",
    action,
    description: want(take()),
    risk,
    params,
    hidden: [{ pointer: want(take()), characters: 3, rule: want(take()) }],
    destinations: [
      { source: "linear", address: want(take()), account: want(take()) },
      { source: want(take()), address: null, account: null },
    ],
    proposer: { agent, session, opened_by: want(take()), started_by: want(take()), automation: want(take()) },
    reason: want(take()),
    why: [want(take()), want(take())],
    only_once: want(take()),
    changed: [want(take())],
    edits: [
      {
        by: want(take()),
        note: want(take()),
        at,
        changes: [{ field: want(take()), before: want(take()), after: want(take()) }],
      },
    ],
    diff: "/catalog/linear",
    preview: {
      summary: want(take()),
      changes: [{ field: want(take()), before: want(take()), after: want(take()) }],
      basis: [{ name: want(take()), value: want(take()) }],
    },
    undo: want(take()),
    read_before: [{ action: want(take()), times: 2, untrusted: true }],
    earlier: { approved: 1, denied: 0, last: { name: voter, verdict, note, at } },
  };
}

const items = {
  approval: (n, take, want) => {
    const view = invocation(n, take, want);
    return {
      kind: "approval",
      invocation: view,
      shown: shown(view, take, want),
      // The page takes these from the document.
      description: "",
      why: [],
      votes_needed: 2,
      votes: [vote(take, want)],
      history: { approved: 0, denied: 0 },
    };
  },
  unknown: (n, take, want) => ({
    kind: "unknown",
    undo: want(take()),
    invocation: invocation(n, take, want, {
      status: "unknown",
      decision: {
        mode: "require_approval",
        // The reason of a rule was written by a person. For a default, the page has a sentence of its own.
        mode_source: "org_rule",
        reason: want(take()),
        guardrails: [{ guardrail: "drift", from: "allow", to: "require_approval", reason: want(take()) }],
        gates: [{ gate: want(take()), verdict: "pass", reason: want(take()) }],
      },
      idempotency_key: want(take()),
      error: { class: want(take()), message: want(take()), sent: true },
    }),
  }),
  quarantined: (n, take, want) => ({
    kind: "quarantined",
    held_until: "2099-01-01T00:00:00Z",
    why: [want(take()), want(take())],
    // One that can be released has no such reason.
    ...(n % 2 === 0 ? {} : { only_discard: want(take()) }),
    invocation: invocation(n, take, want, {
      status: "quarantined",
      reason: want(take()),
      idempotency_key: want(take()),
      expires_at: null,
    }),
  }),
  grant_request: (n, take, want) => ({
    kind: "grant_request",
    id: grq(n),
    session: "ses_1",
    agent: want(take()),
    action: want(take()),
    max_calls: 3,
    lifetime_s: 60,
    reason: want(take()),
    status: "pending",
    requested_at: at,
    expires_at: later,
  }),
};

/** Items of one kind, one for each text, the fields of each filled with the texts that follow it. */
export function inboxOf(kind, strings) {
  return strings.map((_, n) => {
    const wanted = [];
    let next = n;
    const take = () => strings[next++ % strings.length];
    const item = items[kind](n, take, (text) => {
      wanted.push(text);
      return text;
    });
    return { key: kind === "grant_request" ? grq(n) : inv(n), item, wanted };
  });
}

/** Lets the page see these items, and nothing else, as what waits. */
export async function serveInbox(page, all) {
  const byKey = new Map(all.map((each) => [each.key, each.item]));
  await page.route(/\/v1\/inbox(\?|\/|$)/, (route) => {
    const url = new URL(route.request().url());
    if (url.pathname.endsWith("/pace")) return json(route, { days: 7, lengths: [], too_fast: false });
    const item = byKey.get(url.pathname.split("/")[3] ?? "");
    if (item !== undefined) return json(route, item);
    const from = Number(url.searchParams.get("cursor") ?? 0);
    const next_cursor = from + 100 < all.length ? String(from + 100) : null;
    return json(route, {
      items: all.slice(from, from + 100).map(({ item: { shown: _, ...rest } }) => rest),
      next_cursor,
    });
  });
}

const agentOf = (agent) => ({
  agent,
  open_sessions: 1,
  last_seen: at,
  calls: 1,
  succeeded: 1,
  failed: 0,
  denied: 0,
  asked: 0,
  waiting: 0,
  sources: [],
});

/** Pages that show all texts at once: what to rewrite, where to look, and what must be there. */
export function pagesOf(strings) {
  const names = strings.filter((text) => text !== "");
  // A name that is part of a link to our own page is UTF-8, as the gateway stores it. An address of others in such a
  // link is not a link to others, but looks like one to the search for those.
  const linked = names.filter((text) => text.isWellFormed() && !text.includes("evil"));
  const run = {
    id: inv(0).replace("inv", "run"),
    automation: "aut_1",
    number: 1,
    status: "failed",
    trigger_type: "person",
    created_at: at,
    started_at: at,
    finished_at: at,
    revision: 1,
    version: 1,
    cost_usd: 0,
  };
  const change = {
    id: inv(0).replace("inv", "chg"),
    change: "rule.set",
    subject: "rul_1",
    by: { user: null, method: names[2], token: names[3] },
    address: names[4],
    before: null,
    after: null,
    at,
  };
  return [
    {
      what: "name, reason and state of a change",
      path: `/activity/changes/${change.id}`,
      wanted: strings,
      route: new RegExp(`/v1/changes/${change.id}$`),
      body: {
        ...change,
        name: names[0],
        reason: names[1],
        before: Object.fromEntries(strings.map((text, n) => [`p${n}`, text])),
      },
    },
    {
      // Rows show the beginnings of texts; that nothing hidden is among them is what counts here.
      what: "changes in their list",
      path: "/activity/changes",
      wanted: [],
      route: /\/v1\/changes\?/,
      body: {
        items: names.map((text, n) => ({ ...change, id: `chg_${n}`, change: text, name: text, reason: text })),
        next_cursor: null,
      },
    },
    {
      what: "inputs, steps and errors of a run",
      path: `/runs/${run.id}`,
      wanted: strings,
      route: new RegExp(`/v1/runs/${run.id}`),
      body: {
        ...run,
        automation_name: names[0],
        inputs: Object.fromEntries(strings.map((text, n) => [`p${n}`, text])),
        plan: names.map((text) => ({ step_id: text, action: text, on_failure: false })),
        steps: names.map((text) => ({
          step_id: text,
          action: text,
          attempt: 1,
          status: "failed",
          started_at: at,
          finished_at: at,
          error: { class: text, message: text },
        })),
      },
    },
    {
      what: "names and goals of automations",
      path: "/automations",
      wanted: names,
      route: /\/v1\/automations\?/,
      body: {
        items: names.map((text, n) => ({
          id: `aut_${n}`,
          name: text,
          goal: names[(n + 7) % names.length],
          status: "active",
          triggers: [],
          recent: [],
          runs: 0,
          space: "spc_1",
          version: 1,
          created_at: at,
          updated_at: at,
        })),
      },
    },
    {
      what: "names of agents",
      path: "/agents",
      wanted: linked,
      route: /\/v1\/agents$/,
      body: { items: linked.map(agentOf) },
    },
    {
      what: "sessions, capabilities and sources of an agent",
      path: "/agents/somebody",
      wanted: names,
      route: /\/v1\/agents\/somebody$/,
      body: {
        agent: agentOf("somebody"),
        capabilities: names,
        sources: linked.map((source) => ({ source, calls: 1, succeeded: 1, failed: 0, denied: 0 })),
        sessions: names.map((text, n) => ({
          id: `ses_${n}`,
          agent: "somebody",
          title: text,
          kind: text,
          space: text,
          capabilities: [],
          created_by: "usr_1",
          created_by_name: text,
          created_at: at,
          expires_at: later,
        })),
      },
    },
    {
      what: "names and addresses of members",
      path: "/settings/members",
      wanted: names,
      route: /\/v1\/members\?/,
      body: {
        items: names.map((text, n) => ({
          user: `usr_${n}`,
          name: text,
          email: names[(n + 3) % names.length],
          role: "member",
          kind: "person",
          joined_at: at,
          invited_by: `usr_${(n + 5) % names.length}`,
        })),
      },
    },
    {
      what: "members of a space, and what they may use",
      path: "/settings/spaces",
      wanted: names,
      route: /\/v1\/spaces\/[^/]+\/members/,
      act: (page) =>
        page
          .getByRole("button", { name: /^Members of / })
          .first()
          .click(),
      body: {
        items: names.map((text, n) => ({
          user: `usr_${n}`,
          name: text,
          role: "member",
          kind: "person",
          capabilities: [names[(n + 3) % names.length], names[(n + 5) % names.length]],
          added_at: at,
        })),
      },
    },
    {
      what: "an invitation, read by a person who is signed in as someone else",
      path: "/join#csn_inv_1",
      wanted: names.slice(0, 4),
      route: /\/v1\/join\/look$/,
      body: {
        org: "org",
        org_name: names[0],
        invited_by: names[1],
        email: names[2],
        name: "x",
        role: "admin",
        expires_at: later,
        provider: names[3],
        is_member: false,
      },
    },
    {
      what: "who stopped what, and why",
      path: "/agents",
      wanted: [names[0], names[2]],
      route: /\/v1\/conduct$/,
      body: {
        items: [
          {
            scope: "agent",
            subject: "somebody",
            name: names[0],
            conduct: "halted",
            reason: names[1],
            set_by: "usr_1",
            set_by_name: names[2],
            set_at: at,
          },
        ],
      },
    },
    {
      what: "model providers, their models, and why they do not answer",
      path: "/models",
      wanted: names,
      route: /\/v1\/models$/,
      body: {
        items: names.map((text, n) => ({
          id: `mpv_${n}`,
          provider: names[(n + 3) % names.length],
          action: names[(n + 5) % names.length],
          wire: "openai_chat",
          base_url: names[(n + 7) % names.length],
          auth: { kind: "bearer", secret: names[(n + 9) % names.length] },
          has_credential: true,
          models: [{ name: names[(n + 11) % names.length], context: 1_000, max_output: 16 }],
          may_see_private: false,
          is_free: false,
          enabled: true,
          tested: { at, model: text, calls_tools: false, answers_in_schema: false, problem: text },
          created_by: "usr_1",
          created_at: at,
        })),
      },
    },
    {
      what: "names and reasons of policies",
      path: "/policy#policies",
      wanted: linked,
      route: /\/v1\/policies$/,
      body: {
        items: linked.map((text, n) => ({
          id: `pol_${n}`,
          name: text,
          text: "forbid (principal, action, resource);",
          state: "enforced",
          version: 1,
          mode: "deny",
          why: linked[(n + 3) % linked.length],
          reads: [],
          facts: [linked[(n + 5) % linked.length]],
          limits: {},
          set_by: "usr_1",
          set_by_name: linked[(n + 7) % linked.length],
          updated_at: at,
        })),
      },
    },
    {
      what: "facts in words",
      path: "/policy#facts",
      wanted: names,
      route: /\/v1\/facts$/,
      body: {
        items: names.map((text, n) => ({
          id: `fct_${n}`,
          name: names[(n + 3) % names.length],
          kind: "count",
          of: ["linear.create_issue"],
          within: "1h",
          per: "org",
          words: text,
          sees_since: at,
          complete: true,
          used_by: [],
          set_by: "usr_1",
          updated_at: at,
        })),
      },
    },
    {
      what: "suggestions, whose conditions quote parameters",
      path: "/policy#suggestions",
      wanted: names,
      route: /\/v1\/policy-suggestions\?/,
      body: {
        items: names.map((text, n) => ({
          kind: "grant",
          action: names[(n + 3) % names.length],
          where: { [text]: { equals: text } },
          where_words: text,
          count: 3,
          words: text,
          backtest: {},
        })),
      },
    },
    {
      what: "the words of a refusal",
      path: "/runs",
      wanted: names,
      route: /\/v1\/runs\?/,
      status: 400,
      body: {
        type: "x",
        code: names[1],
        status: 400,
        title: names[2],
        detail: names[3],
        hint: names[4],
        errors: names.map((text, n) => ({ pointer: `/${n}`, message: text })),
      },
    },
  ];
}

export async function servePage(page, { route, body, status = 200 }) {
  await page.route(route, (each) => json(each, body, status));
}
