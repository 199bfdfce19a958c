-- What else can be done: the servers an org has connected, and each of their tools, as last seen and as reviewed.

-- Rises with every change to an org's connectors and their tools, so that what is compiled from them is kept as long as
-- they stay the same, whatever else changes in the policy.
ALTER TABLE orgs ADD COLUMN catalog_version bigint NOT NULL DEFAULT 1;
GRANT UPDATE (catalog_version) ON orgs TO countersign_service;

CREATE FUNCTION raise_catalog_version() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    UPDATE orgs SET catalog_version = catalog_version + 1, policy_version = policy_version + 1
    WHERE id = coalesce(NEW.org_id, OLD.org_id);
    RETURN NULL;
END $$;

CREATE TABLE connectors (
    org_id            uuid NOT NULL REFERENCES orgs (id),
    id                uuid NOT NULL,
    -- The first half of every address of its tools. Never changes.
    slug              text NOT NULL,
    kind              text NOT NULL,
    -- Where the server is; for `openapi` where its document is; for `stdio` the name of a command the operator declared.
    place             text NOT NULL,
    -- For `openapi`: where the operations are called, if not where the document says.
    base_url          text,
    -- How calls are authenticated: by a secret of the org, named here and resolved at each call.
    auth              text NOT NULL,
    auth_header       text,
    auth_secret       text,
    enabled           boolean NOT NULL DEFAULT true,
    -- What it called itself when it was last asked.
    server            text,
    last_harvested_at timestamptz,
    -- Why the last harvest failed; its tools stay as they were last seen.
    last_error        text,
    created_by        uuid NOT NULL REFERENCES users (id),
    created_at        timestamptz NOT NULL,
    PRIMARY KEY (org_id, id),
    CONSTRAINT connectors_slug_key UNIQUE (org_id, slug),
    CONSTRAINT connectors_slug_shape CHECK (slug ~ '^[a-z][a-z0-9_-]{0,63}$'),
    CONSTRAINT connectors_kind CHECK (kind IN ('mcp', 'stdio', 'openapi')),
    CONSTRAINT connectors_auth CHECK (
        auth IN ('none', 'bearer', 'header', 'oauth')
        AND (auth = 'header') = (auth_header IS NOT NULL)
        AND (auth = 'none') = (auth_secret IS NULL)
    )
);
CALL fence('connectors');
GRANT SELECT, INSERT, UPDATE (place, base_url, auth, auth_header, auth_secret, enabled, server, last_harvested_at, last_error), DELETE
    ON connectors TO countersign_service;
CREATE TRIGGER connectors_catalog_version AFTER INSERT OR DELETE ON connectors
    FOR EACH ROW EXECUTE FUNCTION raise_catalog_version();
-- That it was harvested again changes nothing; that it began or ceased to fail changes what people are shown.
CREATE TRIGGER connectors_catalog_version_changed AFTER UPDATE ON connectors FOR EACH ROW
    WHEN ((OLD.place, OLD.base_url, OLD.auth, OLD.auth_header, OLD.auth_secret, OLD.enabled, OLD.last_error)
        IS DISTINCT FROM (NEW.place, NEW.base_url, NEW.auth, NEW.auth_header, NEW.auth_secret, NEW.enabled, NEW.last_error))
    EXECUTE FUNCTION raise_catalog_version();

CREATE TABLE connector_tools (
    org_id         uuid NOT NULL,
    connector_id   uuid NOT NULL,
    -- As the server calls it.
    name           text NOT NULL,
    -- The second half of its address; NULL for a tool that cannot have one.
    action         text,
    -- Why it cannot be called at all: a schema that is a bomb, a name that looks like another one.
    unusable       text,
    -- What the server says of it: words, schemas, annotations, and for `openapi` the request it becomes.
    offer          jsonb NOT NULL,
    -- Over what matters to a call; decides about drift. And over every word.
    shape_hash     text NOT NULL,
    text_hash      text NOT NULL,
    first_seen_at  timestamptz NOT NULL,
    -- When the server stopped listing it.
    gone_at        timestamptz,
    -- What a person accepted, whole. Agents are shown this and nothing newer.
    reviewed       jsonb,
    reviewed_shape text,
    reviewed_text  text,
    reviewed_by    uuid REFERENCES users (id),
    reviewed_at    timestamptz,
    -- What people say of it, whatever the server says.
    risk           text,
    effect         text,
    note           text NOT NULL DEFAULT '',
    PRIMARY KEY (org_id, connector_id, name),
    CONSTRAINT connector_tools_connector_fkey FOREIGN KEY (org_id, connector_id)
        REFERENCES connectors (org_id, id) ON DELETE CASCADE,
    CONSTRAINT connector_tools_action_key UNIQUE (org_id, connector_id, action),
    CONSTRAINT connector_tools_usable CHECK ((action IS NULL) = (unusable IS NOT NULL)),
    CONSTRAINT connector_tools_reviewed CHECK (
        (reviewed IS NULL) = (reviewed_shape IS NULL) AND (reviewed IS NULL) = (reviewed_text IS NULL)
        AND (reviewed IS NULL) = (reviewed_by IS NULL) AND (reviewed IS NULL) = (reviewed_at IS NULL)
    ),
    CONSTRAINT connector_tools_risk CHECK (risk IN ('R0', 'R1', 'R2', 'R3', 'R4')),
    CONSTRAINT connector_tools_effect CHECK (effect IN ('read', 'keyed', 'checkable', 'once'))
);
CALL fence('connector_tools');
GRANT SELECT, INSERT, DELETE,
    UPDATE (action, unusable, offer, shape_hash, text_hash, gone_at, reviewed, reviewed_shape, reviewed_text, reviewed_by, reviewed_at, risk, effect, note)
    ON connector_tools TO countersign_service;
CREATE TRIGGER connector_tools_catalog_version AFTER INSERT OR DELETE ON connector_tools
    FOR EACH ROW EXECUTE FUNCTION raise_catalog_version();
CREATE TRIGGER connector_tools_catalog_version_changed AFTER UPDATE ON connector_tools FOR EACH ROW
    WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION raise_catalog_version();

-- A connector's credential is a secret: a new one is another subject of a decision.
CREATE TRIGGER secrets_policy_version AFTER INSERT OR UPDATE OF version OR DELETE ON secrets
    FOR EACH ROW EXECUTE FUNCTION raise_policy_version();

-- Serves overdue_harvests, across orgs: which connectors were not asked since then.
CREATE FUNCTION overdue_harvests(before timestamptz, most integer) RETURNS TABLE (org_id uuid, id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
        SELECT c.org_id, c.id FROM connectors c
        WHERE c.enabled AND (c.last_harvested_at IS NULL OR c.last_harvested_at < before)
        ORDER BY c.last_harvested_at NULLS FIRST LIMIT most
    $$;
CREATE POLICY lookup ON connectors FOR SELECT TO countersign_lookup USING (true);
GRANT SELECT (org_id, id, enabled, last_harvested_at) ON connectors TO countersign_lookup;
GRANT CREATE ON SCHEMA public TO countersign_lookup;
ALTER FUNCTION overdue_harvests(timestamptz, integer) OWNER TO countersign_lookup;
REVOKE CREATE ON SCHEMA public FROM countersign_lookup;
REVOKE ALL ON FUNCTION overdue_harvests(timestamptz, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION overdue_harvests(timestamptz, integer) TO countersign_service;
