-- Telling outside: addresses of an org that events are sent to, and what became of each sending.

CREATE TABLE webhooks (
    org_id          uuid NOT NULL REFERENCES orgs (id),
    id              uuid NOT NULL,
    url             text NOT NULL,
    -- Which events: of these types (all when empty), and of those the ones that meet the filter.
    types           text[] NOT NULL DEFAULT '{}',
    filter          jsonb,
    -- What deliveries are signed with, and what they are signed with besides until a rotation is over.
    sealed          bytea NOT NULL,
    previous_sealed bytea,
    previous_until  timestamptz,
    enabled         boolean NOT NULL DEFAULT true,
    -- Since when nothing has arrived; a success ends it.
    failing_since   timestamptz,
    -- Why it is not enabled, if nobody said that it should not be.
    disabled_reason text,
    created_by      uuid NOT NULL REFERENCES users (id),
    created_at      timestamptz NOT NULL,
    PRIMARY KEY (org_id, id),
    CONSTRAINT webhooks_previous_together CHECK ((previous_sealed IS NULL) = (previous_until IS NULL))
);
CALL fence('webhooks');
GRANT SELECT, INSERT, DELETE ON webhooks TO countersign_service;
GRANT UPDATE (url, types, filter, sealed, previous_sealed, previous_until, enabled, failing_since, disabled_reason)
    ON webhooks TO countersign_service;

-- One event on its way to one webhook.
CREATE TABLE webhook_deliveries (
    org_id       uuid NOT NULL,
    id           uuid NOT NULL,
    webhook_id   uuid NOT NULL,
    event_id     uuid NOT NULL,
    status       text NOT NULL DEFAULT 'pending',
    -- Which sending of it this is: a person who has it sent again begins the next one. The engine's key holds it.
    round        integer NOT NULL DEFAULT 1,
    -- How often it was tried in this round.
    attempts     smallint NOT NULL DEFAULT 0,
    last_status  smallint,
    last_error   text,
    -- When it may be tried next. Whoever tries moves this first, so that nobody else tries the same.
    next_at      timestamptz NOT NULL,
    created_at   timestamptz NOT NULL,
    delivered_at timestamptz,
    PRIMARY KEY (org_id, id),
    -- The log is followed at least once: what is created twice is one.
    CONSTRAINT webhook_deliveries_event_key UNIQUE (org_id, webhook_id, event_id),
    CONSTRAINT webhook_deliveries_webhook_fkey FOREIGN KEY (org_id, webhook_id)
        REFERENCES webhooks (org_id, id) ON DELETE CASCADE,
    CONSTRAINT webhook_deliveries_status_known CHECK (status IN ('pending', 'delivered', 'failed'))
);
-- Serves overdue_deliveries.
CREATE INDEX webhook_deliveries_due_idx ON webhook_deliveries (next_at) WHERE status = 'pending';
-- Serves the list of one webhook's deliveries, newest first.
CREATE INDEX webhook_deliveries_webhook_idx ON webhook_deliveries (org_id, webhook_id, id);
-- Serves purge_deliveries.
CREATE INDEX webhook_deliveries_created_idx ON webhook_deliveries (created_at);
CALL fence('webhook_deliveries');
GRANT SELECT, INSERT ON webhook_deliveries TO countersign_service;
GRANT UPDATE (status, round, attempts, last_status, last_error, next_at, delivered_at)
    ON webhook_deliveries TO countersign_service;

-- Days of events are dropped only when their deliveries have been made. Nobody has a webhook yet, so what was relayed
-- before concerns nobody.
INSERT INTO event_followers (name, position) SELECT 'webhooks', position FROM event_followers WHERE name = 'relay';

-- Deliveries that should have been tried by now, across orgs: ids alone, and of each org in turn, so that one with very
-- many does not hide the others'.
CREATE FUNCTION overdue_deliveries(before timestamptz, most integer) RETURNS TABLE (org_id uuid, id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
        SELECT late.org_id, late.id FROM (
            SELECT d.org_id, d.id, d.next_at, row_number() OVER (PARTITION BY d.org_id ORDER BY d.next_at) AS turn
            FROM webhook_deliveries d WHERE d.status = 'pending' AND d.next_at < before
        ) late
        ORDER BY late.turn, late.next_at LIMIT most
    $$;
CREATE FUNCTION purge_deliveries(before timestamptz) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
        WITH gone AS (DELETE FROM webhook_deliveries WHERE created_at < before RETURNING 1)
        SELECT count(*) FROM gone
    $$;
CREATE POLICY lookup ON webhook_deliveries FOR SELECT TO countersign_lookup USING (true);
CREATE POLICY purge ON webhook_deliveries FOR DELETE TO countersign_lookup USING (true);
GRANT SELECT (org_id, id, status, next_at, created_at), DELETE ON webhook_deliveries TO countersign_lookup;
GRANT CREATE ON SCHEMA public TO countersign_lookup;
ALTER FUNCTION overdue_deliveries(timestamptz, integer) OWNER TO countersign_lookup;
ALTER FUNCTION purge_deliveries(timestamptz) OWNER TO countersign_lookup;
REVOKE CREATE ON SCHEMA public FROM countersign_lookup;
REVOKE ALL ON FUNCTION overdue_deliveries(timestamptz, integer), purge_deliveries(timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION overdue_deliveries(timestamptz, integer), purge_deliveries(timestamptz)
    TO countersign_service;
