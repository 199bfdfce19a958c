-- A person was sent to an authorization server, to allow us what a connector's server asks for, and has not come back yet.
CREATE TABLE connector_authorizations (
    org_id       uuid NOT NULL,
    id           uuid NOT NULL,
    connector_id uuid NOT NULL,
    -- Of the state that comes back with the person. It alone says whose authorization this is, so it is kept as a hash.
    state_sha256 bytea NOT NULL,
    -- What the code is exchanged with: the verifier, the client, and the server the person was sent to.
    sealed       bytea NOT NULL,
    begun_by     uuid NOT NULL REFERENCES users (id),
    expires_at   timestamptz NOT NULL,
    PRIMARY KEY (org_id, id),
    CONSTRAINT connector_authorizations_connector_fkey FOREIGN KEY (org_id, connector_id)
        REFERENCES connectors (org_id, id) ON DELETE CASCADE
);
-- Serves find_authorization.
CREATE UNIQUE INDEX connector_authorizations_state_key ON connector_authorizations (state_sha256);
CALL fence('connector_authorizations');
GRANT SELECT, INSERT, DELETE ON connector_authorizations TO countersign_service;

-- The browser that comes back has no token of ours: which org it comes back to is found by the state.
CREATE FUNCTION find_authorization(hash bytea) RETURNS TABLE (org_id uuid, id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT a.org_id, a.id FROM connector_authorizations a WHERE a.state_sha256 = hash $$;
CREATE POLICY lookup ON connector_authorizations FOR SELECT TO countersign_lookup USING (true);
GRANT SELECT (org_id, id, state_sha256) ON connector_authorizations TO countersign_lookup;
GRANT CREATE ON SCHEMA public TO countersign_lookup;
ALTER FUNCTION find_authorization(bytea) OWNER TO countersign_lookup;
REVOKE CREATE ON SCHEMA public FROM countersign_lookup;
REVOKE ALL ON FUNCTION find_authorization(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_authorization(bytea) TO countersign_service;
