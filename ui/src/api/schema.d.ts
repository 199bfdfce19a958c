// The types of the API. Made from schemas/openapi.json by `npm run client`; do not edit.

export interface paths {
    "/.well-known/countersign-keys.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The public keys that verify receipts, for anyone. */
        get: operations["get_keys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A page to read this description with. */
        get: operations["get_docs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs/reader.js": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The program of that page. */
        get: operations["get_docs_reader"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the process lives. */
        get: operations["get_health"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mcp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The Model Context Protocol (Streamable HTTP, 2026-07-28 and older): the session's actions as tools. See docs/mcp.md. */
        post: operations["speak_mcp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Metrics in the format of Prometheus. */
        get: operations["get_metrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether it can take requests: the database answers and it is not shutting down. Redis may be away. */
        get: operations["get_readiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/artifacts/{digest}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The whole of a result that the receipt holds a part of. A session is given those of its own invocations. */
        get: operations["get_artifact"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/automations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The org's automations, the oldest first. Archived ones are left out. */
        get: operations["list_automations"];
        put?: never;
        /** Save an automation. The tokens of its webhook triggers are shown this once. */
        post: operations["create_automation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/automations/{automation}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One automation, with its program. */
        get: operations["get_automation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Save the next version of an automation, pause it, resume it, or archive it. */
        patch: operations["change_automation"];
        trace?: never;
    };
    "/v1/automations/{automation}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Run an automation now. */
        post: operations["run_automation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/automations/{automation}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The versions of an automation, the newest first, each with what it changed. */
        get: operations["list_versions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/automations/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Everything that is wrong with a definition, and what policy would say to its steps, without saving it. */
        post: operations["validate_automation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/connections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The org's connections, without their credentials. */
        get: operations["list_connections"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/connections/{provider}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Connect a source with a credential, replacing the one that was there. */
        put: operations["put_connection"];
        post?: never;
        /** Cut a connection. */
        delete: operations["delete_connection"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/connectors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The org's connectors. */
        get: operations["list_connectors"];
        put?: never;
        /** Connect a server and ask it for its tools. One that does not answer is connected all the same, with the reason. */
        post: operations["add_connector"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/connectors/{connector}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A connector with its tools: as they are, as they were accepted, and what differs. */
        get: operations["get_connector"];
        put?: never;
        post?: never;
        /** Remove a connector with its tools. */
        delete: operations["remove_connector"];
        options?: never;
        head?: never;
        /** Change where a connector is, its credential, or whether it is used; then it is asked again. */
        patch: operations["change_connector"];
        trace?: never;
    };
    "/v1/connectors/{connector}/authorize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begin to authorize a connector: send a person with a browser to the address. */
        post: operations["authorize_connector"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/connectors/{connector}/harvest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ask a connector for its tools now, and say what is new. */
        post: operations["harvest_connector"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/connectors/{connector}/review": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Accept a tool as it was looked at, with its risk and effect class, or deny it for good. */
        post: operations["review_tool"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/event-groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The org's groups, with what each has before it. */
        get: operations["list_groups"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/event-groups/{group}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One group. */
        get: operations["get_group"];
        /** Make a group, or change one. */
        put: operations["put_group"];
        post?: never;
        /** Remove a group with all it holds. */
        delete: operations["remove_group"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/event-groups/{group}/ack": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Say that events were seen to. Saying it again does no harm. */
        post: operations["ack_events"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/event-groups/{group}/claim": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Take over what a consumer holds that you know to be dead, before its time is over. */
        post: operations["claim_events"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/event-groups/{group}/dead-letters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Events that nobody could do anything with, the oldest first. */
        get: operations["list_dead_letters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/event-groups/{group}/dead-letters/revive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Hand dead letters out again; all of them when none is named. */
        post: operations["revive_dead_letters"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/event-groups/{group}/nack": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Hand events back: they are handed out again after a delay or, handed out too often, become dead letters. */
        post: operations["nack_events"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/event-groups/{group}/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Take events: what is due again first, then what is new; with `wait` as soon as there is one. */
        post: operations["read_group"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/event-groups/{group}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Hand a group everything from somewhere on, again. */
        post: operations["replay_group"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The newest events, or those after one you have; with `wait` as soon as there is one. */
        get: operations["list_events"];
        put?: never;
        /** Publish an event of your own, or a list of them. The same `source` and `id` again is publishing once. */
        post: operations["publish_events"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Every event as it happens (`text/event-stream`): `id` is its `eventid`, `event` its type, `data` the whole of it. After a
         *     break, go on with `Last-Event-ID` or `after`; nothing is missed and nothing comes twice.
         */
        get: operations["stream_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/grant-requests/{request}/answer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Answer an agent's request: give what it asked for or less, or nothing. */
        post: operations["answer_grant_request"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/grants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The org's grants, newest first. */
        get: operations["list_grants"];
        put?: never;
        /** Give a grant. */
        post: operations["give_grant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/grants/{grant}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Take a grant back. The next invocation is decided without it. */
        delete: operations["revoke_grant"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/hooks/{trigger}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Start a run from outside, with the trigger's own token. */
        post: operations["take_hook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/inbox": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Everything that waits for a person, newest first. */
        get: operations["list_inbox"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/inbox/{invocation}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One invocation that waits, with a preview where its source can give one. */
        get: operations["get_inbox_item"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invocations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Every invocation of the org, newest first. A page looks at a bounded number of invocations: one that found few, or none,
         *     still says where the next page begins, and how far back it looked.
         */
        get: operations["list_activity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invocations/{invocation}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One invocation of the org. */
        get: operations["get_org_invocation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invocations/{invocation}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Say yes to exactly what was shown. 200: it is over. 202: it is under way, or others must say yes too. */
        post: operations["approve_invocation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invocations/{invocation}/attempts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The tries of an invocation that failed, in order. The one that succeeded is the invocation itself. */
        get: operations["list_attempts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invocations/{invocation}/deny": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Say no. The agent can read the reason. */
        post: operations["deny_invocation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invocations/{invocation}/reconcile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Say what became of an invocation that ended `unknown`, and how you know. A second receipt refers to the first. */
        post: operations["reconcile_invocation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ledger/bundles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Receipts with all that proves their places in the log, newest first. */
        get: operations["list_bundles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ledger/checkpoint": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The newest checkpoint: a signed note. */
        get: operations["get_checkpoint"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ledger/checkpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Checkpoints that were kept, one a minute, newest first. */
        get: operations["list_checkpoints"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ledger/consistency": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What proves that the log of one size continues the log of a smaller one. */
        get: operations["prove_consistency"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ledger/entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The org's entries in the order of their numbers, with the receipts they stand for. */
        get: operations["list_entries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ledger/inclusion": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What proves that an entry is in the log. */
        get: operations["prove_inclusion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ledger/tile/{*path}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A tile of hashes, as C2SP `tlog-tiles` names them: `<level>/<index>`, with `.p/<width>` where it is not full. */
        get: operations["get_tile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who the caller is. */
        get: operations["get_me"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Everybody in the org. */
        get: operations["list_members"];
        put?: never;
        /** Add a member. */
        post: operations["add_member"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/members/{user}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove a member, with every token of theirs. What they did stays on record. */
        delete: operations["remove_member"];
        options?: never;
        head?: never;
        /** Change what a member may do, or what the org calls them. */
        patch: operations["change_member"];
        trace?: never;
    };
    "/v1/members/{user}/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make a token for a member. It is in the answer, this once. */
        post: operations["create_member_token"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/notifiers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Where the org's people are told, oldest first. */
        get: operations["list_notifiers"];
        put?: never;
        /** Tell people in a Slack channel, or by mail, what waits for them. */
        post: operations["add_notifier"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/notifiers/{notifier}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Stop telling people there. */
        delete: operations["remove_notifier"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/notifiers/{notifier}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a test there now. */
        post: operations["test_notifier"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/oauth/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Where a person's browser comes back from an authorization server. */
        get: operations["finish_authorization"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This description. */
        get: operations["get_openapi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/org": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The org, and how it approves. */
        get: operations["get_org"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change how the org approves what is hard to undo, and how long it keeps what receipts say. */
        patch: operations["change_org"];
        trace?: never;
    };
    "/v1/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What happened in a stretch of time, counted: the last week when none is named. */
        get: operations["get_overview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/passkeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The passkeys of the org, oldest first, with those that were removed. Keep the list, and nobody can say later that
         *     another key was somebody's.
         */
        get: operations["list_passkeys"];
        put?: never;
        /** Register a passkey of your own. Whoever has one already signs the new one with it. */
        post: operations["add_passkey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/passkeys/{passkey}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Take a passkey out of use. What it signed before stays signed. */
        delete: operations["remove_passkey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/passkeys/registration": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begin to register a passkey of your own: what the browser needs to make one. */
        post: operations["offer_passkey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/policy/matrix": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The effective mode of every action in a space, and where it comes from. It is reached as for a real invocation, without
         *     what only parameters tell.
         */
        get: operations["get_matrix"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/receipts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The org's receipts, newest first. */
        get: operations["list_receipts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/receipts/{receipt}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One receipt: the signed envelope, and what it can be found by. */
        get: operations["get_receipt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/receipts/{receipt}/bundle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One receipt with all that proves its place in the log. */
        get: operations["get_bundle"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The org's rules. */
        get: operations["list_rules"];
        /** Set a rule, replacing the one with the same key. The next decision is made by it. */
        put: operations["put_rule"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/rules/{rule}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove a rule. */
        delete: operations["delete_rule"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The org's runs, the newest first. */
        get: operations["list_runs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One run with its steps; with `wait`, once it changed. */
        get: operations["get_run"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End a run. A step under way ends first; what waits for a person is withdrawn. */
        post: operations["cancel_run"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run}/rerun": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Do a run that did not succeed again, from the step that failed or from the start. */
        post: operations["repeat_run"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/schemas/automation/1.0": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The JSON Schema of a definition. */
        get: operations["get_automation_schema"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/secrets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The org's secrets, without their values. */
        get: operations["list_secrets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/secrets/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Keep a value under a name, replacing what was there. It can be used, and never read back. */
        put: operations["put_secret"];
        post?: never;
        /** Forget a secret. */
        delete: operations["delete_secret"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The org's sessions, newest first. */
        get: operations["list_sessions"];
        put?: never;
        /** Open a session. Its token is in the answer, this once. */
        post: operations["create_session"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One session. */
        get: operations["get_session"];
        put?: never;
        post?: never;
        /** End a session: its token opens nothing from now on. */
        delete: operations["end_session"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session}/actions/available": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Everything the session could ask for, with what would be decided about it now. */
        get: operations["list_actions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session}/actions/guide/{source}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What an agent should read before using a source, as Markdown. */
        get: operations["get_guide"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session}/actions/invoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ask for an action. 200: it happened. 202: a person must say yes first. Otherwise: why not. */
        post: operations["invoke_action"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session}/grants/request": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ask for a standing permission. A person answers. */
        post: operations["request_grant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session}/grants/requests/{request}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What became of a request. */
        get: operations["get_grant_request"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session}/invocations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The session's invocations, newest first. */
        get: operations["list_invocations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session}/invocations/{invocation}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One invocation of the session, once it is over or the wait is. */
        get: operations["get_invocation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session}/invocations/{invocation}/decision": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The whole derivation of a decision, in words and as data, with every vote. */
        get: operations["explain_decision"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/signin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How a browser may be signed in here. */
        get: operations["get_ways_to_sign_in"];
        put?: never;
        /** Sign a browser in with a person's token. It is known by a cookie from now on, and the token need not be kept. */
        post: operations["sign_in"];
        /** Sign this browser out. */
        delete: operations["sign_out"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/signin/oidc": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Send a browser to the identity provider. */
        get: operations["begin_oidc"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/signin/oidc/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Where a browser comes back from the identity provider. */
        get: operations["finish_oidc"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/signin/org": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Go on in another org of yours, after the identity provider signed you in. */
        post: operations["switch_org"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/slack/{org}/interactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Where Slack sends clicks. What lets them in is Slack's signature with the org's signing secret. */
        post: operations["take_slack_click"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/slack/people": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Which users of Slack are linked to users of the org. */
        get: operations["list_slack_people"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/slack/people/{slack_user}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Say which user a user of Slack is: what they click counts as that user's word. */
        put: operations["link_slack_person"];
        post?: never;
        /** Forget who a user of Slack is. */
        delete: operations["unlink_slack_person"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Every source of the org: those of the program, and the servers it connected. */
        get: operations["list_sources"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sources/{source}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One source with its actions. */
        get: operations["get_source"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/spaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The org's spaces. */
        get: operations["list_spaces"];
        put?: never;
        /** Add a space. */
        post: operations["create_space"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/spaces/{space}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change a space: its name, its band, whether outbound parameters are redacted. */
        patch: operations["change_space"];
        trace?: never;
    };
    "/v1/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Your tokens, without what they open with. */
        get: operations["list_tokens"];
        put?: never;
        /** Make a token for yourself. It is in the answer, this once. */
        post: operations["create_token"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tokens/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke one of your tokens. */
        delete: operations["revoke_token"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/triggers/{trigger}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A new token for a webhook trigger, shown this once; the old one opens nothing from now on. */
        post: operations["rotate_trigger"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/triggers/{trigger}/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Take the token of a webhook trigger away. */
        delete: operations["revoke_trigger"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The org's webhooks, without their secrets. */
        get: operations["list_webhooks"];
        put?: never;
        /** Have events sent to an address. The secret that verifies them is shown this once. */
        post: operations["add_webhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{webhook}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One webhook. */
        get: operations["get_webhook"];
        put?: never;
        post?: never;
        /** Remove a webhook, and with it what is on its way there. */
        delete: operations["remove_webhook"];
        options?: never;
        head?: never;
        /** Change where events are sent, which, or whether. */
        patch: operations["change_webhook"];
        trace?: never;
    };
    "/v1/webhooks/{webhook}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What became of what was sent there, newest first; kept for 30 days. */
        get: operations["list_deliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{webhook}/deliveries/{delivery}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send it again, whatever became of it. */
        post: operations["resend_delivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{webhook}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make a new secret, shown this once. For a day the one before it signs as well. */
        post: operations["rotate_webhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{webhook}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send an event to this webhook alone, to try it with. */
        post: operations["test_webhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description One action, with what would be decided about it. */
        ActionView: {
            /**
             * @description `source.action`.
             * @example linear.create_issue
             */
            action: string;
            /** @description What it does. */
            description: string;
            /**
             * @description Whether it is what a person reviewed: absent if so, else `changed` or `never_reviewed`.
             * @example never_reviewed
             */
            drift?: string | null;
            /**
             * @description Whether a repeat is harmless.
             * @example checkable
             */
            effect: string;
            /** @description JSON Schema of the parameters. */
            input_schema: Record<string, never>;
            /**
             * @description What would be decided now.
             * @example require_approval
             */
            mode: string;
            /** @description Why, in words. */
            reason: string;
            /**
             * @description How much can go wrong.
             * @example R2
             */
            risk: string;
            /** @description How it is undone, in words; absent where it cannot be. */
            undo?: string | null;
        };
        /** @description An invocation in a list. */
        ActivityItem: {
            /** @description `source.action`. */
            action: string;
            /** @description Who asked, as the session names it. */
            agent: string;
            /**
             * Format: int32
             * @description How often the target was tried.
             */
            attempts: number;
            /** @example aut_0199… */
            automation?: string | null;
            /** @description Whether only to say what would happen. */
            dry_run: boolean;
            error?: components["schemas"]["FailureView"] | null;
            /** Format: date-time */
            finished_at?: string | null;
            /** @example inv_0199… */
            id: string;
            /** @example allow */
            mode: string;
            /**
             * @description Which step of the cascade gave the mode: `automation_rule`, `org_rule`, `inferred` or `grant`.
             * @example inferred
             */
            mode_source: string;
            /** @description The redacted parameters as JSON in one line, cut after 300 characters. */
            params_line: string;
            /** @example rcp_0199… */
            receipt?: string | null;
            /** Format: date-time */
            requested_at: string;
            /** @example R2 */
            risk: string;
            /**
             * @description The run it is a step of.
             * @example run_0199…
             */
            run?: string | null;
            /** @example ses_0199… */
            session: string;
            /** @description The slug of its space. */
            space: string;
            /** Format: date-time */
            started_at?: string | null;
            /** @example succeeded */
            status: string;
        };
        /** @description A page of invocations. */
        ActivityPage: {
            items: components["schemas"]["ActivityItem"][];
            /** @description Where the next page begins; absent on the last one. */
            next_cursor?: string | null;
            /**
             * Format: date-time
             * @description How far back this page looked, when it stopped before it was full: there may be more before that moment.
             */
            searched_until?: string | null;
        };
        /** @description How much an agent asked for. */
        AgentCalls: {
            /** @description As its sessions name it. */
            agent: string;
            /** Format: int64 */
            calls: number;
        };
        /** @description An invocation that needs a yes. */
        ApprovalItem: {
            /** @description What the action is, as its definition says. */
            description: string;
            /** @description What became of the same action before. */
            history: components["schemas"]["HistoryView"];
            invocation: components["schemas"]["InvocationView"];
            /** @description Whether a grant or a rule could answer the like of it from now on; if not, why. */
            only_once?: string | null;
            /** @description Whether a yes must be signed with a passkey. */
            passkey_needed?: boolean;
            preview?: components["schemas"]["PreviewView"] | null;
            /** @description How it is undone, in words; absent where it cannot be. */
            undo?: string | null;
            votes: components["schemas"]["VoteView"][];
            /**
             * Format: int32
             * @description How many people must say yes, and how many have.
             */
            votes_needed: number;
            /** @description Why a person is asked, in words; the last one is what decided. */
            why: string[];
        };
        /** @description A person's yes. */
        ApproveRequest: {
            assertion?: components["schemas"]["AssertionRequest"] | null;
            /** @description Through what they answered. */
            channel?: components["schemas"]["Channel"];
            /** @description How far the yes goes. */
            extent?: components["schemas"]["Extent"];
            grant?: components["schemas"]["GrantBounds"] | null;
            /** @description For whoever reads the receipt. */
            note?: string;
            /** @description What was shown, as the inbox gave it. A yes to anything else is refused. */
            shown_digest: string;
        };
        /** @description What a browser got from a passkey (`navigator.credentials.get`). */
        AssertionRequest: {
            authenticator_data: string;
            /** @description `clientDataJSON`. */
            client_data: string;
            /** @description Which passkey. */
            credential: string;
            /** @description ECDSA with SHA-256 as ASN.1. */
            signature: string;
        };
        /** @description One try that failed. */
        AttemptView: {
            /** @example rate_limited */
            class: string;
            /** Format: date-time */
            ended_at: string;
            /** @description What happened, redacted. */
            message: string;
            /**
             * Format: int32
             * @description The first is 1.
             */
            number: number;
            /** @description Whether it was tried again after this. */
            retried: boolean;
            /** @description Whether the request may have reached the target. */
            sent: boolean;
            /** Format: date-time */
            started_at: string;
        };
        /** @description Where to send a person, to authorize a connector. */
        AuthorizeView: {
            /** @description To be opened in a browser, within ten minutes and once. */
            authorize_url: string;
        };
        /** @description An automation with its program. */
        AutomationDetail: components["schemas"]["AutomationView"] & {
            definition: Record<string, never>;
            /** @description The tokens of webhook triggers that were made now, each shown this once. */
            new_tokens?: components["schemas"]["NewHookTokenView"][];
        };
        /** @description What to change about an automation; what is absent stays. */
        AutomationPatch: {
            /** @description The next version of the program. One that says what the current one says is not a new version. */
            definition?: Record<string, never> | null;
            /**
             * Format: int32
             * @description The version this was made from; refused when another was saved meanwhile.
             */
            from_version?: number | null;
            /**
             * @description `active`, `paused` or `archived`.
             * @example paused
             */
            status?: string | null;
        };
        /** @description An automation to save. */
        AutomationRequest: {
            /** @description The program, as `GET /v1/schemas/automation/1.0` describes it. */
            definition: Record<string, never>;
            /** @description Where it works; the org's first space when not given. It stays there. */
            space?: string | null;
        };
        /** @description An automation in a list. */
        AutomationView: {
            /** Format: date-time */
            created_at: string;
            created_by: string;
            goal: string;
            /** @example aut_0199… */
            id: string;
            last_run?: components["schemas"]["RunView"] | null;
            name: string;
            /** @description The last runs, at most 20, the oldest first. */
            recent: components["schemas"]["RecentRun"][];
            /**
             * Format: int64
             * @description How many runs there have been.
             */
            runs: number;
            space: string;
            /** @example active */
            status: string;
            triggers: components["schemas"]["TriggerView"][];
            /** Format: date-time */
            updated_at: string;
            /**
             * Format: int32
             * @description The version that runs.
             */
            version: number;
        };
        /** @description What was asked for in one stretch of time, and what became of it by now. Dry runs are left out. */
        Bucket: {
            /** Format: int64 */
            answered: number;
            /**
             * Format: double
             * @description How long half of those answers took at most, in seconds.
             */
            approval_p50_s?: number | null;
            /** Format: double */
            approval_p95_s?: number | null;
            /**
             * Format: int64
             * @description Of those: how many a person was asked about, and how many of these a person answered.
             */
            asked: number;
            /**
             * Format: date-time
             * @description When it begins.
             */
            at: string;
            /** Format: int64 */
            calls: number;
            /**
             * Format: double
             * @description What models cost in runs that began in it.
             */
            cost_usd: number;
            /** Format: int64 */
            denied: number;
            /**
             * Format: int64
             * @description How often a tool was found new, changed, gone or back. Tools belong to no space, so this is of the org.
             */
            drift: number;
            /** Format: int64 */
            expired: number;
            /** Format: int64 */
            failed: number;
            /** Format: int64 */
            quarantined: number;
            /** Format: int64 */
            reverted: number;
            /**
             * Format: int64
             * @description Failed or timed out.
             */
            runs_failed: number;
            /**
             * Format: int64
             * @description Runs that began in it, by how they ended.
             */
            runs_succeeded: number;
            /** Format: int64 */
            succeeded: number;
            /** Format: int64 */
            unknown: number;
        };
        /** @description Receipts with their proofs, newest first. */
        BundlesView: {
            /** @description Bundles: each can be verified offline with the keys alone. See docs/ledger.md. */
            items: Record<string, never>[];
            /** @description Where the next page begins; absent on the last one. */
            next_cursor?: string | null;
            /**
             * Format: int32
             * @description How many receipts of this page are left out because the log does not hold them: older than the log, or so new that their
             *     place is still to come.
             */
            not_logged: number;
        };
        /** @description Everything a session could ask for. */
        CatalogView: {
            /** @description The actions, sorted by address. */
            actions: components["schemas"]["ActionView"][];
            /** @description The sources, with whether they can be used now. */
            sources: components["schemas"]["SourceView"][];
        };
        /**
         * @description Through what a person answered.
         * @enum {string}
         */
        Channel: "api" | "cli" | "web";
        /** @description A signed state of the log. */
        CheckpointView: {
            /** @description A signed note: the log's name, its size, its root, and the signatures. */
            checkpoint: string;
            /** Format: date-time */
            signed_at: string;
        };
        /** @description Taking over what a dead consumer holds. */
        ClaimRequest: {
            consumer: string;
            /** @description From whom; from any other when not given. */
            from?: string | null;
            /**
             * Format: int64
             * @description Only what they have had for so many seconds.
             */
            idle_s?: number;
            /** @description At most this many, 1 to 100; 10 when not given. */
            max?: number | null;
        };
        /** @description What Slack is told about a click. */
        ClickAnswer: {
            /** @description Always `false`: the message is changed when the invocation has. */
            replace_original: boolean;
            /** @description Always `ephemeral`: for the one who clicked alone. */
            response_type: string;
            text: string;
        };
        /** @description A credential for a source. */
        ConnectionRequest: {
            /** @description What people call it, for example the workspace it opens. */
            name?: string;
            token: string;
        };
        /** @description What may be known of a connection. */
        ConnectionView: {
            id: string;
            name: string;
            /** @description The source it opens. */
            provider: string;
            set_by: string;
            /** Format: date-time */
            updated_at: string;
            /**
             * Format: int32
             * @description Rises with every new credential.
             */
            version: number;
        };
        /** @description How calls of a connector are authenticated. */
        ConnectorAuth: {
            /** @enum {string} */
            kind: "none";
        } | {
            /** @enum {string} */
            kind: "bearer";
            /** @description The secret's name. */
            secret: string;
        } | {
            /** @description The header's name. */
            header: string;
            /** @enum {string} */
            kind: "header";
            /** @description The secret's name. */
            secret: string;
        } | {
            /** @enum {string} */
            kind: "oauth";
            /** @description The secret's name. */
            secret: string;
        };
        /** @description A connected server with its tools. */
        ConnectorDetail: {
            connector: components["schemas"]["ConnectorView"];
            tools: components["schemas"]["ToolView"][];
        };
        /**
         * @description What a connector is.
         * @enum {string}
         */
        ConnectorKind: "mcp" | "stdio" | "openapi";
        /** @description What to change about a connector; what is absent stays. */
        ConnectorPatch: {
            auth?: components["schemas"]["ConnectorAuth"] | null;
            base_url?: string | null;
            enabled?: boolean | null;
            place?: string | null;
        };
        /** @description A server to connect. */
        ConnectorRequest: {
            auth?: components["schemas"]["ConnectorAuth"];
            /** @description For `openapi`: where operations are called, if not where the document says. */
            base_url?: string | null;
            kind: components["schemas"]["ConnectorKind"];
            /**
             * @description Where the server is, or its OpenAPI document; for `stdio` the name of the declared command.
             * @example https://mcp.example.com/mcp
             */
            place: string;
            /**
             * @description The first half of every address of its tools; cannot be changed.
             * @example docs
             */
            source: string;
        };
        /** @description A connected server. */
        ConnectorView: {
            auth: components["schemas"]["ConnectorAuth"];
            base_url?: string | null;
            enabled: boolean;
            /** @example cnr_0199… */
            id: string;
            kind: components["schemas"]["ConnectorKind"];
            /** Format: date-time */
            last_harvested_at?: string | null;
            place: string;
            /** @description Why it could not be asked; its tools are as they were last seen. */
            problem?: string | null;
            /** @description What it calls itself. */
            server?: string | null;
            source: string;
            /**
             * Format: int64
             * @description How many of them wait for a review.
             */
            to_review: number;
            /**
             * Format: int64
             * @description How many tools it lists.
             */
            tools: number;
        };
        /** @description How many events that was news of. */
        CountView: {
            /** Format: int64 */
            count: number;
        };
        /** @description An event that nobody could do anything with. */
        DeadLetterView: {
            /** Format: int32 */
            attempts: number;
            /** Format: date-time */
            dead_at: string;
            error?: string | null;
            event?: components["schemas"]["EventView"] | null;
            eventid: string;
        };
        /** @description The derivation of a decision. */
        DecisionView: {
            action: string;
            decision: Record<string, never>;
            invocation: string;
            /** @description Every step, in order, in words. */
            steps: string[];
            votes: components["schemas"]["VoteView"][];
        };
        /** @description One thing that is wrong with a definition. */
        DefinitionProblem: {
            message: string;
            /**
             * @description Where, as a JSON pointer.
             * @example /plan/0/action
             */
            pointer: string;
            /** @description What to write instead, where that can be guessed. */
            suggestion?: string | null;
        };
        /**
         * @description How far a delivery has come.
         * @enum {string}
         */
        DeliveryState: "pending" | "delivered" | "failed";
        /** @description One event on its way to one webhook. */
        DeliveryView: {
            /**
             * Format: int32
             * @description How often it was tried since it was made or sent again.
             */
            attempts: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            delivered_at?: string | null;
            /** @description Also its `webhook-id`. */
            event: string;
            /** @example dlv_0199… */
            id: string;
            last_error?: string | null;
            /**
             * Format: int32
             * @description What the receiver answered last.
             */
            last_status?: number | null;
            /**
             * Format: date-time
             * @description When it is tried next, while it is pending.
             */
            next_at?: string | null;
            status: components["schemas"]["DeliveryState"];
            webhook: string;
        };
        /** @description A person's no. */
        DenyRequest: {
            assertion?: components["schemas"]["AssertionRequest"] | null;
            /** @description Through what they answered. */
            channel?: components["schemas"]["Channel"];
            /** @description Why; the agent can read it. */
            reason?: string;
            /** @description What was shown, as the inbox gave it. */
            shown_digest: string;
        };
        /** @description Some of the org's entries, in their order. */
        EntriesView: {
            /** @description Records: the entry, its place, and the receipt or what is left of it. See docs/ledger.md. */
            items: Record<string, never>[];
            /**
             * Format: int64
             * @description The number to go on after; absent when these were the last.
             */
            next?: number | null;
        };
        /** @description Which events. */
        EventIds: {
            /** @description Their `eventid`s, at most 100. */
            events: string[];
        };
        /** @description An event to publish: CloudEvents 1.0 in JSON. A list of them is published whole or not at all. */
        EventRequest: {
            /** @description The `eventid` of the event that led to this one, if one did. A chain of more than eight is refused. */
            causedby?: string | null;
            /** @description At most 64 KB. What looks like a credential is taken out. */
            data?: unknown;
            /** @description `application/json`, if given. */
            datacontenttype?: string | null;
            /** @description Your own name for it: publishing the same `source` and `id` again is publishing once. */
            id: string;
            /** @description Who you are, for example `/drive`. */
            source: string;
            /** @description `1.0` */
            specversion: string;
            subject?: string | null;
            /**
             * Format: date-time
             * @description When it happened; when it came, if not given.
             */
            time?: string | null;
            /** @description Under a prefix of your own, for example `drive.file_added`. */
            type: string;
        };
        /** @description One event or several. */
        EventsRequest: components["schemas"]["EventRequest"] | components["schemas"]["EventRequest"][];
        /** @description Events in order. */
        EventsView: {
            items: components["schemas"]["EventView"][];
            /** @description Where to go on: give it as `after`. Also without items, when events passed by that you do not mean. */
            last?: string | null;
        };
        /**
         * @description An event: CloudEvents 1.0 in JSON, with `eventid` (our id of it), `depth` (how many events led to it), `space`, `session`
         *     and `originchain` where there is one.
         */
        EventView: Record<string, never>;
        /**
         * @description How far a yes goes.
         * @enum {string}
         */
        Extent: "once" | "grant" | "always";
        /** @description Why an invocation did not succeed. */
        FailureView: {
            /**
             * @description What kind of failure.
             * @example rate_limited
             */
            class: string;
            /** @description What happened, redacted. */
            message: string;
            /** @description Whether the request may have reached the target. */
            sent: boolean;
        };
        /** @description One wrong place in a request. */
        FieldProblem: {
            /** @description What is wrong there; never repeats the value. */
            message: string;
            /** @description JSON pointer into the request's parameters. */
            pointer: string;
        };
        /** @description An answer to what an agent asked to be granted. */
        GrantAnswer: {
            /** @description Whether it is given. */
            give: boolean;
            /**
             * Format: int64
             * @description Less time than asked for.
             */
            lifetime_s?: number | null;
            /**
             * Format: int32
             * @description Fewer calls than asked for.
             */
            max_calls?: number | null;
            note?: string;
        };
        /** @description What an agent asks to be granted. */
        GrantAsk: {
            /** @description `source.action` or `source.*`. */
            action: string;
            /** Format: int64 */
            lifetime_s?: number;
            /** Format: int32 */
            max_calls?: number;
            /** @description What for; a person decides by it. */
            reason: string;
        };
        /** @description The bounds of a grant. */
        GrantBounds: {
            /**
             * Format: int64
             * @description For how long, in seconds.
             */
            lifetime_s?: number;
            /**
             * Format: int32
             * @description How often at most.
             */
            max_calls?: number;
            /** @description Whether for this session or for every session of the org. */
            scope?: components["schemas"]["GrantReach"];
        };
        /** @description A standing permission to give. */
        GrantCreate: {
            /** @description `source.action`, `source.*` or `*`; the last two need an owner. */
            action: string;
            /**
             * @description For the runs of one automation.
             * @example aut_0199…
             */
            automation?: string | null;
            /** Format: int64 */
            lifetime_s?: number;
            /** Format: int32 */
            max_calls?: number;
            reason?: string;
            /** @description For one session; absent means for the whole org. */
            session?: string | null;
        };
        /**
         * @description Whom a grant given with an approval is for.
         * @enum {string}
         */
        GrantReach: "session" | "org";
        /** @description What an agent asked to be granted, and what came of it. */
        GrantRequestView: {
            action: string;
            /** @description Who asks, as the session names it. */
            agent: string;
            /** Format: date-time */
            expires_at: string;
            grant?: string | null;
            /** @example grq_0199… */
            id: string;
            /** Format: int64 */
            lifetime_s: number;
            /** Format: int32 */
            max_calls: number;
            /** @description What the person said. */
            note?: string | null;
            reason: string;
            /** Format: date-time */
            requested_at: string;
            session: string;
            /** @description `pending`, `granted`, `denied` or `expired`. */
            status: string;
        };
        /** @description A standing permission. */
        GrantView: {
            action: string;
            /** @example aut_0199… */
            automation?: string | null;
            /** Format: date-time */
            created_at: string;
            created_by: string;
            /** Format: date-time */
            expires_at: string;
            /** @description The approval it came with. */
            from_invocation?: string | null;
            /** @example grt_0199… */
            id: string;
            /** Format: int32 */
            max_calls: number;
            reason: string;
            session?: string | null;
            /** @description `active`, `used_up`, `expired` or `revoked`. */
            state: string;
            /** Format: int32 */
            used_calls: number;
        };
        /** @description An event in your hands: acknowledge it, hand it back, or it is handed to another when your time is over. */
        GroupDeliveryView: {
            /**
             * Format: int32
             * @description Which delivery of it this is; 1 is the first.
             */
            attempt: number;
            event: components["schemas"]["EventView"];
        };
        /** @description A group to make, or what to change of one. */
        GroupRequest: {
            /**
             * Format: int64
             * @description How long a consumer may take before its event is handed to another: 1 to 43 200 seconds; 60 when not given.
             */
            ack_timeout_s?: number | null;
            /** @description Which events; all without it. The grammar is `schemas/filter.schema.json`. */
            filter?: Record<string, never> | null;
            /** @description Where a new group begins: `end` (when not given), `start`, a moment, or the `eventid` of an event. */
            from?: string | null;
            /**
             * Format: int32
             * @description How often an event is handed out before it is a dead letter: 1 to 100; 10 when not given.
             */
            max_attempts?: number | null;
        };
        /** @description A group. */
        GroupView: {
            /** Format: int64 */
            ack_timeout_s: number;
            /**
             * Format: int64
             * @description How many events it has before it, meant or not; counted up to 10 000.
             */
            ahead: number;
            /** Format: date-time */
            created_at: string;
            /** Format: int64 */
            dead_letters: number;
            filter?: Record<string, never> | null;
            /**
             * Format: int64
             * @description How many were handed out and are not acknowledged.
             */
            in_flight: number;
            /** Format: int32 */
            max_attempts: number;
            name: string;
        };
        /** @description What a harvest found. */
        HarvestView: {
            connector: components["schemas"]["ConnectorView"];
            news: components["schemas"]["ToolNews"][];
        };
        /** @description What people answered to the same action before. */
        HistoryView: {
            /**
             * Format: int32
             * @description How often yes, of the last hundred answers.
             */
            approved: number;
            /**
             * Format: int32
             * @description How often no, of the last hundred answers.
             */
            denied: number;
            last?: components["schemas"]["VoteView"] | null;
        };
        /** @description Something that waits for a person. */
        InboxItem: (components["schemas"]["ApprovalItem"] & {
            /** @enum {string} */
            kind: "approval";
        }) | (components["schemas"]["GrantRequestView"] & {
            /** @enum {string} */
            kind: "grant_request";
        }) | (components["schemas"]["UnknownItem"] & {
            /** @enum {string} */
            kind: "unknown";
        });
        /** @description An invocation: what was asked, what was decided, what came of it. */
        InvocationView: {
            /** @description `source.action`. */
            action: string;
            /** @description Who asked, as the session names it. */
            agent: string;
            /**
             * Format: int32
             * @description How often the target was tried.
             */
            attempts: number;
            /** @example aut_0199… */
            automation?: string | null;
            /** @description The whole derivation of the mode. */
            decision: Record<string, never>;
            /** @description Whether only to say what would happen. */
            dry_run: boolean;
            error?: components["schemas"]["FailureView"] | null;
            /**
             * Format: date-time
             * @description Until when a person may answer, while it is pending.
             */
            expires_at?: string | null;
            /** Format: date-time */
            finished_at?: string | null;
            /** @example inv_0199… */
            id: string;
            idempotency_key?: string | null;
            /** @example allow */
            mode: string;
            /** @description The parameters, redacted. */
            params: Record<string, never>;
            preview?: components["schemas"]["PreviewView"] | null;
            /**
             * @description The signed account of it, once it is terminal.
             * @example rcp_0199…
             */
            receipt?: string | null;
            /** @description Whether this answer is that of an earlier request with the same key. */
            replayed?: boolean;
            /** Format: date-time */
            requested_at: string;
            /** @description What the action gave back, redacted; `_truncated` marks what was left out. */
            result?: Record<string, never> | null;
            /** @example R2 */
            risk: string;
            /**
             * @description The run it is a step of.
             * @example run_0199…
             */
            run?: string | null;
            /** @example ses_0199… */
            session: string;
            /** @description What an approver's yes would be bound to. */
            shown_digest: string;
            /** @description The slug of its space. */
            space: string;
            /**
             * @description Where it stands.
             * @example succeeded
             */
            status: string;
        };
        /** @description A request to perform one action. */
        InvokeRequest: {
            /**
             * @description `source.action`.
             * @example linear.list_issues
             */
            action: string;
            /** @description Only say what would happen. */
            dry_run?: boolean;
            /** @description Its parameters, as its input schema says. */
            params?: Record<string, never>;
        };
        /** @description What would be decided about one action, for a session that may do everything, and what led to it. */
        MatrixRow: {
            /**
             * @description `source.action`.
             * @example linear.create_issue
             */
            action: string;
            /** @example checkable */
            effect: string;
            /** @description The guardrails that made it stricter: `ceiling`, `band`, `drift`. */
            guardrails: string[];
            /** @example require_approval */
            mode: string;
            /**
             * @description Which step of the cascade gave the mode the guardrails began with.
             * @example inferred
             */
            mode_source: string;
            /** @description Why, in words. */
            reason: string;
            /** @example R2 */
            risk: string;
            /**
             * @description The rule that spoke, if one did.
             * @example rul_0199…
             */
            rule?: string | null;
            source: string;
            /** @description The whole derivation, in words. */
            steps: string[];
        };
        /** @description What would be decided about every action now. */
        MatrixView: {
            /** @example aut_0199… */
            automation?: string | null;
            /** @example green */
            band: string;
            /** @description Sorted by address. */
            rows: components["schemas"]["MatrixRow"][];
            /** @description The slug of the space. */
            space: string;
        };
        /** @description What to change about a member. */
        MemberPatch: {
            name?: string | null;
            /** @example admin */
            role?: string | null;
        };
        /** @description A member to add. */
        MemberRequest: {
            email: string;
            name: string;
            /** @example member */
            role: string;
        };
        /** @description A person in the org. */
        MemberView: {
            email: string;
            name: string;
            role: string;
            user: string;
        };
        /** @description Who the caller is. */
        MeView: {
            /** @description For a person. */
            email?: string | null;
            /** @description For a person: what the org calls them. */
            name?: string | null;
            org: string;
            /** @description For a person. */
            org_name?: string | null;
            /** @description For a person. */
            org_slug?: string | null;
            /** @description For a person whom the identity provider signed in: where they may go on (`POST /v1/signin/org`). */
            orgs?: components["schemas"]["OrgChoiceView"][];
            /**
             * @description For a person.
             * @example admin
             */
            role?: string | null;
            /** @description For a session's token. */
            session?: string | null;
            /** @description For a person. */
            user?: string | null;
        };
        /** @description What could not be seen to. */
        NackRequest: {
            /**
             * Format: int64
             * @description When to try again, in seconds from now, at most a day; at once when not given.
             */
            delay_s?: number;
            /** @description What went wrong, for whoever looks at dead letters. */
            error?: string | null;
            /** @description Their `eventid`s, at most 100. */
            events: string[];
        };
        /** @description The token of a webhook trigger, shown this once; with it, where requests must be signed, the secret to sign them with. */
        NewHookTokenView: {
            /** @description Where to send requests. */
            path: string;
            signing_secret?: string | null;
            token: string;
            trigger: string;
        };
        /** @description A new session with its token, shown this once. */
        NewSessionView: {
            session: components["schemas"]["SessionView"];
            /** @description What the agent calls in with. */
            token: string;
        };
        /** @description A new token, shown this once. */
        NewTokenView: {
            id: string;
            token: string;
        };
        /** @description A webhook with its new secret, shown this once. */
        NewWebhookSecretView: {
            /**
             * @description What its receiver verifies signatures with.
             * @example whsec_…
             */
            secret: string;
            webhook: components["schemas"]["WebhookView"];
        };
        /**
         * @description By what people are told.
         * @enum {string}
         */
        NotifierKind: "slack" | "email";
        /** @description A place where people are to be told. */
        NotifierRequest: {
            kind: components["schemas"]["NotifierKind"];
            /** @description Only news of this space; without it, of every space. */
            space?: string | null;
            /** @description A Slack channel's id, such as `C024BE91L`, or an e-mail address. */
            target: string;
        };
        /** @description How a test went. */
        NotifierTest: {
            delivered: boolean;
            /** @description Why it did not arrive. */
            error?: string | null;
        };
        /** @description A place where people are told. */
        NotifierView: {
            /** Format: date-time */
            created_at: string;
            id: string;
            kind: components["schemas"]["NotifierKind"];
            space?: string | null;
            target: string;
        };
        /** @description An org somebody may work in. */
        OrgChoiceView: {
            name: string;
            /** @example admin */
            role: string;
            slug: string;
        };
        /** @description What to change of an org. */
        OrgPatch: {
            approval_four_eyes?: boolean | null;
            approval_passkey?: boolean | null;
            /** Format: int32 */
            approval_quorum?: number | null;
            /** Format: int32 */
            receipts_kept_days?: number | null;
        };
        /** @description Another org to go on in. */
        OrgSwitch: {
            /** @description Its slug. */
            org: string;
        };
        /** @description How an org approves. */
        OrgView: {
            /** @description Whether the one who opened a session may not approve its R3 and R4. */
            approval_four_eyes: boolean;
            /** @description Whether each yes to R3 and R4 must be signed with a passkey. */
            approval_passkey?: boolean;
            /**
             * Format: int32
             * @description How many people must say yes to what is hard to undo (R3, R4).
             */
            approval_quorum: number;
            name: string;
            /**
             * Format: int32
             * @description How many days the bodies of receipts are kept; the facts and the proof stay.
             */
            receipts_kept_days: number;
            slug: string;
        };
        /** @description What happened, counted. */
        OverviewView: {
            /** @description The ten agents that asked the most. */
            agents: components["schemas"]["AgentCalls"][];
            /**
             * Format: int64
             * @description How long a bucket is, in seconds.
             */
            bucket_s: number;
            /** @description From the oldest to the newest, also those in which nothing happened. */
            buckets: components["schemas"]["Bucket"][];
            /** Format: date-time */
            since: string;
            /** @description The ten sources that were asked the most. */
            sources: components["schemas"]["SourceCalls"][];
            /** @description The whole stretch as one bucket. */
            totals: components["schemas"]["Bucket"];
            /** Format: date-time */
            until: string;
            /**
             * Format: int64
             * @description How many invocations wait for a person now, whenever they were asked for.
             */
            waiting: number;
        };
        /** @description A page of a list. */
        Page_AttemptView: {
            /** @description What is on it. */
            items: {
                /** @example rate_limited */
                class: string;
                /** Format: date-time */
                ended_at: string;
                /** @description What happened, redacted. */
                message: string;
                /**
                 * Format: int32
                 * @description The first is 1.
                 */
                number: number;
                /** @description Whether it was tried again after this. */
                retried: boolean;
                /** @description Whether the request may have reached the target. */
                sent: boolean;
                /** Format: date-time */
                started_at: string;
            }[];
            /** @description Where the next page begins; absent on the last one. */
            next_cursor?: string | null;
        };
        /** @description A page of a list. */
        Page_AutomationView: {
            /** @description What is on it. */
            items: {
                /** Format: date-time */
                created_at: string;
                created_by: string;
                goal: string;
                /** @example aut_0199… */
                id: string;
                last_run?: components["schemas"]["RunView"] | null;
                name: string;
                /** @description The last runs, at most 20, the oldest first. */
                recent: components["schemas"]["RecentRun"][];
                /**
                 * Format: int64
                 * @description How many runs there have been.
                 */
                runs: number;
                space: string;
                /** @example active */
                status: string;
                triggers: components["schemas"]["TriggerView"][];
                /** Format: date-time */
                updated_at: string;
                /**
                 * Format: int32
                 * @description The version that runs.
                 */
                version: number;
            }[];
            /** @description Where the next page begins; absent on the last one. */
            next_cursor?: string | null;
        };
        /** @description A page of a list. */
        Page_CheckpointView: {
            /** @description What is on it. */
            items: {
                /** @description A signed note: the log's name, its size, its root, and the signatures. */
                checkpoint: string;
                /** Format: date-time */
                signed_at: string;
            }[];
            /** @description Where the next page begins; absent on the last one. */
            next_cursor?: string | null;
        };
        /** @description A page of a list. */
        Page_ConnectionView: {
            /** @description What is on it. */
            items: {
                id: string;
                name: string;
                /** @description The source it opens. */
                provider: string;
                set_by: string;
                /** Format: date-time */
                updated_at: string;
                /**
                 * Format: int32
                 * @description Rises with every new credential.
                 */
                version: number;
            }[];
            /** @description Where the next page begins; absent on the last one. */
            next_cursor?: string | null;
        };
        /** @description A page of a list. */
        Page_ConnectorView: {
            /** @description What is on it. */
            items: {
                auth: components["schemas"]["ConnectorAuth"];
                base_url?: string | null;
                enabled: boolean;
                /** @example cnr_0199… */
                id: string;
                kind: components["schemas"]["ConnectorKind"];
                /** Format: date-time */
                last_harvested_at?: string | null;
                place: string;
                /** @description Why it could not be asked; its tools are as they were last seen. */
                problem?: string | null;
                /** @description What it calls itself. */
                server?: string | null;
                source: string;
                /**
                 * Format: int64
                 * @description How many of them wait for a review.
                 */
                to_review: number;
                /**
                 * Format: int64
                 * @description How many tools it lists.
                 */
                tools: number;
            }[];
            /** @description Where the next page begins; absent on the last one. */
            next_cursor?: string | null;
        };
        /** @description A page of a list. */
        Page_DeadLetterView: {
            /** @description What is on it. */
            items: {
                /** Format: int32 */
                attempts: number;
                /** Format: date-time */
                dead_at: string;
                error?: string | null;
                event?: components["schemas"]["EventView"] | null;
                eventid: string;
            }[];
            /** @description Where the next page begins; absent on the last one. */
            next_cursor?: string | null;
        };
        /** @description A page of a list. */
        Page_DeliveryView: {
            /** @description What is on it. */
            items: {
                /**
                 * Format: int32
                 * @description How often it was tried since it was made or sent again.
                 */
                attempts: number;
                /** Format: date-time */
                created_at: string;
                /** Format: date-time */
                delivered_at?: string | null;
                /** @description Also its `webhook-id`. */
                event: string;
                /** @example dlv_0199… */
                id: string;
                last_error?: string | null;
                /**
                 * Format: int32
                 * @description What the receiver answered last.
                 */
                last_status?: number | null;
                /**
                 * Format: date-time
                 * @description When it is tried next, while it is pending.
                 */
                next_at?: string | null;
                status: components["schemas"]["DeliveryState"];
                webhook: string;
            }[];
            /** @description Where the next page begins; absent on the last one. */
            next_cursor?: string | null;
        };
        /** @description A page of a list. */
        Page_GrantView: {
            /** @description What is on it. */
            items: {
                action: string;
                /** @example aut_0199… */
                automation?: string | null;
                /** Format: date-time */
                created_at: string;
                created_by: string;
                /** Format: date-time */
                expires_at: string;
                /** @description The approval it came with. */
                from_invocation?: string | null;
                /** @example grt_0199… */
                id: string;
                /** Format: int32 */
                max_calls: number;
                reason: string;
                session?: string | null;
                /** @description `active`, `used_up`, `expired` or `revoked`. */
                state: string;
                /** Format: int32 */
                used_calls: number;
            }[];
            /** @description Where the next page begins; absent on the last one. */
            next_cursor?: string | null;
        };
        /** @description A page of a list. */
        Page_GroupDeliveryView: {
            /** @description What is on it. */
            items: {
                /**
                 * Format: int32
                 * @description Which delivery of it this is; 1 is the first.
                 */
                attempt: number;
                event: components["schemas"]["EventView"];
            }[];
            /** @description Where the next page begins; absent on the last one. */
            next_cursor?: string | null;
        };
        /** @description A page of a list. */
        Page_GroupView: {
            /** @description What is on it. */
            items: {
                /** Format: int64 */
                ack_timeout_s: number;
                /**
                 * Format: int64
                 * @description How many events it has before it, meant or not; counted up to 10 000.
                 */
                ahead: number;
                /** Format: date-time */
                created_at: string;
                /** Format: int64 */
                dead_letters: number;
                filter?: Record<string, never> | null;
                /**
                 * Format: int64
                 * @description How many were handed out and are not acknowledged.
                 */
                in_flight: number;
                /** Format: int32 */
                max_attempts: number;
                name: string;
            }[];
            /** @description Where the next page begins; absent on the last one. */
            next_cursor?: string | null;
        };
        /** @description A page of a list. */
        Page_InboxItem: {
            /** @description What is on it. */
            items: ((components["schemas"]["ApprovalItem"] & {
                /** @enum {string} */
                kind: "approval";
            }) | (components["schemas"]["GrantRequestView"] & {
                /** @enum {string} */
                kind: "grant_request";
            }) | (components["schemas"]["UnknownItem"] & {
                /** @enum {string} */
                kind: "unknown";
            }))[];
            /** @description Where the next page begins; absent on the last one. */
            next_cursor?: string | null;
        };
        /** @description A page of a list. */
        Page_InvocationView: {
            /** @description What is on it. */
            items: {
                /** @description `source.action`. */
                action: string;
                /** @description Who asked, as the session names it. */
                agent: string;
                /**
                 * Format: int32
                 * @description How often the target was tried.
                 */
                attempts: number;
                /** @example aut_0199… */
                automation?: string | null;
                /** @description The whole derivation of the mode. */
                decision: Record<string, never>;
                /** @description Whether only to say what would happen. */
                dry_run: boolean;
                error?: components["schemas"]["FailureView"] | null;
                /**
                 * Format: date-time
                 * @description Until when a person may answer, while it is pending.
                 */
                expires_at?: string | null;
                /** Format: date-time */
                finished_at?: string | null;
                /** @example inv_0199… */
                id: string;
                idempotency_key?: string | null;
                /** @example allow */
                mode: string;
                /** @description The parameters, redacted. */
                params: Record<string, never>;
                preview?: components["schemas"]["PreviewView"] | null;
                /**
                 * @description The signed account of it, once it is terminal.
                 * @example rcp_0199…
                 */
                receipt?: string | null;
                /** @description Whether this answer is that of an earlier request with the same key. */
                replayed?: boolean;
                /** Format: date-time */
                requested_at: string;
                /** @description What the action gave back, redacted; `_truncated` marks what was left out. */
                result?: Record<string, never> | null;
                /** @example R2 */
                risk: string;
                /**
                 * @description The run it is a step of.
                 * @example run_0199…
                 */
                run?: string | null;
                /** @example ses_0199… */
                session: string;
                /** @description What an approver's yes would be bound to. */
                shown_digest: string;
                /** @description The slug of its space. */
                space: string;
                /**
                 * @description Where it stands.
                 * @example succeeded
                 */
                status: string;
            }[];
            /** @description Where the next page begins; absent on the last one. */
            next_cursor?: string | null;
        };
        /** @description A page of a list. */
        Page_MemberView: {
            /** @description What is on it. */
            items: {
                email: string;
                name: string;
                role: string;
                user: string;
            }[];
            /** @description Where the next page begins; absent on the last one. */
            next_cursor?: string | null;
        };
        /** @description A page of a list. */
        Page_NotifierView: {
            /** @description What is on it. */
            items: {
                /** Format: date-time */
                created_at: string;
                id: string;
                kind: components["schemas"]["NotifierKind"];
                space?: string | null;
                target: string;
            }[];
            /** @description Where the next page begins; absent on the last one. */
            next_cursor?: string | null;
        };
        /** @description A page of a list. */
        Page_PasskeyView: {
            /** @description What is on it. */
            items: {
                /** Format: date-time */
                created_at: string;
                /** @description What the device calls it. */
                credential: string;
                /** @description `sha256:…` over the key, to compare it by. */
                fingerprint: string;
                /** @example psk_0199… */
                id: string;
                /** Format: date-time */
                last_used_at?: string | null;
                /** @description What its person calls it. */
                name: string;
                /** @description 65 bytes, a point of P-256. */
                public_key: string;
                /**
                 * Format: date-time
                 * @description Since when it signs nothing more; what it signed before stays signed.
                 */
                removed_at?: string | null;
                user: string;
            }[];
            /** @description Where the next page begins; absent on the last one. */
            next_cursor?: string | null;
        };
        /** @description A page of a list. */
        Page_PublishedView: {
            /** @description What is on it. */
            items: {
                /** @description Whether it was published before. */
                duplicate: boolean;
                /** @description Our id of it. */
                eventid: string;
            }[];
            /** @description Where the next page begins; absent on the last one. */
            next_cursor?: string | null;
        };
        /** @description A page of a list. */
        Page_ReceiptView: {
            /** @description What is on it. */
            items: {
                action: string;
                /**
                 * @description The signed receipt: a DSSE envelope. Save it and verify it with `countersign receipts verify`. Absent once the body was
                 *     erased.
                 */
                envelope?: Record<string, never> | null;
                /** Format: date-time */
                finished_at: string;
                /** @example rcp_0199… */
                id: string;
                /** @example inv_0199… */
                invocation: string;
                /** @description What is left of a receipt whose body was erased: its facts, and what proves them. See docs/ledger.md. */
                kept?: Record<string, never> | null;
                /** @example ses_0199… */
                session: string;
                /** @example succeeded */
                status: string;
            }[];
            /** @description Where the next page begins; absent on the last one. */
            next_cursor?: string | null;
        };
        /** @description A page of a list. */
        Page_RuleView: {
            /** @description What is on it. */
            items: {
                action: string;
                /** @example aut_0199… */
                automation?: string | null;
                /** @example rul_0199… */
                id: string;
                /** @example deny */
                mode: string;
                reason: string;
                set_by: string;
                /** Format: date-time */
                updated_at: string;
            }[];
            /** @description Where the next page begins; absent on the last one. */
            next_cursor?: string | null;
        };
        /** @description A page of a list. */
        Page_RunView: {
            /** @description What is on it. */
            items: {
                automation: string;
                automation_name: string;
                /** @description The invocation that waits for a person. */
                awaits?: string | null;
                /** @description What started it. */
                cause: string;
                /**
                 * Format: double
                 * @description What models cost in it.
                 */
                cost_usd: number;
                /** Format: date-time */
                created_at: string;
                /**
                 * Format: int32
                 * @description How many events one after the other led to it.
                 */
                depth: number;
                error?: components["schemas"]["RunError"] | null;
                /** Format: date-time */
                finished_at?: string | null;
                /** @example run_0199… */
                id: string;
                /** @example fast */
                lane: string;
                /**
                 * Format: int64
                 * @description Which run of its automation it is.
                 */
                number: number;
                /** @description Which run's finished steps it took over. */
                rerun_of?: string | null;
                /**
                 * Format: int32
                 * @description Rises with every change.
                 */
                revision: number;
                session?: string | null;
                /** Format: date-time */
                started_at?: string | null;
                /** @example running */
                status: string;
                trigger?: string | null;
                /** @example schedule */
                trigger_type: string;
                /**
                 * Format: int32
                 * @description Which version it runs.
                 */
                version: number;
            }[];
            /** @description Where the next page begins; absent on the last one. */
            next_cursor?: string | null;
        };
        /** @description A page of a list. */
        Page_SecretView: {
            /** @description What is on it. */
            items: {
                id: string;
                name: string;
                set_by: string;
                /** Format: date-time */
                updated_at: string;
                /** Format: int32 */
                version: number;
            }[];
            /** @description Where the next page begins; absent on the last one. */
            next_cursor?: string | null;
        };
        /** @description A page of a list. */
        Page_SessionView: {
            /** @description What is on it. */
            items: {
                agent: string;
                capabilities: string[];
                /** Format: date-time */
                created_at: string;
                created_by: string;
                /** Format: date-time */
                ended_at?: string | null;
                /** Format: date-time */
                expires_at: string;
                id: string;
                kind: string;
                space: string;
                title: string;
            }[];
            /** @description Where the next page begins; absent on the last one. */
            next_cursor?: string | null;
        };
        /** @description A page of a list. */
        Page_SlackPersonView: {
            /** @description What is on it. */
            items: {
                /** @description Slack's own id, such as `U024BE7LH`. */
                slack_user: string;
                user: string;
            }[];
            /** @description Where the next page begins; absent on the last one. */
            next_cursor?: string | null;
        };
        /** @description A page of a list. */
        Page_SpaceView: {
            /** @description What is on it. */
            items: {
                id: string;
                name: string;
                outbound_redaction: boolean;
                risk_band: string;
                slug: string;
            }[];
            /** @description Where the next page begins; absent on the last one. */
            next_cursor?: string | null;
        };
        /** @description A page of a list. */
        Page_TokenView: {
            /** @description What is on it. */
            items: {
                /** @description Whether it is a browser that is signed in. */
                browser?: boolean;
                /** Format: date-time */
                created_at: string;
                /** Format: date-time */
                expires_at?: string | null;
                id: string;
                /** Format: date-time */
                last_used_at?: string | null;
                name: string;
                /** Format: date-time */
                revoked_at?: string | null;
                user: string;
            }[];
            /** @description Where the next page begins; absent on the last one. */
            next_cursor?: string | null;
        };
        /** @description A page of a list. */
        Page_VersionView: {
            /** @description What is on it. */
            items: {
                /** @description What it changed in the version before it: JSON Patch (RFC 6902). */
                changes: Record<string, never>[];
                definition: Record<string, never>;
                /** Format: date-time */
                saved_at: string;
                saved_by: string;
                /** Format: int32 */
                version: number;
            }[];
            /** @description Where the next page begins; absent on the last one. */
            next_cursor?: string | null;
        };
        /** @description A page of a list. */
        Page_WebhookView: {
            /** @description What is on it. */
            items: {
                /** Format: date-time */
                created_at: string;
                created_by: string;
                /** @description Why it is not enabled, unless a person said so. */
                disabled_reason?: string | null;
                enabled: boolean;
                /**
                 * Format: date-time
                 * @description Since when nothing has arrived there.
                 */
                failing_since?: string | null;
                filter?: Record<string, never> | null;
                /** @example whk_0199… */
                id: string;
                /**
                 * Format: date-time
                 * @description Until when the secret before the current one signs as well.
                 */
                previous_secret_until?: string | null;
                types: string[];
                url: string;
            }[];
            /** @description Where the next page begins; absent on the last one. */
            next_cursor?: string | null;
        };
        /** @description What a browser needs to make a passkey (`navigator.credentials.create`). */
        PasskeyOffer: {
            /** @description Good for five minutes. */
            challenge: string;
            /** @description Whether one of them must sign the new one. */
            confirm: boolean;
            /** @description The credentials this person has already. */
            exclude: string[];
            rp: components["schemas"]["PasskeySite"];
            user: components["schemas"]["PasskeyPerson"];
        };
        /** @description Whose a passkey is. */
        PasskeyPerson: {
            display_name: string;
            id: string;
            name: string;
        };
        /** @description A passkey that a browser made. */
        PasskeyRequest: {
            /** @description `getAuthenticatorData()`. */
            authenticator_data: string;
            /** @description As it was offered. */
            challenge: string;
            /** @description `clientDataJSON`. */
            client_data: string;
            confirmed_by?: components["schemas"]["AssertionRequest"] | null;
            /** @description What to call it. */
            name: string;
        };
        /** @description What a passkey is for. */
        PasskeySite: {
            /** @description The gateway's host. */
            id: string;
            name: string;
        };
        /** @description A passkey of a person. Kept by whoever wants to check later, without us, who signed. */
        PasskeyView: {
            /** Format: date-time */
            created_at: string;
            /** @description What the device calls it. */
            credential: string;
            /** @description `sha256:…` over the key, to compare it by. */
            fingerprint: string;
            /** @example psk_0199… */
            id: string;
            /** Format: date-time */
            last_used_at?: string | null;
            /** @description What its person calls it. */
            name: string;
            /** @description 65 bytes, a point of P-256. */
            public_key: string;
            /**
             * Format: date-time
             * @description Since when it signs nothing more; what it signed before stays signed.
             */
            removed_at?: string | null;
            user: string;
        };
        /** @description A step as the plan has it. */
        PlannedStep: {
            action: string;
            /** @description Whether it is done only when the run failed. */
            on_failure: boolean;
            step_id: string;
        };
        /** @description One field's change. */
        PreviewChange: {
            after: Record<string, never>;
            before: Record<string, never>;
            field: string;
        };
        /** @description What would happen. */
        PreviewView: {
            /** @description Field by field. */
            changes: components["schemas"]["PreviewChange"][];
            /** @description One sentence. */
            summary: string;
        };
        /** @description What went wrong, and what may be done about it. */
        Problem: {
            /** @description For failed actions: what kind of failure the target or the way to it had. */
            class?: string | null;
            /** @description A stable name for programs, for example `rate_limited`. */
            code: string;
            /** @description What happened this time. */
            detail?: string;
            /** @description Where the request is wrong. */
            errors?: components["schemas"]["FieldProblem"][];
            /** @description What to do next, fit for an agent. */
            hint: string;
            /** @description The invocation that was recorded, where one was. */
            invocation?: string | null;
            /** @description Its receipt, where it is terminal. */
            receipt?: string | null;
            /**
             * Format: int32
             * @description The HTTP status.
             */
            status: number;
            /** @description The kind in words. */
            title: string;
            /** @description Names the kind of problem; the same as `code`, as an address relative to the API. */
            type: string;
        };
        /** @description The hashes that prove something, as RFC 6962 orders them. */
        ProofView: {
            /** @description In base64. */
            hashes: string[];
        };
        /** @description An identity provider. */
        ProviderView: {
            /** @description What people know it as. */
            name: string;
        };
        /** @description What became of an event that was published. */
        PublishedView: {
            /** @description Whether it was published before. */
            duplicate: boolean;
            /** @description Our id of it. */
            eventid: string;
        };
        /** @description A consumer wants events. */
        ReadRequest: {
            /** @description Who you are within the group, for `claim` and for people who look. */
            consumer: string;
            /** @description At most this many, 1 to 100; 10 when not given. */
            max?: number | null;
            /** @description How long to wait for one, as `30s`; at most a minute. */
            wait?: string | null;
        };
        /** @description A receipt, with what it can be found by. */
        ReceiptView: {
            action: string;
            /**
             * @description The signed receipt: a DSSE envelope. Save it and verify it with `countersign receipts verify`. Absent once the body was
             *     erased.
             */
            envelope?: Record<string, never> | null;
            /** Format: date-time */
            finished_at: string;
            /** @example rcp_0199… */
            id: string;
            /** @example inv_0199… */
            invocation: string;
            /** @description What is left of a receipt whose body was erased: its facts, and what proves them. See docs/ledger.md. */
            kept?: Record<string, never> | null;
            /** @example ses_0199… */
            session: string;
            /** @example succeeded */
            status: string;
        };
        /** @description A run, as small as it can be drawn. */
        RecentRun: {
            /** Format: date-time */
            created_at: string;
            /** @example run_0199… */
            run: string;
            /** @example succeeded */
            status: string;
            /**
             * Format: int64
             * @description From its start to its end.
             */
            took_ms?: number | null;
        };
        /**
         * @description What an unknown outcome turned out to be.
         * @enum {string}
         */
        Reconciled: "succeeded" | "failed";
        /** @description What a person found out about an outcome nobody knew. */
        ReconcileRequest: {
            /** @description How they know: a link, a number, what they saw. It stands in the receipt. */
            evidence: string;
            /** @description Whether it happened. */
            outcome: components["schemas"]["Reconciled"];
        };
        /** @description From where a group is handed everything again. */
        ReplayRequest: {
            /** @description `start`, `end`, a moment, or the `eventid` of an event. */
            from: string;
        };
        /** @description How to run something again. */
        RerunRequest: {
            /** @description From the first step; without it, from the step that failed, with what the steps before it gave. */
            from_start?: boolean;
        };
        /** @description A rule to set; it replaces the one with the same key. */
        RuleRequest: {
            /**
             * @description `source.action`, `source.*` or `*`.
             * @example linear.create_issue
             */
            action: string;
            /**
             * @description For the runs of one automation only; absent means for the whole org.
             * @example aut_0199…
             */
            automation?: string | null;
            /** @example deny */
            mode: string;
            /** @description Why, for whoever reads a decision later. */
            reason?: string;
        };
        /** @description A rule. */
        RuleView: {
            action: string;
            /** @example aut_0199… */
            automation?: string | null;
            /** @example rul_0199… */
            id: string;
            /** @example deny */
            mode: string;
            reason: string;
            set_by: string;
            /** Format: date-time */
            updated_at: string;
        };
        /** @description A run with its steps. */
        RunDetail: components["schemas"]["RunView"] & {
            /** @description What it was given, redacted. */
            inputs: Record<string, never>;
            /** @description The steps of the plan in order, whether they came to it or not. */
            plan: components["schemas"]["PlannedStep"][];
            /** @description Every try of every step, in order. */
            steps: components["schemas"]["RunStepView"][];
        };
        /** @description Why a run or a step did not succeed. */
        RunError: {
            /** @description For programs: `invalid_inputs`, `denied`, `timeout`, `loop` … */
            class: string;
            message: string;
            /** @description Where in the plan. */
            step_id?: string | null;
        };
        /** @description A run to start now. */
        RunRequest: {
            inputs?: Record<string, never>;
        };
        /** @description One try of a step. */
        RunStepView: {
            action: string;
            /** Format: int32 */
            attempt: number;
            error?: components["schemas"]["RunError"] | null;
            /** Format: date-time */
            finished_at?: string | null;
            invocation?: string | null;
            /** Format: date-time */
            started_at: string;
            /** @example succeeded */
            status: string;
            step_id: string;
        };
        /** @description A run. */
        RunView: {
            automation: string;
            automation_name: string;
            /** @description The invocation that waits for a person. */
            awaits?: string | null;
            /** @description What started it. */
            cause: string;
            /**
             * Format: double
             * @description What models cost in it.
             */
            cost_usd: number;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: int32
             * @description How many events one after the other led to it.
             */
            depth: number;
            error?: components["schemas"]["RunError"] | null;
            /** Format: date-time */
            finished_at?: string | null;
            /** @example run_0199… */
            id: string;
            /** @example fast */
            lane: string;
            /**
             * Format: int64
             * @description Which run of its automation it is.
             */
            number: number;
            /** @description Which run's finished steps it took over. */
            rerun_of?: string | null;
            /**
             * Format: int32
             * @description Rises with every change.
             */
            revision: number;
            session?: string | null;
            /** Format: date-time */
            started_at?: string | null;
            /** @example running */
            status: string;
            trigger?: string | null;
            /** @example schedule */
            trigger_type: string;
            /**
             * Format: int32
             * @description Which version it runs.
             */
            version: number;
        };
        /** @description A value to keep. */
        SecretRequest: {
            value: string;
        };
        /** @description What may be known of a secret. */
        SecretView: {
            id: string;
            name: string;
            set_by: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: int32 */
            version: number;
        };
        /** @description A session to open. */
        SessionRequest: {
            /** @description Who will work in it, for example `triage-bot`. */
            agent: string;
            /** @description What it may do at most: `linear:read`, `linear:*`, `*`. Everything when not given. */
            capabilities?: string[] | null;
            /**
             * @description `interactive` or `unattended`.
             * @example interactive
             */
            kind: string;
            /**
             * Format: int64
             * @description How long it lasts, in seconds; a day when not given, 30 days at most.
             */
            lifetime_s?: number | null;
            /** @description Where it works; the org's first space when not given. */
            space?: string | null;
            title?: string;
        };
        /** @description One agent's working period. */
        SessionView: {
            agent: string;
            capabilities: string[];
            /** Format: date-time */
            created_at: string;
            created_by: string;
            /** Format: date-time */
            ended_at?: string | null;
            /** Format: date-time */
            expires_at: string;
            id: string;
            kind: string;
            space: string;
            title: string;
        };
        /** @description A browser to sign in. */
        SignInRequest: {
            /** @description A person's token, `csn_api_…`. */
            token: string;
        };
        /** @description How a browser may be signed in. */
        SignInView: {
            oidc?: components["schemas"]["ProviderView"] | null;
            /** @description With a person's token. */
            token: boolean;
        };
        /** @description Which user a user of Slack is. */
        SlackPersonRequest: {
            user: string;
        };
        /** @description A user of Slack, and which user they are. */
        SlackPersonView: {
            /** @description Slack's own id, such as `U024BE7LH`. */
            slack_user: string;
            user: string;
        };
        /** @description An action of a source, with what would be decided about it and how it went lately. */
        SourceAction: {
            /** @description `source.action`. */
            action: string;
            description: string;
            /**
             * @description Whether it is what a person reviewed: absent if so, else `changed` or `never_reviewed`.
             * @example never_reviewed
             */
            drift?: string | null;
            /** @example checkable */
            effect: string;
            /** @description JSON Schema of the parameters. */
            input_schema: Record<string, never>;
            /**
             * @description What would be decided now, for a session that may do everything.
             * @example require_approval
             */
            mode: string;
            /** @example inferred */
            mode_source: string;
            /** @description Why, in words. */
            reason: string;
            /** @example R2 */
            risk: string;
            state?: components["schemas"]["ToolState"] | null;
            /** @description How it is undone, in words; absent where it cannot be. */
            undo?: string | null;
            usage: components["schemas"]["UsageView"];
        };
        /** @description How a source was used. */
        SourceCalls: {
            /** Format: int64 */
            calls: number;
            /**
             * Format: int64
             * @description Failed, reverted or unknown.
             */
            failed: number;
            /** Format: int64 */
            p50_ms?: number | null;
            source: string;
            /** Format: int64 */
            succeeded: number;
        };
        /** @description A source with its actions. */
        SourceDetail: {
            /** @description Sorted by address. */
            actions: components["schemas"]["SourceAction"][];
            source: components["schemas"]["SourceSummary"];
            /** @description The slug of the space the modes are for. */
            space: string;
        };
        /**
         * @description What a source is.
         * @enum {string}
         */
        SourceKind: "native" | "integration" | "mcp" | "stdio" | "openapi";
        /** @description A source. */
        SourceSummary: {
            /**
             * Format: int64
             * @description How many actions can be asked for.
             */
            actions: number;
            /** @description Whether it can be used: it needs no credential, or the org has given one; and nobody switched it off. */
            connected: boolean;
            /**
             * @description The connector it is, if it is not part of the program.
             * @example cnr_0199…
             */
            connector?: string | null;
            kind: components["schemas"]["SourceKind"];
            /** @description What stands in the way, in words; absent when nothing does. */
            problem?: string | null;
            /** @description Its slug. */
            source: string;
            /**
             * Format: int64
             * @description How many of its tools wait for a review.
             */
            to_review: number;
            usage: components["schemas"]["UsageView"];
        };
        /** @description Every source of the org. */
        SourcesView: {
            items: components["schemas"]["SourceSummary"][];
        };
        /** @description An origin of actions. */
        SourceView: {
            /** @description Whether it needs a credential and the org has given one. */
            connected: boolean;
            /** @description What stands in the way, in words; absent when nothing does. */
            problem?: string | null;
            /** @description Its slug. */
            source: string;
        };
        /** @description What to change about a space. */
        SpacePatch: {
            name?: string | null;
            outbound_redaction?: boolean | null;
            risk_band?: string | null;
        };
        /** @description A space to add. */
        SpaceRequest: {
            name: string;
            /** @example amber */
            risk_band: string;
            /** @example production */
            slug: string;
        };
        /** @description An area of the org. */
        SpaceView: {
            id: string;
            name: string;
            outbound_redaction: boolean;
            risk_band: string;
            slug: string;
        };
        /** @description What policy would say to a step. */
        StepOutlook: {
            action: string;
            /** @description `allow`, `require_approval` or `deny`. */
            mode: string;
            reason: string;
            step_id: string;
        };
        /** @description An API token to make. */
        TokenRequest: {
            /**
             * Format: int64
             * @description How long it lasts, in seconds; without end when not given.
             */
            lifetime_s?: number | null;
            /** @description What it is for. */
            name: string;
        };
        /** @description What may be known of a token afterwards. */
        TokenView: {
            /** @description Whether it is a browser that is signed in. */
            browser?: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at?: string | null;
            id: string;
            /** Format: date-time */
            last_used_at?: string | null;
            name: string;
            /** Format: date-time */
            revoked_at?: string | null;
            user: string;
        };
        /** @description One difference between what was accepted and what is. */
        ToolChange: {
            /** @description Absent where there is nothing. */
            after?: Record<string, never> | null;
            /** @description Absent where there was nothing. */
            before?: Record<string, never> | null;
            /** @description A JSON pointer into the tool. */
            place: string;
            /** @description Whether it is words only. */
            words: boolean;
        };
        /** @description What is new about a tool. */
        ToolNews: {
            tool: string;
            /** @description `new`, `changed`, `reworded`, `gone` or `back`. */
            what: string;
        };
        /** @description A review of one tool. */
        ToolReviewRequest: {
            /**
             * @description Whether a repeat is harmless; absent keeps what was said of this very shape, or else it is never repeated. No
             *     server's word counts for this.
             * @example read
             */
            effect?: string | null;
            note?: string;
            /**
             * @description How much can go wrong; absent keeps what was said before, or else takes what the server claims.
             * @example R1
             */
            risk?: string | null;
            /** @description The hashes of what was looked at. Another state is answered with 409. */
            shape_hash: string;
            text_hash: string;
            /** @description As the server calls it. */
            tool: string;
            verdict: components["schemas"]["ToolVerdict"];
        };
        /**
         * @description How a tool stands.
         * @enum {string}
         */
        ToolState: "reviewed" | "reworded" | "changed" | "new" | "gone" | "unusable";
        /**
         * @description What a person says of a tool.
         * @enum {string}
         */
        ToolVerdict: "accept" | "deny";
        /** @description A tool, as its server describes it now and as it was accepted. */
        ToolView: {
            /** @description Its address. */
            action?: string | null;
            /** @description What differs between the two, place by place. */
            changes: components["schemas"]["ToolChange"][];
            /** @example once */
            effect: string;
            note?: string;
            /** @description Why it is unusable. */
            problem?: string | null;
            /** @description As it was accepted. */
            reviewed?: Record<string, never> | null;
            /** Format: date-time */
            reviewed_at?: string | null;
            reviewed_by?: string | null;
            /** @example R2 */
            risk: string;
            /** @description As the server describes it now: untrusted text. */
            seen: Record<string, never>;
            /** @description What a review of the present state must name. */
            shape_hash: string;
            state: components["schemas"]["ToolState"];
            text_hash: string;
            /** @description As the server calls it. */
            tool: string;
        };
        /** @description What starts an automation. */
        TriggerView: {
            config: Record<string, never>;
            enabled: boolean;
            has_token?: boolean | null;
            /** @example trg_0199… */
            id: string;
            /** Format: date-time */
            last_fired_at?: string | null;
            /**
             * Format: date-time
             * @description Of a schedule: when it comes next.
             */
            next_at?: string | null;
            /**
             * @description Of a webhook: where to send requests, and whether somebody has a token for it.
             * @example /v1/hooks/trg_0199…
             */
            path?: string | null;
            /** @example schedule */
            type: string;
        };
        /** @description An invocation of which nobody knows whether it happened. */
        UnknownItem: {
            invocation: components["schemas"]["InvocationView"];
            /** @description How it is undone, in words; absent where it cannot be. */
            undo?: string | null;
        };
        /** @description How it went lately. */
        UsageView: {
            /**
             * Format: int64
             * @description How often it was asked for, dry runs left out.
             */
            calls: number;
            /**
             * Format: int32
             * @description How many days back.
             */
            days: number;
            /**
             * Format: int64
             * @description Refused by policy or by a person, set aside, or not answered in time.
             */
            denied: number;
            /**
             * Format: int64
             * @description Failed or reverted.
             */
            failed: number;
            /**
             * Format: date-time
             * @description When it was last asked for.
             */
            last_at?: string | null;
            /**
             * Format: int64
             * @description How long half of those that succeeded took at most, from start to end.
             */
            p50_ms?: number | null;
            /** Format: int64 */
            p95_ms?: number | null;
            /** Format: int64 */
            succeeded: number;
            /** Format: int64 */
            unknown: number;
        };
        /** @description A definition to look at. */
        ValidateRequest: {
            /** @description The automation it would be the next version of: rules may be for one alone. */
            automation?: string | null;
            definition: Record<string, never>;
            /** @description Where it would work; the automation's space, or the org's first one, when not given. */
            space?: string | null;
        };
        /** @description What a look at a definition found. */
        ValidationView: {
            /** @description Everything that is wrong with it. */
            problems: components["schemas"]["DefinitionProblem"][];
            /** @description What policy would say to each step whose action is known, today. */
            steps?: components["schemas"]["StepOutlook"][];
            /** @description Whether it could be saved. */
            valid: boolean;
        };
        /** @description One version of an automation. */
        VersionView: {
            /** @description What it changed in the version before it: JSON Patch (RFC 6902). */
            changes: Record<string, never>[];
            definition: Record<string, never>;
            /** Format: date-time */
            saved_at: string;
            saved_by: string;
            /** Format: int32 */
            version: number;
        };
        /** @description One vote. */
        VoteView: {
            /** Format: date-time */
            at: string;
            /** @description `api`, `cli`, `web` … */
            channel: string;
            /** @description `once`, `grant` or `always`. */
            extent: string;
            /** @example apr_0199… */
            id: string;
            /** @description What the org calls them. */
            name: string;
            note: string;
            /** @description Whether a passkey of theirs signed it. */
            signed?: boolean;
            user: string;
            /** @description `approved` or `denied`. */
            verdict: string;
        };
        /** @description What to change about a webhook; what is absent stays. */
        WebhookPatch: {
            /** @description Enabling it forgets that it was failing; disabling it gives up what is on its way. */
            enabled?: boolean | null;
            /** @description `null` for none. */
            filter?: Record<string, never> | null;
            types?: string[] | null;
            url?: string | null;
        };
        /** @description A webhook to add. */
        WebhookRequest: {
            /** @description Of those, the ones that meet this filter. */
            filter?: Record<string, never> | null;
            /**
             * @description Of which types; all when empty.
             * @example [
             *       "action.executed"
             *     ]
             */
            types?: string[];
            /**
             * @description Where events are sent.
             * @example https://hooks.example.com/countersign
             */
            url: string;
        };
        /** @description Where events are sent, and which. */
        WebhookView: {
            /** Format: date-time */
            created_at: string;
            created_by: string;
            /** @description Why it is not enabled, unless a person said so. */
            disabled_reason?: string | null;
            enabled: boolean;
            /**
             * Format: date-time
             * @description Since when nothing has arrived there.
             */
            failing_since?: string | null;
            filter?: Record<string, never> | null;
            /** @example whk_0199… */
            id: string;
            /**
             * Format: date-time
             * @description Until when the secret before the current one signs as well.
             */
            previous_secret_until?: string | null;
            types: string[];
            url: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    get_keys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
        };
    };
    get_docs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    get_docs_reader: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/javascript": string;
                };
            };
        };
    };
    get_health: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
        };
    };
    speak_mcp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description One JSON-RPC message */
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The answer, as JSON or as a stream of events */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            /** @description A notification was taken */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    get_metrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
        };
    };
    get_readiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
        };
    };
    get_artifact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                digest: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": number[];
                };
            };
        };
    };
    list_automations: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                /** @description At most this many, 1 to 100; 50 when not given. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_AutomationView"];
                };
            };
        };
    };
    create_automation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AutomationRequest"];
            };
        };
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AutomationDetail"];
                };
            };
        };
    };
    get_automation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                automation: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AutomationDetail"];
                };
            };
        };
    };
    change_automation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                automation: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AutomationPatch"];
            };
        };
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AutomationDetail"];
                };
            };
        };
    };
    run_automation: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 visible ASCII characters */
                "Idempotency-Key"?: string | null;
            };
            path: {
                automation: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RunRequest"];
            };
        };
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunView"];
                };
            };
        };
    };
    list_versions: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                /** @description At most this many, 1 to 100; 50 when not given. */
                limit?: number;
            };
            header?: never;
            path: {
                automation: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_VersionView"];
                };
            };
        };
    };
    validate_automation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ValidateRequest"];
            };
        };
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationView"];
                };
            };
        };
    };
    list_connections: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                /** @description At most this many, 1 to 100; 50 when not given. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_ConnectionView"];
                };
            };
        };
    };
    put_connection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                provider: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConnectionRequest"];
            };
        };
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionView"];
                };
            };
        };
    };
    delete_connection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                provider: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    list_connectors: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_ConnectorView"];
                };
            };
        };
    };
    add_connector: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConnectorRequest"];
            };
        };
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectorView"];
                };
            };
        };
    };
    get_connector: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                connector: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectorDetail"];
                };
            };
        };
    };
    remove_connector: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                connector: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    change_connector: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                connector: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConnectorPatch"];
            };
        };
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectorView"];
                };
            };
        };
    };
    authorize_connector: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                connector: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthorizeView"];
                };
            };
        };
    };
    harvest_connector: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                connector: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HarvestView"];
                };
            };
        };
    };
    review_tool: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                connector: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ToolReviewRequest"];
            };
        };
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolView"];
                };
            };
            /** @description The tool is not what was looked at */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_groups: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_GroupView"];
                };
            };
        };
    };
    get_group: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                group: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GroupView"];
                };
            };
        };
    };
    put_group: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                group: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GroupRequest"];
            };
        };
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description It was changed; where it stands is not */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GroupView"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GroupView"];
                };
            };
        };
    };
    remove_group: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                group: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    ack_events: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                group: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventIds"];
            };
        };
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CountView"];
                };
            };
        };
    };
    claim_events: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                group: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClaimRequest"];
            };
        };
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_GroupDeliveryView"];
                };
            };
        };
    };
    list_dead_letters: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                /** @description At most this many, 1 to 100; 50 when not given. */
                limit?: number;
            };
            header?: never;
            path: {
                group: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_DeadLetterView"];
                };
            };
        };
    };
    revive_dead_letters: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                group: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventIds"];
            };
        };
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CountView"];
                };
            };
        };
    };
    nack_events: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                group: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NackRequest"];
            };
        };
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CountView"];
                };
            };
        };
    };
    read_group: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                group: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReadRequest"];
            };
        };
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_GroupDeliveryView"];
                };
            };
        };
    };
    replay_group: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                group: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplayRequest"];
            };
        };
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GroupView"];
                };
            };
        };
    };
    list_events: {
        parameters: {
            query?: {
                /** @description `eventid` of the last one you have; without it the newest. */
                after?: string;
                /** @description At most this many, 1 to 100; 50 when not given. */
                limit?: number;
                /** @description Only these types, with commas between; `action.*` is every type that begins so. */
                type?: string;
                /** @description With `after`: how long to wait for one, as `30s`, at most a minute. */
                wait?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventsView"];
                };
            };
        };
    };
    publish_events: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventsRequest"];
            };
        };
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_PublishedView"];
                };
            };
            /** @description The source published another event under this id */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    stream_events: {
        parameters: {
            query?: {
                /** @description `eventid` of the last one you have; without it the newest. */
                after?: string;
                /** @description At most this many, 1 to 100; 50 when not given. */
                limit?: number;
                /** @description Only these types, with commas between; `action.*` is every type that begins so. */
                type?: string;
                /** @description With `after`: how long to wait for one, as `30s`, at most a minute. */
                wait?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
        };
    };
    answer_grant_request: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                request: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GrantAnswer"];
            };
        };
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GrantRequestView"];
                };
            };
            /** @description Answered already */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description It expired */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_grants: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                /** @description At most this many, 1 to 100; 50 when not given. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_GrantView"];
                };
            };
        };
    };
    give_grant: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GrantCreate"];
            };
        };
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GrantView"];
                };
            };
        };
    };
    revoke_grant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                grant: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GrantView"];
                };
            };
        };
    };
    take_hook: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 visible ASCII characters */
                "Idempotency-Key"?: string | null;
                /** @description Where requests must be signed (Standard Webhooks) */
                "webhook-id"?: string | null;
                "webhook-signature"?: string | null;
                "webhook-timestamp"?: string | null;
            };
            path: {
                trigger: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunView"];
                };
            };
        };
    };
    list_inbox: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                /** @description At most this many, 1 to 100; 50 when not given. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_InboxItem"];
                };
            };
        };
    };
    get_inbox_item: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                invocation: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InboxItem"];
                };
            };
            /** @description It no longer waits */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description It expired */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_activity: {
        parameters: {
            query?: {
                /** @description `source.action`, or an action's name alone. */
                action?: string;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                /** @description At most this many, 1 to 100; 50 when not given. */
                limit?: number;
                /**
                 * @description A text of at most 200 characters that stands in the id, the action, the agent's name, the redacted parameters or
                 *     the error, in any case. The whole id of an invocation finds that one, however old it is.
                 */
                q?: string;
                /**
                 * @description With one of these risks, separated by commas.
                 * @example R3,R4
                 */
                risk?: string;
                /** @description Of this run. */
                run?: string;
                /** @description Of this session. */
                session?: string;
                /** @description Requested at this moment or later. */
                since?: string;
                /** @description Of this source. */
                source?: string;
                /** @description In this space: its slug or its id. */
                space?: string;
                /**
                 * @description With one of these states, separated by commas.
                 * @example failed,unknown
                 */
                status?: string;
                /** @description Requested before this moment. */
                until?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActivityPage"];
                };
            };
        };
    };
    get_org_invocation: {
        parameters: {
            query?: {
                /** @description Seconds, as `30s`, or milliseconds, as `500ms`; at most a minute. */
                wait?: string;
            };
            header?: never;
            path: {
                invocation: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvocationView"];
                };
            };
        };
    };
    approve_invocation: {
        parameters: {
            query?: {
                /** @description Seconds, as `30s`, or milliseconds, as `500ms`; at most a minute. */
                wait?: string;
            };
            header?: never;
            path: {
                invocation: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApproveRequest"];
            };
        };
        responses: {
            /** @description It is over; `status` says how it ended */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvocationView"];
                };
            };
            /** @description It is under way, or waits for another yes */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvocationView"];
                };
            };
            /** @description This person may not answer this, or not without a passkey */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Answered already, or not what was shown */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description It expired */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description A grant or a rule would not do what is expected of it */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_attempts: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                invocation: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_AttemptView"];
                };
            };
        };
    };
    deny_invocation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                invocation: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DenyRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvocationView"];
                };
            };
            /** @description This person may not answer this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Answered already, or not what was shown */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description It expired */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    reconcile_invocation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                invocation: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReconcileRequest"];
            };
        };
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvocationView"];
                };
            };
            /** @description Its outcome is known */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_bundles: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                /** @description That ended at this moment or later, RFC 3339. */
                from?: string;
                /** @description At most this many, 1 to 100; 50 when not given. */
                limit?: number;
                /** @description Of one session only. */
                session?: string;
                /** @description That ended before this moment, RFC 3339. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BundlesView"];
                };
            };
        };
    };
    get_checkpoint: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
        };
    };
    list_checkpoints: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                /** @description At most this many, 1 to 100; 50 when not given. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_CheckpointView"];
                };
            };
        };
    };
    prove_consistency: {
        parameters: {
            query: {
                /** @description The smaller. */
                first: number;
                /** @description The greater. */
                second: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProofView"];
                };
            };
        };
    };
    list_entries: {
        parameters: {
            query?: {
                /** @description Those after this number; from the first when not given. */
                after?: number;
                /** @description At most this many, 1 to 500; 100 when not given. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EntriesView"];
                };
            };
        };
    };
    prove_inclusion: {
        parameters: {
            query: {
                /** @description The entry's place in the log, from 0. */
                index: number;
                /** @description How many entries the log has. */
                size: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProofView"];
                };
            };
        };
    };
    get_tile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                path: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": number[];
                };
            };
        };
    };
    get_me: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MeView"];
                };
            };
        };
    };
    list_members: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                /** @description At most this many, 1 to 100; 50 when not given. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_MemberView"];
                };
            };
        };
    };
    add_member: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MemberRequest"];
            };
        };
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberView"];
                };
            };
        };
    };
    remove_member: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                user: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    change_member: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                user: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MemberPatch"];
            };
        };
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberView"];
                };
            };
        };
    };
    create_member_token: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                user: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TokenRequest"];
            };
        };
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewTokenView"];
                };
            };
        };
    };
    list_notifiers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_NotifierView"];
                };
            };
        };
    };
    add_notifier: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NotifierRequest"];
            };
        };
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotifierView"];
                };
            };
        };
    };
    remove_notifier: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                notifier: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    test_notifier: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                notifier: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotifierTest"];
                };
            };
        };
    };
    finish_authorization: {
        parameters: {
            query?: {
                code?: string;
                iss?: string;
                state?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description It was not begun here, is over, or was refused */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    get_openapi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
        };
    };
    get_org: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrgView"];
                };
            };
        };
    };
    change_org: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrgPatch"];
            };
        };
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrgView"];
                };
            };
        };
    };
    get_overview: {
        parameters: {
            query?: {
                /** @description From this moment on, moved back to where its bucket begins; a week before `until` when not given. */
                since?: string;
                /** @description In this space only: its slug or its id. */
                space?: string;
                /** @description Up to this moment; now when not given. At most 92 days after `since`. */
                until?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OverviewView"];
                };
            };
        };
    };
    list_passkeys: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                /** @description At most this many, 1 to 100; 50 when not given. */
                limit?: number;
                /** @description Those of one person. */
                user?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_PasskeyView"];
                };
            };
        };
    };
    add_passkey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasskeyRequest"];
            };
        };
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyView"];
                };
            };
            /** @description Not made as it was offered, or not signed with the first one */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    remove_passkey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                passkey: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    offer_passkey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyOffer"];
                };
            };
            /** @description The gateway does not know its own address */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_matrix: {
        parameters: {
            query?: {
                /** @description For the runs of this automation; for a session that a person opened when not given. */
                automation?: string;
                /** @description The slug or the id of a space; the automation's, or the org's first one, when not given. */
                space?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MatrixView"];
                };
            };
        };
    };
    list_receipts: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                /** @description Of one invocation only: its receipt, and the one before it where a person found out what became of it. */
                invocation?: string;
                /** @description At most this many, 1 to 100; 50 when not given. */
                limit?: number;
                /** @description Of one session only. */
                session?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_ReceiptView"];
                };
            };
        };
    };
    get_receipt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                receipt: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiptView"];
                };
            };
        };
    };
    get_bundle: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                receipt: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
        };
    };
    list_rules: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                /** @description At most this many, 1 to 100; 50 when not given. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_RuleView"];
                };
            };
        };
    };
    put_rule: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RuleRequest"];
            };
        };
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RuleView"];
                };
            };
        };
    };
    delete_rule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                rule: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    list_runs: {
        parameters: {
            query?: {
                /** @description Of this automation. */
                automation?: string;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                /** @description At most this many, 1 to 100; 50 when not given. */
                limit?: number;
                /** @description With this status. */
                status?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_RunView"];
                };
            };
        };
    };
    get_run: {
        parameters: {
            query?: {
                /**
                 * @description The `revision` that is known: the answer comes when there is a newer one, or when it is over. Without it, when it
                 *     is over.
                 */
                seen?: number;
                /** @description Seconds, as `30s`, or milliseconds, as `500ms`; at most a minute. */
                wait?: string;
            };
            header?: never;
            path: {
                run: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunDetail"];
                };
            };
        };
    };
    cancel_run: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunView"];
                };
            };
        };
    };
    repeat_run: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RerunRequest"];
            };
        };
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunView"];
                };
            };
        };
    };
    get_automation_schema: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/schema+json": Record<string, never>;
                };
            };
        };
    };
    list_secrets: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                /** @description At most this many, 1 to 100; 50 when not given. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_SecretView"];
                };
            };
        };
    };
    put_secret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecretRequest"];
            };
        };
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecretView"];
                };
            };
        };
    };
    delete_secret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    list_sessions: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                /** @description At most this many, 1 to 100; 50 when not given. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_SessionView"];
                };
            };
        };
    };
    create_session: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SessionRequest"];
            };
        };
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewSessionView"];
                };
            };
        };
    };
    get_session: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionView"];
                };
            };
        };
    };
    end_session: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionView"];
                };
            };
        };
    };
    list_actions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CatalogView"];
                };
            };
        };
    };
    get_guide: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session: string;
                source: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/markdown": string;
                };
            };
        };
    };
    invoke_action: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 visible ASCII characters; kept 24 hours */
                "Idempotency-Key"?: string | null;
            };
            path: {
                session: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvokeRequest"];
            };
        };
        responses: {
            /** @description It happened, or it was a dry run */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvocationView"];
                };
            };
            /** @description It waits for a person */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvocationView"];
                };
            };
            /** @description Policy says no */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The key is under way, or the source is not connected */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The request is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too often, or too many waiting */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The action failed, was undone, or nobody knows */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    request_grant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GrantAsk"];
            };
        };
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GrantRequestView"];
                };
            };
        };
    };
    get_grant_request: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                request: string;
                session: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GrantRequestView"];
                };
            };
        };
    };
    list_invocations: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                /** @description At most this many, 1 to 100; 50 when not given. */
                limit?: number;
            };
            header?: never;
            path: {
                session: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_InvocationView"];
                };
            };
        };
    };
    get_invocation: {
        parameters: {
            query?: {
                /** @description Seconds, as `30s`, or milliseconds, as `500ms`; at most a minute. */
                wait?: string;
            };
            header?: never;
            path: {
                invocation: string;
                session: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvocationView"];
                };
            };
        };
    };
    explain_decision: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                invocation: string;
                session: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DecisionView"];
                };
            };
        };
    };
    get_ways_to_sign_in: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInView"];
                };
            };
        };
    };
    sign_in: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignInRequest"];
            };
        };
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MeView"];
                };
            };
        };
    };
    sign_out: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    begin_oidc: {
        parameters: {
            query?: {
                /** @description A page of ours, such as `/inbox`. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description On to the identity provider */
            303: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    finish_oidc: {
        parameters: {
            query?: {
                code?: string;
                error?: string;
                iss?: string;
                state?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description On to the page that was asked for, or to the sign-in with what went wrong */
            303: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    switch_org: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrgSwitch"];
            };
        };
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MeView"];
                };
            };
        };
    };
    take_slack_click: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                org: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": string;
            };
        };
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Read; the text says whether it counted */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClickAnswer"];
                };
            };
            /** @description Not signed, too old, or an org that takes no clicks */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description This very click was taken before */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_slack_people: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_SlackPersonView"];
                };
            };
        };
    };
    link_slack_person: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                slack_user: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SlackPersonRequest"];
            };
        };
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SlackPersonView"];
                };
            };
        };
    };
    unlink_slack_person: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                slack_user: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    list_sources: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SourcesView"];
                };
            };
        };
    };
    get_source: {
        parameters: {
            query?: {
                /** @description The slug or the id of a space; the org's first one when not given. */
                space?: string;
            };
            header?: never;
            path: {
                source: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SourceDetail"];
                };
            };
        };
    };
    list_spaces: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                /** @description At most this many, 1 to 100; 50 when not given. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_SpaceView"];
                };
            };
        };
    };
    create_space: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SpaceRequest"];
            };
        };
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SpaceView"];
                };
            };
        };
    };
    change_space: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                space: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SpacePatch"];
            };
        };
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SpaceView"];
                };
            };
        };
    };
    list_tokens: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                /** @description At most this many, 1 to 100; 50 when not given. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_TokenView"];
                };
            };
        };
    };
    create_token: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TokenRequest"];
            };
        };
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewTokenView"];
                };
            };
        };
    };
    revoke_token: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    rotate_trigger: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                trigger: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewHookTokenView"];
                };
            };
        };
    };
    revoke_trigger: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                trigger: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    list_webhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_WebhookView"];
                };
            };
        };
    };
    add_webhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookRequest"];
            };
        };
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewWebhookSecretView"];
                };
            };
        };
    };
    get_webhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhook: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookView"];
                };
            };
        };
    };
    remove_webhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhook: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    change_webhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhook: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookPatch"];
            };
        };
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookView"];
                };
            };
        };
    };
    list_deliveries: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                /** @description At most this many, 1 to 100; 50 when not given. */
                limit?: number;
            };
            header?: never;
            path: {
                webhook: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_DeliveryView"];
                };
            };
        };
    };
    resend_delivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                delivery: string;
                webhook: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryView"];
                };
            };
        };
    };
    rotate_webhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhook: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewWebhookSecretView"];
                };
            };
        };
    };
    test_webhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhook: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryView"];
                };
            };
        };
    };
}
