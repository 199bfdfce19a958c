-- How a person's browser is signed in, and who an identity provider says they are.

-- A browser's sign-in is a token that lives in a cookie and opens nothing else. It is listed and revoked like any other.
ALTER TABLE api_tokens
    -- How the browser was signed in: with a token, or by the identity provider. NULL for what is not a browser.
    ADD COLUMN browser text,
    -- The token it was signed in with: when that one ends, so does this.
    ADD COLUMN from_token uuid,
    ADD CONSTRAINT api_tokens_browser CHECK (browser IN ('token', 'identity')),
    ADD CONSTRAINT api_tokens_from CHECK ((browser IS NOT DISTINCT FROM 'token') = (from_token IS NOT NULL)),
    ADD CONSTRAINT api_tokens_from_fkey FOREIGN KEY (org_id, from_token) REFERENCES api_tokens (org_id, id) ON DELETE CASCADE;

-- Who the identity provider knows by which name. An address may be given to somebody else there; this name may not.
CREATE TABLE identities (
    issuer     text NOT NULL,
    subject    text NOT NULL,
    user_id    uuid NOT NULL REFERENCES users (id),
    created_at timestamptz NOT NULL,
    PRIMARY KEY (issuer, subject),
    CONSTRAINT identities_user_key UNIQUE (issuer, user_id)
);
GRANT SELECT, INSERT ON identities TO countersign_service;

-- Asked before the org is known, and to go on in another one: where somebody belongs.
CREATE POLICY lookup ON memberships FOR SELECT TO countersign_lookup USING (true);
GRANT SELECT (org_id, user_id, role) ON memberships TO countersign_lookup;
CREATE POLICY lookup ON orgs FOR SELECT TO countersign_lookup USING (true);
GRANT SELECT (id, slug, name) ON orgs TO countersign_lookup;

CREATE FUNCTION orgs_of(person uuid) RETURNS TABLE (org_id uuid, slug text, name text, role text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
        SELECT o.id, o.slug, o.name, m.role FROM memberships m JOIN orgs o ON o.id = m.org_id
        WHERE m.user_id = person ORDER BY o.slug LIMIT 100
    $$;
-- Serves orgs_of.
CREATE INDEX memberships_user_idx ON memberships (user_id);

GRANT CREATE ON SCHEMA public TO countersign_lookup;
ALTER FUNCTION orgs_of(uuid) OWNER TO countersign_lookup;
REVOKE CREATE ON SCHEMA public FROM countersign_lookup;
REVOKE ALL ON FUNCTION orgs_of(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION orgs_of(uuid) TO countersign_service;

-- What an org calls a member may change.
GRANT UPDATE (name) ON memberships TO countersign_service;
