-- What gates ask for: the settings of each organization, and the consents of those whom actions are about.

CREATE TABLE org_gates (
    org_id     uuid NOT NULL PRIMARY KEY REFERENCES orgs (id),
    document   jsonb NOT NULL,
    -- Rises with each change. What it was before is in the change records.
    version    integer NOT NULL,
    set_by     uuid NOT NULL REFERENCES users (id),
    updated_at timestamptz NOT NULL,
    CONSTRAINT org_gates_size CHECK (octet_length(document::text) <= 262144)
);
CALL fence('org_gates');
GRANT SELECT, INSERT, UPDATE (document, version, set_by, updated_at) ON org_gates TO countersign_service;
CREATE TRIGGER org_gates_policy_version AFTER INSERT OR UPDATE OR DELETE ON org_gates
    FOR EACH ROW EXECUTE FUNCTION raise_policy_version();

-- Read by the claims of actions that need one, and no part of the policy version: giving one does not void what is decided.
CREATE TABLE consents (
    org_id     uuid NOT NULL REFERENCES orgs (id),
    id         uuid NOT NULL,
    purpose    text NOT NULL,
    -- A hash with the organization's key. Who it is is stored nowhere.
    subject    bytea NOT NULL,
    note       text NOT NULL,
    given_by   uuid NOT NULL REFERENCES users (id),
    created_at timestamptz NOT NULL,
    -- Never, if null.
    expires_at timestamptz,
    revoked_at timestamptz,
    PRIMARY KEY (org_id, id),
    CONSTRAINT consents_sizes CHECK (
        octet_length(purpose) <= 64 AND octet_length(subject) = 32 AND char_length(note) <= 200
    )
);
-- Serves claims, and the list of what somebody agreed to.
CREATE INDEX consents_subject_idx ON consents (org_id, subject, purpose);
CALL fence('consents');
-- Claims lock what they rely on FOR SHARE, which needs the right to update.
GRANT SELECT, INSERT, UPDATE (revoked_at) ON consents TO countersign_service;
