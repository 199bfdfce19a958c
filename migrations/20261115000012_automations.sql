-- Work that is saved: definitions with all their versions, what starts them, and what became of each run.

CREATE TABLE automations (
    org_id     uuid NOT NULL,
    id         uuid NOT NULL,
    space_id   uuid NOT NULL,
    name       text NOT NULL,
    status     text NOT NULL DEFAULT 'active',
    -- The version that runs.
    version    integer NOT NULL DEFAULT 1,
    -- How many runs there have been. Whoever starts one raises it first, so those who start at once do so one by one.
    runs       bigint NOT NULL DEFAULT 0,
    created_by uuid NOT NULL REFERENCES users (id),
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (org_id, id),
    CONSTRAINT automations_space_fkey FOREIGN KEY (org_id, space_id) REFERENCES spaces (org_id, id),
    CONSTRAINT automations_status CHECK (status IN ('active', 'paused', 'archived'))
);
-- People and files know an automation by its name; what is archived has given its name up.
CREATE UNIQUE INDEX automations_name_key ON automations (org_id, name) WHERE status <> 'archived';
CALL fence('automations');
GRANT SELECT, INSERT, UPDATE (name, status, version, runs, updated_at) ON automations TO countersign_service;

-- Every definition ever saved. The service adds them and reads them: a run refers to the version it runs.
CREATE TABLE automation_versions (
    org_id        uuid NOT NULL,
    automation_id uuid NOT NULL,
    version       integer NOT NULL,
    definition    jsonb NOT NULL,
    saved_by      uuid NOT NULL REFERENCES users (id),
    saved_at      timestamptz NOT NULL,
    PRIMARY KEY (org_id, automation_id, version),
    CONSTRAINT automation_versions_automation_fkey FOREIGN KEY (org_id, automation_id) REFERENCES automations (org_id, id)
);
CALL fence('automation_versions');
GRANT SELECT, INSERT ON automation_versions TO countersign_service;

-- What starts an automation, as its current version says.
CREATE TABLE triggers (
    org_id        uuid NOT NULL,
    id            uuid NOT NULL,
    automation_id uuid NOT NULL,
    -- Its place in the definition.
    ordinal       smallint NOT NULL,
    type          text NOT NULL,
    config        jsonb NOT NULL,
    -- Whether its automation is active; what is not enabled starts nothing.
    enabled       boolean NOT NULL,
    -- Of a webhook: its token, shown once; and what requests are signed with, if they must be.
    token_sha256  bytea,
    sealed        bytea,
    -- Of a schedule: the moment it comes next. Whoever fires it moves this in the same transaction, so it comes once.
    next_at       timestamptz,
    last_fired_at timestamptz,
    created_at    timestamptz NOT NULL,
    PRIMARY KEY (org_id, id),
    CONSTRAINT triggers_automation_fkey FOREIGN KEY (org_id, automation_id) REFERENCES automations (org_id, id),
    CONSTRAINT triggers_type CHECK (type IN ('schedule', 'webhook', 'event')),
    CONSTRAINT triggers_next CHECK (next_at IS NULL OR type = 'schedule'),
    CONSTRAINT triggers_token CHECK (token_sha256 IS NULL OR type = 'webhook')
);
-- Serves reading an automation with what starts it.
CREATE INDEX triggers_automation_idx ON triggers (org_id, automation_id, ordinal);
-- Serves find_hook_token.
CREATE UNIQUE INDEX triggers_token_key ON triggers (token_sha256) WHERE token_sha256 IS NOT NULL;
-- Serves overdue_triggers.
CREATE INDEX triggers_next_idx ON triggers (next_at) WHERE next_at IS NOT NULL;
-- Serves reading what events may start.
CREATE INDEX triggers_event_idx ON triggers (org_id) WHERE type = 'event' AND enabled;
CALL fence('triggers');
GRANT SELECT, INSERT, DELETE ON triggers TO countersign_service;
GRANT UPDATE (ordinal, config, enabled, token_sha256, sealed, next_at, last_fired_at) ON triggers TO countersign_service;

-- Rises with every change to what events start, so that it is read anew exactly then.
ALTER TABLE orgs ADD COLUMN triggers_version bigint NOT NULL DEFAULT 1;
GRANT UPDATE (triggers_version) ON orgs TO countersign_service;
CREATE FUNCTION raise_triggers_version() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    UPDATE orgs SET triggers_version = triggers_version + 1 WHERE id = coalesce(NEW.org_id, OLD.org_id);
    RETURN NULL;
END $$;
CREATE TRIGGER triggers_version_new AFTER INSERT ON triggers
    FOR EACH ROW WHEN (NEW.type = 'event') EXECUTE FUNCTION raise_triggers_version();
CREATE TRIGGER triggers_version_changed AFTER UPDATE OF config, enabled ON triggers
    FOR EACH ROW WHEN (NEW.type = 'event') EXECUTE FUNCTION raise_triggers_version();
CREATE TRIGGER triggers_version_gone AFTER DELETE ON triggers
    FOR EACH ROW WHEN (OLD.type = 'event') EXECUTE FUNCTION raise_triggers_version();

CREATE TABLE runs (
    org_id              uuid NOT NULL,
    id                  uuid NOT NULL,
    automation_id       uuid NOT NULL,
    -- Which run of its automation it is; those that queue start in this order.
    number              bigint NOT NULL,
    -- Which version it runs, whatever is saved meanwhile.
    version             integer NOT NULL,
    trigger_id          uuid,
    trigger_type        text NOT NULL,
    -- What started it, so that whatever is told twice starts one run.
    cause               text NOT NULL,
    -- Over what came with the cause: the same cause with something else is refused.
    cause_digest        bytea,
    started_by          uuid REFERENCES users (id),
    status              text NOT NULL,
    lane                text NOT NULL,
    -- The session its steps are invoked in; none for what was refused.
    session_id          uuid,
    -- For people: redacted. For execution, and for running it again: sealed.
    inputs              jsonb NOT NULL,
    inputs_sealed       bytea,
    -- How many events one after the other led to it, and the automations on the way.
    depth               smallint NOT NULL,
    origin_chain        text[] NOT NULL,
    -- Hashes of what the payload that started it names, and of which run it seems to be an echo.
    named               bigint[] NOT NULL DEFAULT '{}',
    echo_of             uuid,
    -- Which run's finished steps it took over.
    rerun_of            uuid,
    -- The invocation it waits for, since when, and how long it has waited for people so far.
    awaits              uuid,
    waiting_since       timestamptz,
    waited_ms           bigint NOT NULL DEFAULT 0,
    cancel_requested_at timestamptz,
    error               jsonb,
    cost_usd            double precision NOT NULL DEFAULT 0,
    -- Rises with every change, for those who watch.
    revision            integer NOT NULL DEFAULT 1,
    -- When somebody should see whether it still goes on; nobody need while it queues behind others, or is over.
    due_at              timestamptz,
    created_at          timestamptz NOT NULL,
    started_at          timestamptz,
    finished_at         timestamptz,
    PRIMARY KEY (org_id, id),
    CONSTRAINT runs_number_key UNIQUE (org_id, automation_id, number),
    CONSTRAINT runs_cause_key UNIQUE (org_id, automation_id, cause),
    CONSTRAINT runs_automation_fkey FOREIGN KEY (org_id, automation_id) REFERENCES automations (org_id, id),
    CONSTRAINT runs_trigger_type CHECK (trigger_type IN ('schedule', 'webhook', 'event', 'person')),
    CONSTRAINT runs_lane CHECK (lane IN ('fast', 'medium', 'long')),
    CONSTRAINT runs_status CHECK (status IN (
        'pending', 'running', 'waiting', 'succeeded', 'failed', 'cancelled', 'timed_out'
    )),
    CONSTRAINT runs_terminal CHECK (
        (status IN ('pending', 'running', 'waiting')) = (finished_at IS NULL)
        AND (finished_at IS NULL OR (due_at IS NULL AND awaits IS NULL))
    ),
    CONSTRAINT runs_waiting CHECK ((status = 'waiting') = (awaits IS NOT NULL))
);
-- Serves the list of an org's runs, newest first.
CREATE INDEX runs_list_idx ON runs (org_id, id DESC);
-- Serves the list of an automation's runs, and counting those of the last minute.
CREATE INDEX runs_automation_idx ON runs (org_id, automation_id, id DESC);
-- Serves the concurrency policies; holds only what is not over.
CREATE INDEX runs_active_idx ON runs (org_id, automation_id, number) WHERE finished_at IS NULL;
-- Serves overdue_runs.
CREATE INDEX runs_due_idx ON runs (due_at) WHERE due_at IS NOT NULL;
-- Serves finding who waits for an invocation.
CREATE INDEX runs_awaits_idx ON runs (org_id, awaits) WHERE awaits IS NOT NULL;
CALL fence('runs');
GRANT SELECT, INSERT ON runs TO countersign_service;
GRANT UPDATE (
    status, awaits, waiting_since, waited_ms, cancel_requested_at, error, cost_usd, revision, due_at,
    started_at, finished_at
) ON runs TO countersign_service;

-- One row per try of a step.
CREATE TABLE run_steps (
    org_id        uuid NOT NULL,
    run_id        uuid NOT NULL,
    -- Its place in the plan; those that follow a failure come after 1000.
    ordinal       smallint NOT NULL,
    attempt       smallint NOT NULL,
    step_id       text NOT NULL,
    action        text NOT NULL,
    status        text NOT NULL,
    invocation_id uuid,
    error         jsonb,
    started_at    timestamptz NOT NULL,
    finished_at   timestamptz,
    PRIMARY KEY (org_id, run_id, ordinal, attempt),
    CONSTRAINT run_steps_run_fkey FOREIGN KEY (org_id, run_id) REFERENCES runs (org_id, id) ON DELETE CASCADE,
    CONSTRAINT run_steps_status CHECK (status IN ('running', 'waiting', 'succeeded', 'failed', 'skipped'))
);
CALL fence('run_steps');
GRANT SELECT, INSERT, UPDATE (status, invocation_id, error, finished_at) ON run_steps TO countersign_service;

-- What runs brought about outside, by a hash of its name: when it comes back as an event or a request, it is an echo.
CREATE TABLE run_traces (
    org_id     uuid NOT NULL,
    hash       bigint NOT NULL,
    run_id     uuid NOT NULL,
    -- Whether what started the run named it already.
    carried    boolean NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (org_id, hash)
);
-- Serves purge_runs.
CREATE INDEX run_traces_expires_idx ON run_traces (expires_at);
CALL fence('run_traces');
GRANT SELECT, INSERT, UPDATE (run_id, carried, expires_at) ON run_traces TO countersign_service;

-- A session may be one of a run; its events tell how deep they are.
ALTER TABLE sessions
    ADD COLUMN automation_id uuid,
    ADD COLUMN run_id        uuid,
    ADD COLUMN depth         smallint NOT NULL DEFAULT 0,
    ADD COLUMN origin_chain  text[] NOT NULL DEFAULT '{}',
    ADD CONSTRAINT sessions_run CHECK ((automation_id IS NULL) = (run_id IS NULL));

-- Events start runs in the order of the log. Nobody has a trigger yet, so what was relayed before concerns nobody.
INSERT INTO event_followers (name, position) SELECT 'dispatcher', position FROM event_followers WHERE name = 'relay';

-- What must be read before the org is known, and house-keeping across orgs: ids alone.
CREATE POLICY lookup ON triggers FOR SELECT TO countersign_lookup USING (true);
GRANT SELECT (org_id, id, token_sha256, next_at, enabled) ON triggers TO countersign_lookup;
CREATE POLICY lookup ON runs FOR SELECT TO countersign_lookup USING (true);
GRANT SELECT (org_id, id, due_at, finished_at) ON runs TO countersign_lookup;
CREATE POLICY purge ON runs FOR DELETE TO countersign_lookup USING (true);
GRANT DELETE ON runs TO countersign_lookup;
CREATE POLICY purge ON run_traces TO countersign_lookup USING (true);
GRANT SELECT (expires_at), DELETE ON run_traces TO countersign_lookup;

CREATE FUNCTION find_hook_token(hash bytea) RETURNS TABLE (org_id uuid, id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT t.org_id, t.id FROM triggers t WHERE t.token_sha256 = hash $$;

CREATE FUNCTION overdue_triggers(before timestamptz, most integer) RETURNS TABLE (org_id uuid, id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT t.org_id, t.id FROM triggers t WHERE t.next_at < before AND t.enabled ORDER BY t.next_at LIMIT most $$;

CREATE FUNCTION overdue_runs(at timestamptz, most integer) RETURNS TABLE (org_id uuid, id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT r.org_id, r.id FROM runs r WHERE r.due_at < at ORDER BY r.due_at LIMIT most $$;

-- Forgets runs that ended before a moment, some at a time, and what they brought about; says how many runs.
CREATE FUNCTION purge_runs(before timestamptz, now timestamptz, most integer) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
        WITH faded AS (DELETE FROM run_traces WHERE expires_at < now),
        old AS (
            SELECT r.org_id, r.id FROM runs r WHERE r.finished_at < before AND r.id < uuid_at(before) LIMIT most
        ),
        gone AS (DELETE FROM runs r USING old WHERE r.org_id = old.org_id AND r.id = old.id RETURNING 1)
        SELECT count(*) FROM gone
    $$;
-- Serves purge_runs.
CREATE INDEX runs_finished_idx ON runs (finished_at) WHERE finished_at IS NOT NULL;

GRANT CREATE ON SCHEMA public TO countersign_lookup;
ALTER FUNCTION find_hook_token(bytea) OWNER TO countersign_lookup;
ALTER FUNCTION overdue_triggers(timestamptz, integer) OWNER TO countersign_lookup;
ALTER FUNCTION overdue_runs(timestamptz, integer) OWNER TO countersign_lookup;
ALTER FUNCTION purge_runs(timestamptz, timestamptz, integer) OWNER TO countersign_lookup;
REVOKE CREATE ON SCHEMA public FROM countersign_lookup;
REVOKE ALL ON FUNCTION find_hook_token(bytea), overdue_triggers(timestamptz, integer), overdue_runs(timestamptz, integer),
    purge_runs(timestamptz, timestamptz, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_hook_token(bytea), overdue_triggers(timestamptz, integer), overdue_runs(timestamptz, integer),
    purge_runs(timestamptz, timestamptz, integer) TO countersign_service;
