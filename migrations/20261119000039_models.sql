-- Language models: the providers of an organization, and the stored bytes of prompts and replies.

CREATE TABLE model_providers (
    org_id          uuid NOT NULL REFERENCES orgs (id),
    id              uuid NOT NULL,
    -- The second part of its address, `model.<slug>`. Never changes.
    slug            text NOT NULL,
    wire            text NOT NULL,
    base_url        text NOT NULL,
    -- How calls are authenticated: by a secret of the org, named here and resolved at each call.
    auth            text NOT NULL,
    auth_header     text,
    auth_secret     text,
    -- Names, sizes and own prices of its models.
    models          jsonb NOT NULL,
    -- How the server differs from others of its wire.
    quirks          jsonb NOT NULL,
    -- Whether data that is not public may be sent to it.
    may_see_private boolean NOT NULL,
    -- Whether its tokens cost nothing.
    is_free         boolean NOT NULL,
    enabled         boolean NOT NULL,
    -- What it could do when it was saved.
    probed          jsonb,
    created_by      uuid NOT NULL REFERENCES users (id),
    created_at      timestamptz NOT NULL,
    PRIMARY KEY (org_id, id),
    CONSTRAINT model_providers_slug_key UNIQUE (org_id, slug),
    CONSTRAINT model_providers_slug_shape CHECK (slug ~ '^[a-z][a-z0-9_-]{0,63}$'),
    CONSTRAINT model_providers_wire CHECK (wire IN ('anthropic_messages', 'openai_chat', 'openai_responses')),
    CONSTRAINT model_providers_auth CHECK (
        auth IN ('none', 'bearer', 'header')
        AND (auth = 'header') = (auth_header IS NOT NULL)
        AND (auth = 'none') = (auth_secret IS NULL)
    ),
    CONSTRAINT model_providers_size CHECK (octet_length(models::text) <= 65536 AND octet_length(base_url) <= 2048)
);
CALL fence('model_providers');
GRANT SELECT, INSERT,
    UPDATE (wire, base_url, auth, auth_header, auth_secret, models, quirks, may_see_private, is_free, enabled, probed), DELETE
    ON model_providers TO countersign_service;
CREATE TRIGGER model_providers_catalog_version AFTER INSERT OR DELETE ON model_providers
    FOR EACH ROW EXECUTE FUNCTION raise_catalog_version();
-- That it was probed again changes nothing that a decision is made from, but the words in which it is asked are kept with it.
CREATE TRIGGER model_providers_catalog_version_changed AFTER UPDATE ON model_providers FOR EACH ROW
    WHEN ((OLD.wire, OLD.base_url, OLD.auth, OLD.auth_header, OLD.auth_secret, OLD.models, OLD.quirks, OLD.may_see_private,
           OLD.is_free, OLD.enabled)
        IS DISTINCT FROM (NEW.wire, NEW.base_url, NEW.auth, NEW.auth_header, NEW.auth_secret, NEW.models, NEW.quirks,
           NEW.may_see_private, NEW.is_free, NEW.enabled))
    EXECUTE FUNCTION raise_catalog_version();

-- Parts of prompts, and replies, each once and encrypted. They are named by the digest of their bytes.
CREATE TABLE payloads (
    org_id     uuid NOT NULL REFERENCES orgs (id),
    id         uuid NOT NULL,
    digest     bytea NOT NULL,
    sealed     bytea NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (org_id, id),
    -- Serves finding and storing them.
    CONSTRAINT payloads_digest_key UNIQUE (org_id, digest),
    CONSTRAINT payloads_digest_size CHECK (octet_length(digest) = 32),
    CONSTRAINT payloads_size CHECK (octet_length(sealed) <= 8 * 1024 * 1024 + 1024)
);
-- Serves purge_payloads.
CREATE INDEX payloads_expires_at_idx ON payloads (expires_at);
CALL fence('payloads');
GRANT SELECT, INSERT, UPDATE (sealed, expires_at), DELETE ON payloads TO countersign_service;
CREATE POLICY purge ON payloads TO countersign_lookup USING (true);
GRANT SELECT (expires_at), DELETE ON payloads TO countersign_lookup;

CREATE FUNCTION purge_payloads(before timestamptz) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
        WITH gone AS (DELETE FROM payloads p WHERE p.expires_at < before RETURNING 1)
        SELECT count(*) FROM gone
    $$;
GRANT CREATE ON SCHEMA public TO countersign_lookup;
ALTER FUNCTION purge_payloads(timestamptz) OWNER TO countersign_lookup;
REVOKE CREATE ON SCHEMA public FROM countersign_lookup;
REVOKE ALL ON FUNCTION purge_payloads(timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION purge_payloads(timestamptz) TO countersign_service;
