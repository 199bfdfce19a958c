-- Conduct: what is stopped, and what is in a dry run. No row is normal conduct.
CREATE TABLE conducts (
    org_id  uuid NOT NULL REFERENCES orgs (id),
    -- `org`, `space`, `source`, `agent` or `automation`; and which one: an ID, a slug, a name, or nothing for the org.
    scope   text NOT NULL,
    subject text NOT NULL,
    -- What people call it.
    name    text NOT NULL,
    conduct text NOT NULL,
    reason  text NOT NULL,
    set_by  uuid,
    set_at  timestamptz NOT NULL,
    PRIMARY KEY (org_id, scope, subject),
    CONSTRAINT conducts_scope CHECK (scope IN ('org', 'space', 'source', 'agent', 'automation')),
    CONSTRAINT conducts_of_org CHECK ((scope = 'org') = (subject = '')),
    CONSTRAINT conducts_conduct CHECK (conduct IN ('dry_run', 'halted'))
);
CALL fence('conducts');
GRANT SELECT, INSERT, UPDATE, DELETE ON conducts TO countersign_service;
-- Claims are made under the version of the policy, so a stop makes those that were decided before it decide again.
CREATE TRIGGER conducts_policy_version AFTER INSERT OR UPDATE OR DELETE ON conducts
    FOR EACH ROW EXECUTE FUNCTION raise_policy_version();
