-- May it be done: the modes people set.

CREATE TABLE rules (
    org_id        uuid NOT NULL REFERENCES orgs (id),
    id            uuid NOT NULL,
    scope         text NOT NULL,
    -- Which automation, for rules of that scope.
    automation_id uuid,
    -- A source and an action, or `*` for every action of a source, or `*` for both.
    source        text NOT NULL,
    action        text NOT NULL,
    mode          text NOT NULL,
    reason        text NOT NULL,
    set_by        uuid NOT NULL REFERENCES users (id),
    created_at    timestamptz NOT NULL,
    updated_at    timestamptz NOT NULL,
    PRIMARY KEY (org_id, id),
    -- One rule per scope and key: a second one would make the answer depend on the order of rows.
    CONSTRAINT rules_key UNIQUE NULLS NOT DISTINCT (org_id, scope, automation_id, source, action),
    CONSTRAINT rules_scope CHECK (scope IN ('org', 'automation') AND (scope = 'automation') = (automation_id IS NOT NULL)),
    CONSTRAINT rules_wildcard CHECK (source <> '*' OR action = '*'),
    CONSTRAINT rules_mode CHECK (mode IN ('allow', 'require_approval', 'deny'))
);
CALL fence('rules');
GRANT SELECT, INSERT, UPDATE (mode, reason, set_by, updated_at), DELETE ON rules TO countersign_service;
CREATE TRIGGER rules_policy_version AFTER INSERT OR UPDATE OR DELETE ON rules
    FOR EACH ROW EXECUTE FUNCTION raise_policy_version();
