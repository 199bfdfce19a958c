-- Who is there: orgs, people, spaces, tokens, sessions, and what an org keeps sealed with us.

-- The org of this transaction. Set with SET LOCAL only, so it cannot outlive the transaction on a pooled connection.
-- Without it the answer is NULL, and every policy below compares to NULL: no rows, rather than another tenant's.
CREATE FUNCTION current_org() RETURNS uuid
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN nullif(current_setting('app.org', true), '')::uuid;

-- Every table of a tenant gets the same fence. FORCE: the owner is fenced in as well.
CREATE PROCEDURE fence(tenant_table regclass)
    LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', tenant_table);
    EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', tenant_table);
    EXECUTE format(
        'CREATE POLICY tenant ON %s TO countersign_service USING (org_id = current_org()) WITH CHECK (org_id = current_org())',
        tenant_table
    );
END $$;

GRANT USAGE ON SCHEMA public TO countersign_service, countersign_lookup;

CREATE TABLE orgs (
    id             uuid PRIMARY KEY,
    slug           text NOT NULL,
    name           text NOT NULL,
    -- Rises with every change to what a decision is made from (rules, spaces, connections). A decision carries the
    -- version it was made with, and its record is written only if that is still the current one.
    policy_version bigint NOT NULL DEFAULT 1,
    created_at     timestamptz NOT NULL,
    CONSTRAINT orgs_slug_key UNIQUE (slug),
    CONSTRAINT orgs_slug_shape CHECK (slug ~ '^[a-z][a-z0-9-]{0,62}$')
);
-- Not a tenant's table by the letter (it has no org_id), and fenced all the same.
ALTER TABLE orgs ENABLE ROW LEVEL SECURITY;
ALTER TABLE orgs FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON orgs TO countersign_service USING (id = current_org()) WITH CHECK (id = current_org());
GRANT SELECT, INSERT, UPDATE (name, policy_version) ON orgs TO countersign_service;

-- A person may belong to several orgs, so this row belongs to none, and holds nothing but how they are recognised.
CREATE TABLE users (
    id         uuid PRIMARY KEY,
    email      text NOT NULL,
    created_at timestamptz NOT NULL,
    CONSTRAINT users_email_lower CHECK (email = lower(email))
);
CREATE UNIQUE INDEX users_email_key ON users (email);
GRANT SELECT, INSERT ON users TO countersign_service;

CREATE TABLE memberships (
    org_id     uuid NOT NULL REFERENCES orgs (id),
    user_id    uuid NOT NULL REFERENCES users (id),
    -- What this org calls them; what another org calls them is not its business.
    name       text NOT NULL,
    role       text NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (org_id, user_id),
    CONSTRAINT memberships_role CHECK (role IN ('member', 'admin', 'owner'))
);
CALL fence('memberships');
GRANT SELECT, INSERT, UPDATE (role), DELETE ON memberships TO countersign_service;

-- The key under which an org's values are sealed, itself wrapped by the operator's master key.
CREATE TABLE data_keys (
    org_id     uuid NOT NULL REFERENCES orgs (id),
    id         uuid NOT NULL,
    -- Which master key wrapped it; re-wrapping under a new master key changes these two columns only.
    master_key text NOT NULL,
    wrapped    bytea NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (org_id, id)
);
CALL fence('data_keys');
GRANT SELECT, INSERT, UPDATE (master_key, wrapped) ON data_keys TO countersign_service;

CREATE TABLE spaces (
    org_id             uuid NOT NULL REFERENCES orgs (id),
    id                 uuid NOT NULL,
    slug               text NOT NULL,
    name               text NOT NULL,
    risk_band          text NOT NULL,
    -- Whether credentials and personal data are taken out of parameters before they leave.
    outbound_redaction boolean NOT NULL DEFAULT false,
    created_at         timestamptz NOT NULL,
    PRIMARY KEY (org_id, id),
    CONSTRAINT spaces_slug_key UNIQUE (org_id, slug),
    CONSTRAINT spaces_slug_shape CHECK (slug ~ '^[a-z][a-z0-9-]{0,62}$'),
    CONSTRAINT spaces_risk_band CHECK (risk_band IN ('green', 'amber', 'red', 'black'))
);
CALL fence('spaces');
GRANT SELECT, INSERT, UPDATE (name, risk_band, outbound_redaction) ON spaces TO countersign_service;

CREATE TABLE api_tokens (
    org_id       uuid NOT NULL,
    id           uuid NOT NULL,
    user_id      uuid NOT NULL,
    name         text NOT NULL,
    -- The token itself is shown once and never stored. It has 178 bits of entropy, so a plain hash is enough.
    token_sha256 bytea NOT NULL,
    expires_at   timestamptz,
    revoked_at   timestamptz,
    last_used_at timestamptz,
    created_at   timestamptz NOT NULL,
    PRIMARY KEY (org_id, id),
    CONSTRAINT api_tokens_member_fkey FOREIGN KEY (org_id, user_id) REFERENCES memberships (org_id, user_id) ON DELETE CASCADE
);
-- Serves find_api_token: the caller is known by the hash alone.
CREATE UNIQUE INDEX api_tokens_token_key ON api_tokens (token_sha256);
CALL fence('api_tokens');
GRANT SELECT, INSERT, UPDATE (revoked_at, last_used_at) ON api_tokens TO countersign_service;

CREATE TABLE sessions (
    org_id        uuid NOT NULL,
    id            uuid NOT NULL,
    space_id      uuid NOT NULL,
    kind          text NOT NULL,
    -- Who works in it, as its creator named it: `triage-bot`.
    agent         text NOT NULL,
    title         text NOT NULL,
    -- What the session may do at most: `linear:read`, `linear:*`, `*`.
    capabilities  text[] NOT NULL,
    token_sha256  bytea NOT NULL,
    created_by    uuid NOT NULL,
    created_at    timestamptz NOT NULL,
    expires_at    timestamptz NOT NULL,
    ended_at      timestamptz,
    -- How many of its invocations wait for a person; the cap is a compare-and-set on this one row.
    pending_count integer NOT NULL DEFAULT 0,
    PRIMARY KEY (org_id, id),
    CONSTRAINT sessions_space_fkey FOREIGN KEY (org_id, space_id) REFERENCES spaces (org_id, id),
    CONSTRAINT sessions_created_by_fkey FOREIGN KEY (created_by) REFERENCES users (id),
    CONSTRAINT sessions_kind CHECK (kind IN ('interactive', 'unattended')),
    CONSTRAINT sessions_pending_count CHECK (pending_count >= 0)
);
-- Serves find_session_token.
CREATE UNIQUE INDEX sessions_token_key ON sessions (token_sha256);
CALL fence('sessions');
GRANT SELECT, INSERT, UPDATE (ended_at, pending_count) ON sessions TO countersign_service;

-- A value an org keeps with us. Written, replaced and deleted by people; read only at the moment of use.
CREATE TABLE secrets (
    org_id     uuid NOT NULL REFERENCES orgs (id),
    id         uuid NOT NULL,
    name       text NOT NULL,
    sealed     bytea NOT NULL,
    version    integer NOT NULL DEFAULT 1,
    set_by     uuid NOT NULL REFERENCES users (id),
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (org_id, id),
    CONSTRAINT secrets_name_key UNIQUE (org_id, name),
    CONSTRAINT secrets_name_shape CHECK (name ~ '^[A-Za-z][A-Za-z0-9_.-]{0,99}$')
);
CALL fence('secrets');
GRANT SELECT, INSERT, UPDATE (sealed, version, set_by, updated_at), DELETE ON secrets TO countersign_service;

-- An org's credential for a code-defined integration.
CREATE TABLE connections (
    org_id     uuid NOT NULL REFERENCES orgs (id),
    id         uuid NOT NULL,
    -- The slug of the source it opens: `linear`.
    provider   text NOT NULL,
    name       text NOT NULL,
    sealed     bytea NOT NULL,
    -- Rises with every new credential; part of what an approver's yes is bound to.
    version    integer NOT NULL DEFAULT 1,
    set_by     uuid NOT NULL REFERENCES users (id),
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (org_id, id),
    CONSTRAINT connections_provider_key UNIQUE (org_id, provider)
);
CALL fence('connections');
GRANT SELECT, INSERT, UPDATE (name, sealed, version, set_by, updated_at), DELETE ON connections TO countersign_service;

-- The sessions that are not ended, with the version of their org's policy. A decision is recorded by a statement that
-- looks here whether it may be, so that a cached fact can be stale for a moment but never acted upon. A view and not a
-- function: it becomes part of the statement's plan, where a function would be planned anew at each call.
CREATE VIEW standings WITH (security_invoker = true) AS
    SELECT sessions.org_id, sessions.id AS session_id, sessions.expires_at, orgs.policy_version
    FROM sessions JOIN orgs ON orgs.id = sessions.org_id
    WHERE sessions.ended_at IS NULL;
GRANT SELECT ON standings TO countersign_service;

-- Everything a decision is made from raises the version of its org, whoever changes it and however.
CREATE FUNCTION raise_policy_version() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    UPDATE orgs SET policy_version = policy_version + 1 WHERE id = coalesce(NEW.org_id, OLD.org_id);
    RETURN NULL;
END $$;
CREATE TRIGGER spaces_policy_version AFTER UPDATE OR DELETE ON spaces FOR EACH ROW EXECUTE FUNCTION raise_policy_version();
CREATE TRIGGER connections_policy_version AFTER INSERT OR UPDATE OR DELETE ON connections
    FOR EACH ROW EXECUTE FUNCTION raise_policy_version();

-- Keys that sign receipts. They belong to the deployment, not to an org: one public key set verifies them all.
CREATE TABLE signing_keys (
    -- The key id that stands in every signature: the start of the public key's SHA-256.
    keyid      text PRIMARY KEY,
    public_key bytea NOT NULL,
    -- The seed, wrapped by the operator's master key.
    master_key text NOT NULL,
    wrapped    bytea NOT NULL,
    not_before timestamptz NOT NULL,
    -- Set when a newer key took over: what was signed before stays valid, what is signed after does not.
    not_after  timestamptz,
    created_at timestamptz NOT NULL
);
GRANT SELECT, INSERT, UPDATE (not_after, master_key, wrapped) ON signing_keys TO countersign_service;

-- What must be read before the org is known. Functions of a role that sees these columns and nothing else.
CREATE POLICY lookup ON sessions FOR SELECT TO countersign_lookup USING (true);
GRANT SELECT (org_id, id, token_sha256) ON sessions TO countersign_lookup;
CREATE POLICY lookup ON api_tokens FOR SELECT TO countersign_lookup USING (true);
GRANT SELECT (org_id, id, token_sha256) ON api_tokens TO countersign_lookup;

CREATE FUNCTION find_session_token(hash bytea) RETURNS TABLE (org_id uuid, id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT s.org_id, s.id FROM sessions s WHERE s.token_sha256 = hash $$;

CREATE FUNCTION find_api_token(hash bytea) RETURNS TABLE (org_id uuid, id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT t.org_id, t.id FROM api_tokens t WHERE t.token_sha256 = hash $$;

GRANT CREATE ON SCHEMA public TO countersign_lookup;
ALTER FUNCTION find_session_token(bytea) OWNER TO countersign_lookup;
ALTER FUNCTION find_api_token(bytea) OWNER TO countersign_lookup;
REVOKE CREATE ON SCHEMA public FROM countersign_lookup;
REVOKE ALL ON FUNCTION find_session_token(bytea), find_api_token(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_session_token(bytea), find_api_token(bytea) TO countersign_service;
