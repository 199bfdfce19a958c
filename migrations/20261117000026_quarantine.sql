-- What was quarantined is held for a person, who discards it or releases it as text.
CREATE TABLE quarantined (
    org_id        uuid NOT NULL,
    invocation_id uuid NOT NULL,
    session_id    uuid NOT NULL,
    opener        uuid NOT NULL,
    turn          smallint NOT NULL,
    -- The parameters, sealed: they may contain a credential.
    params_sealed bytea NOT NULL,
    -- Until when it is held.
    expires_at    timestamptz NOT NULL,
    PRIMARY KEY (org_id, invocation_id)
);
CALL fence('quarantined');
GRANT SELECT, INSERT, DELETE ON quarantined TO countersign_service;
-- `FOR UPDATE` needs a right to update something.
GRANT UPDATE (turn) ON quarantined TO countersign_service;

-- The release that an invocation comes from: of which invocation, by whom, why, and for which parameters.
ALTER TABLE invocations ADD COLUMN released jsonb;
-- The invocation that was made when this one was released.
ALTER TABLE invocations ADD COLUMN released_as uuid;
GRANT UPDATE (released_as) ON invocations TO countersign_service;

CREATE POLICY purge ON quarantined TO countersign_lookup USING (true);
GRANT SELECT (org_id, invocation_id, expires_at), DELETE ON quarantined TO countersign_lookup;
-- For the purge.
CREATE INDEX quarantined_expires_at ON quarantined (expires_at);
CREATE FUNCTION purge_quarantined(now timestamptz) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
        WITH gone AS (DELETE FROM quarantined q WHERE q.expires_at <= now RETURNING 1) SELECT count(*) FROM gone
    $$;
GRANT CREATE ON SCHEMA public TO countersign_lookup;
ALTER FUNCTION purge_quarantined(timestamptz) OWNER TO countersign_lookup;
REVOKE CREATE ON SCHEMA public FROM countersign_lookup;
REVOKE ALL ON FUNCTION purge_quarantined(timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION purge_quarantined(timestamptz) TO countersign_service;
