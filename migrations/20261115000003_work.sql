-- What was asked, what came of it, the proof, and the telling. These tables grow with requests, so all are
-- partitioned by time through their time-ordered ids.

CREATE TABLE invocations (
    org_id          uuid NOT NULL,
    id              uuid NOT NULL,
    -- No foreign key: the statement that inserts the row proves the session (standings), and a key check
    -- would lock the session's row once per invocation.
    session_id      uuid NOT NULL,
    space_id        uuid NOT NULL,
    agent           text NOT NULL,
    source          text NOT NULL,
    action          text NOT NULL,
    definition_hash bytea NOT NULL,
    risk            text NOT NULL,
    effect          text NOT NULL,
    mode            text NOT NULL,
    mode_source     text NOT NULL,
    -- The whole derivation, as policy gave it.
    decision        jsonb NOT NULL,
    status          text NOT NULL,
    dry_run         boolean NOT NULL,
    -- For people: redacted.
    params          jsonb NOT NULL,
    -- For execution: sealed, and wiped on the terminal transition.
    params_sealed   bytea,
    -- What an approver's yes is bound to.
    shown_digest    bytea NOT NULL,
    idempotency_key text,
    trace_id        text,
    -- At most 10 KB, redacted, pruned.
    result          jsonb,
    error           jsonb,
    attempts        integer NOT NULL DEFAULT 0,
    receipt_id      uuid,
    requested_at    timestamptz NOT NULL,
    started_at      timestamptz,
    finished_at     timestamptz,
    -- Who executes holds the lease of this epoch; whoever takes over raises it, and a settlement under an older
    -- epoch changes nothing.
    lease_until     timestamptz,
    lease_epoch     integer NOT NULL DEFAULT 0,
    -- Until when a person may answer.
    expires_at      timestamptz,
    PRIMARY KEY (org_id, id),
    CONSTRAINT invocations_risk CHECK (risk IN ('R0', 'R1', 'R2', 'R3', 'R4')),
    CONSTRAINT invocations_effect CHECK (effect IN ('read', 'keyed', 'checkable', 'once')),
    CONSTRAINT invocations_mode CHECK (mode IN ('allow', 'require_approval', 'deny')),
    CONSTRAINT invocations_status CHECK (status IN (
        'pending', 'approved', 'executing',
        'denied', 'quarantined', 'expired', 'succeeded', 'failed', 'reverted', 'unknown', 'skipped'
    )),
    CONSTRAINT invocations_lease CHECK ((status = 'executing') = (lease_until IS NOT NULL)),
    -- A terminal invocation has its receipt and no longer holds its parameters.
    CONSTRAINT invocations_terminal CHECK (
        (status IN ('pending', 'approved', 'executing')) = (receipt_id IS NULL)
        AND (receipt_id IS NULL OR (params_sealed IS NULL AND finished_at IS NOT NULL))
    )
) PARTITION BY RANGE (id);
-- Serves pipeline's list of a session's invocations, newest first.
CREATE INDEX invocations_session_idx ON invocations (org_id, session_id, id DESC);
-- Serves expired_leases; holds only what is under way.
CREATE INDEX invocations_lease_idx ON invocations (lease_until) WHERE status = 'executing';
-- Serves the inbox; holds only what waits.
CREATE INDEX invocations_pending_idx ON invocations (org_id, id) WHERE status = 'pending';
CALL fence('invocations');
GRANT SELECT, INSERT, UPDATE (
    status, params_sealed, result, error, attempts, receipt_id, started_at, finished_at, lease_until, lease_epoch
) ON invocations TO countersign_service;

-- Which key belongs to which invocation. A table of its own because a unique index over a partitioned table would
-- have to contain the partition's key, and then would not be unique.
CREATE TABLE idempotency_keys (
    org_id         uuid NOT NULL,
    key            text NOT NULL,
    invocation_id  uuid NOT NULL,
    -- Over the action and its parameters: the same key with another request is refused.
    request_digest bytea NOT NULL,
    expires_at     timestamptz NOT NULL,
    PRIMARY KEY (org_id, key)
);
-- Serves purge_idempotency_keys.
CREATE INDEX idempotency_keys_expires_idx ON idempotency_keys (expires_at);
CALL fence('idempotency_keys');
GRANT SELECT, INSERT, UPDATE (invocation_id, request_digest, expires_at) ON idempotency_keys TO countersign_service;

-- One row per try that failed. The try that succeeded is the invocation itself.
CREATE TABLE attempts (
    org_id        uuid NOT NULL,
    invocation_id uuid NOT NULL,
    number        integer NOT NULL,
    started_at    timestamptz NOT NULL,
    ended_at      timestamptz NOT NULL,
    error_class   text NOT NULL,
    message       text NOT NULL,
    sent          boolean NOT NULL,
    retried       boolean NOT NULL,
    PRIMARY KEY (org_id, invocation_id, number)
) PARTITION BY RANGE (invocation_id);
CALL fence('attempts');
GRANT SELECT, INSERT ON attempts TO countersign_service;

-- The signed account of a terminal invocation. The service can add receipts and read them; no privilege lets it
-- change or remove one.
CREATE TABLE receipts (
    org_id        uuid NOT NULL,
    id            uuid NOT NULL,
    invocation_id uuid NOT NULL,
    session_id    uuid NOT NULL,
    source        text NOT NULL,
    action        text NOT NULL,
    status        text NOT NULL,
    -- The canonical bytes that were signed, the key that signed them, and the signature.
    payload       bytea NOT NULL,
    keyid         text NOT NULL,
    signature     bytea NOT NULL,
    finished_at   timestamptz NOT NULL,
    PRIMARY KEY (org_id, id)
) PARTITION BY RANGE (id);
CALL fence('receipts');
GRANT SELECT, INSERT ON receipts TO countersign_service;

-- Facts to be told, written in the transaction of the fact.
CREATE TABLE events (
    org_id     uuid NOT NULL,
    id         uuid NOT NULL,
    type       text NOT NULL,
    -- What it is about: an invocation's id, for example.
    subject    text NOT NULL,
    space_id   uuid,
    session_id uuid,
    data       jsonb NOT NULL,
    at         timestamptz NOT NULL,
    PRIMARY KEY (org_id, id)
) PARTITION BY RANGE (id);
CALL fence('events');
GRANT SELECT, INSERT ON events TO countersign_service;

-- The smallest UUID v7 of a moment: its first 48 bits are milliseconds.
CREATE FUNCTION uuid_at(moment timestamptz) RETURNS uuid
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN (lpad(to_hex(floor(extract(epoch FROM moment) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid;

-- Makes the partitions for the time around `around`: months for what is kept, days for events. Runs as the owner,
-- because the service may not create tables; says how many it made.
CREATE FUNCTION ensure_partitions(around timestamptz) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE
    made   integer := 0;
    parent text;
    unit   text;
    ahead  integer;
    lower  timestamptz;
    child  text;
BEGIN
    FOR parent, unit, ahead IN
        VALUES ('invocations', 'month', 2), ('attempts', 'month', 2), ('receipts', 'month', 2), ('events', 'day', 14)
    LOOP
        FOR step IN 0..ahead LOOP
            lower := date_trunc(unit, around, 'UTC') + make_interval(
                months => CASE unit WHEN 'month' THEN step ELSE 0 END,
                days => CASE unit WHEN 'day' THEN step ELSE 0 END
            );
            child := parent || '_' || to_char(lower AT TIME ZONE 'UTC', CASE unit WHEN 'month' THEN 'YYYYMM' ELSE 'YYYYMMDD' END);
            CONTINUE WHEN to_regclass('public.' || child) IS NOT NULL;
            EXECUTE format(
                'CREATE TABLE public.%I PARTITION OF public.%I FOR VALUES FROM (%L) TO (%L)',
                child, parent, uuid_at(lower), uuid_at(lower + ('1 ' || unit)::interval)
            );
            made := made + 1;
        END LOOP;
    END LOOP;
    RETURN made;
END $$;
REVOKE ALL ON FUNCTION ensure_partitions(timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ensure_partitions(timestamptz) TO countersign_service;

-- A row outside every partition must not be refused: losing a receipt is worse than an untidy partition.
CREATE TABLE invocations_default PARTITION OF invocations DEFAULT;
CREATE TABLE attempts_default PARTITION OF attempts DEFAULT;
CREATE TABLE receipts_default PARTITION OF receipts DEFAULT;
CREATE TABLE events_default PARTITION OF events DEFAULT;
SELECT ensure_partitions(now());

-- Across orgs, for recovery and house-keeping.
CREATE POLICY lookup ON invocations FOR SELECT TO countersign_lookup USING (true);
GRANT SELECT (org_id, id, status, lease_until) ON invocations TO countersign_lookup;
CREATE POLICY purge ON idempotency_keys TO countersign_lookup USING (true);
GRANT SELECT (expires_at), DELETE ON idempotency_keys TO countersign_lookup;

CREATE FUNCTION expired_leases(at timestamptz, most integer) RETURNS TABLE (org_id uuid, id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
        SELECT i.org_id, i.id FROM invocations i
        WHERE i.status = 'executing' AND i.lease_until < at
        ORDER BY i.lease_until LIMIT most
    $$;

CREATE FUNCTION purge_idempotency_keys(before timestamptz) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
        WITH gone AS (DELETE FROM idempotency_keys WHERE expires_at < before RETURNING 1)
        SELECT count(*) FROM gone
    $$;

GRANT CREATE ON SCHEMA public TO countersign_lookup;
ALTER FUNCTION expired_leases(timestamptz, integer) OWNER TO countersign_lookup;
ALTER FUNCTION purge_idempotency_keys(timestamptz) OWNER TO countersign_lookup;
REVOKE CREATE ON SCHEMA public FROM countersign_lookup;
REVOKE ALL ON FUNCTION expired_leases(timestamptz, integer), purge_idempotency_keys(timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION expired_leases(timestamptz, integer), purge_idempotency_keys(timestamptz) TO countersign_service;
