-- Nobody is two people: members join by invitation, programs have accounts without a vote, and a vote says how its
-- person was signed in.

ALTER TABLE memberships
    -- A person, or a program: it has tokens and no vote.
    ADD COLUMN kind text NOT NULL DEFAULT 'person',
    -- Who let them in, raised their role, or made them a new link, and when. For a day the two count as one person.
    ADD COLUMN vouched_by uuid REFERENCES users (id),
    ADD COLUMN vouched_at timestamptz,
    ADD CONSTRAINT memberships_kind CHECK (kind = 'person' OR kind = 'service' AND role <> 'owner');
GRANT UPDATE (vouched_by, vouched_at) ON memberships TO countersign_service;

-- A link with which one person joins, once.
CREATE TABLE invitations (
    org_id       uuid NOT NULL REFERENCES orgs (id),
    id           uuid NOT NULL,
    email        text NOT NULL,
    name         text NOT NULL,
    role         text NOT NULL,
    token_sha256 bytea NOT NULL,
    -- NULL: the operator.
    invited_by   uuid REFERENCES users (id),
    created_at   timestamptz NOT NULL,
    expires_at   timestamptz NOT NULL,
    accepted_by  uuid REFERENCES users (id),
    accepted_at  timestamptz,
    withdrawn_at timestamptz,
    PRIMARY KEY (org_id, id),
    CONSTRAINT invitations_role CHECK (role IN ('member', 'admin', 'owner')),
    CONSTRAINT invitations_email CHECK (email = lower(email))
);
-- Serves find_invitation: who joins is known by the hash alone.
CREATE UNIQUE INDEX invitations_token_key ON invitations (token_sha256);
-- Serves invitations_of, and one person has one open invitation to an org.
CREATE UNIQUE INDEX invitations_open_key ON invitations (email, org_id) WHERE accepted_at IS NULL AND withdrawn_at IS NULL;
CALL fence('invitations');
GRANT SELECT, INSERT, UPDATE (token_sha256, expires_at, accepted_by, accepted_at, withdrawn_at) ON invitations
    TO countersign_service;

-- Asked before the org is known: by the link, and by the address that an identity provider has verified.
CREATE POLICY lookup ON invitations FOR SELECT TO countersign_lookup USING (true);
GRANT SELECT (org_id, id, token_sha256, email, expires_at, accepted_at, withdrawn_at) ON invitations
    TO countersign_lookup;
CREATE FUNCTION find_invitation(hash bytea) RETURNS TABLE (org_id uuid, id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT i.org_id, i.id FROM invitations i WHERE i.token_sha256 = hash $$;
CREATE FUNCTION invitations_of(address text, at timestamptz) RETURNS TABLE (org_id uuid, id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
        SELECT i.org_id, i.id FROM invitations i
        WHERE i.email = address AND i.accepted_at IS NULL AND i.withdrawn_at IS NULL AND i.expires_at > at LIMIT 100
    $$;
-- Asked by the operator, who knows an org by its slug.
CREATE FUNCTION find_org(wanted text) RETURNS uuid
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT o.id FROM orgs o WHERE o.slug = wanted $$;
GRANT CREATE ON SCHEMA public TO countersign_lookup;
ALTER FUNCTION find_org(text) OWNER TO countersign_lookup;
ALTER FUNCTION find_invitation(bytea) OWNER TO countersign_lookup;
ALTER FUNCTION invitations_of(text, timestamptz) OWNER TO countersign_lookup;
REVOKE CREATE ON SCHEMA public FROM countersign_lookup;
REVOKE ALL ON FUNCTION find_org(text), find_invitation(bytea), invitations_of(text, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_org(text), find_invitation(bytea), invitations_of(text, timestamptz)
    TO countersign_service;

ALTER TABLE api_tokens
    -- Whether it was made when its person joined: for a short time it can add a first passkey.
    ADD COLUMN joined boolean NOT NULL DEFAULT false,
    -- When a passkey last confirmed who is signed in.
    ADD COLUMN confirmed_at timestamptz;
GRANT UPDATE (confirmed_at) ON api_tokens TO countersign_service;

-- The token with which a person opened it: when that one is revoked, the session ends.
ALTER TABLE sessions ADD COLUMN opened_with uuid;

-- Until another approver confirms it, a first passkey that was not added when its person joined signs nothing.
ALTER TABLE passkeys
    ADD COLUMN confirmed_at timestamptz,
    ADD COLUMN confirmed_by uuid REFERENCES users (id);
-- The owner of the table sees no rows while row-level security is forced.
ALTER TABLE passkeys NO FORCE ROW LEVEL SECURITY;
UPDATE passkeys SET confirmed_at = created_at;
ALTER TABLE passkeys FORCE ROW LEVEL SECURITY;
-- A point of P-256, uncompressed, or an RSA key of up to 4096 bits as DER.
ALTER TABLE passkeys DROP CONSTRAINT passkeys_sizes;
ALTER TABLE passkeys ADD CONSTRAINT passkeys_sizes CHECK (
    octet_length(credential) BETWEEN 1 AND 1023 AND octet_length(public_key) BETWEEN 65 AND 550
    AND length(name) BETWEEN 1 AND 60
);
GRANT UPDATE (confirmed_at, confirmed_by) ON passkeys TO countersign_service;

-- How the person who voted was signed in: by what, and since when.
ALTER TABLE approvals
    ADD COLUMN token_id uuid,
    ADD COLUMN method text,
    ADD COLUMN signed_in_at timestamptz;
