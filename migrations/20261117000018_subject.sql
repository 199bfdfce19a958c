-- An approval is bound to everything that happens: the destination, the row of the credential, and who proposes it.

-- What the question was, part by part, so that a part that changed can be named. Only for what waits for a person.
ALTER TABLE invocations ADD COLUMN subject jsonb;
-- The step of an automation it comes from: the version, and the hash of the step's action and configuration.
ALTER TABLE invocations ADD COLUMN step jsonb;
-- What changed when it was asked again, in words.
ALTER TABLE invocations ADD COLUMN changed text[] NOT NULL DEFAULT '{}';
-- A question whose subject changed is asked again, as it is now.
GRANT UPDATE (
    subject, shown_digest, changed, decision, mode, mode_source, definition_hash, risk, effect, expires_at
) ON invocations TO countersign_service;
-- Only while it waits: what was decided and asked about something that is over stays as it is.
CREATE FUNCTION refuse_change() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'invocation % no longer waits', OLD.id USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER invocations_asked
    BEFORE UPDATE OF subject, shown_digest, changed, decision, mode, mode_source, definition_hash, risk, effect
    ON invocations FOR EACH ROW
    WHEN (OLD.status NOT IN ('pending', 'approved') AND (
        OLD.subject, OLD.shown_digest, OLD.changed, OLD.decision, OLD.mode, OLD.mode_source, OLD.definition_hash,
        OLD.risk, OLD.effect
    ) IS DISTINCT FROM (
        NEW.subject, NEW.shown_digest, NEW.changed, NEW.decision, NEW.mode, NEW.mode_source, NEW.definition_hash,
        NEW.risk, NEW.effect
    ))
    EXECUTE FUNCTION refuse_change();

-- Which subject a vote was for; absent for votes of version 0.1, which were for what was shown. When a question is asked
-- again, the same person may answer again, and earlier votes no longer count.
ALTER TABLE approvals ADD COLUMN subject_digest bytea;
ALTER TABLE approvals DROP CONSTRAINT approvals_vote_key;
-- A person votes once on a subject: a quorum is a number of people.
CREATE UNIQUE INDEX approvals_vote_key
    ON approvals (org_id, invocation_id, user_id, coalesce(subject_digest, shown_digest));

-- The address and authentication of a connector in one text: a review counts only while they are those that the
-- reviewer saw.
CREATE FUNCTION connector_destination(connector connectors) RETURNS text
    LANGUAGE sql IMMUTABLE
    RETURN concat_ws(' ', connector.kind, connector.place, connector.base_url, connector.auth, connector.auth_header,
                     connector.auth_secret);
ALTER TABLE connector_tools ADD COLUMN reviewed_destination text;
GRANT UPDATE (reviewed_destination) ON connector_tools TO countersign_service;
-- The owner of the tables sees no rows while row-level security is forced.
ALTER TABLE connectors NO FORCE ROW LEVEL SECURITY;
ALTER TABLE connector_tools NO FORCE ROW LEVEL SECURITY;
UPDATE connector_tools t SET reviewed_destination = connector_destination(c)
    FROM connectors c WHERE c.org_id = t.org_id AND c.id = t.connector_id AND t.reviewed IS NOT NULL;
ALTER TABLE connectors FORCE ROW LEVEL SECURITY;
ALTER TABLE connector_tools FORCE ROW LEVEL SECURITY;

-- Where a secret may be sent: by which source, to which origin. Nothing else may use it.
CREATE TABLE secret_audiences (
    org_id     uuid NOT NULL,
    secret_id  uuid NOT NULL,
    source     text NOT NULL,
    -- Scheme, host and port.
    origin     text NOT NULL,
    -- Absent for those that were in use before secrets had an audience.
    allowed_by uuid REFERENCES users (id),
    allowed_at timestamptz NOT NULL,
    PRIMARY KEY (org_id, secret_id, source, origin),
    CONSTRAINT secret_audiences_secret_fkey FOREIGN KEY (org_id, secret_id)
        REFERENCES secrets (org_id, id) ON DELETE CASCADE
);
CALL fence('secret_audiences');
GRANT SELECT, INSERT, DELETE ON secret_audiences TO countersign_service;
CREATE TRIGGER secret_audiences_policy_version AFTER INSERT OR DELETE ON secret_audiences
    FOR EACH ROW EXECUTE FUNCTION raise_policy_version();
ALTER TABLE secrets NO FORCE ROW LEVEL SECURITY;
ALTER TABLE connectors NO FORCE ROW LEVEL SECURITY;
ALTER TABLE orgs NO FORCE ROW LEVEL SECURITY;
ALTER TABLE secret_audiences NO FORCE ROW LEVEL SECURITY;
INSERT INTO secret_audiences (org_id, secret_id, source, origin, allowed_at)
    SELECT s.org_id, s.id, c.slug, substring(coalesce(c.base_url, c.place) FROM '^[a-z]+://[^/?#]+'), now()
    FROM connectors c JOIN secrets s ON s.org_id = c.org_id AND s.name = c.auth_secret
    WHERE c.kind <> 'stdio'
    ON CONFLICT DO NOTHING;
ALTER TABLE secrets FORCE ROW LEVEL SECURITY;
ALTER TABLE connectors FORCE ROW LEVEL SECURITY;
ALTER TABLE orgs FORCE ROW LEVEL SECURITY;
ALTER TABLE secret_audiences FORCE ROW LEVEL SECURITY;

-- The person who started the run of a session, if a person did: they are one of those who propose what it asks for.
ALTER TABLE sessions ADD COLUMN started_by uuid REFERENCES users (id);
