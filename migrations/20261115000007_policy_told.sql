-- Whoever shows an org's actions to somebody who is connected wants to know when policy changes: a client of MCP is told
-- to list its tools again. The payload is the org's id; it is told when the change is committed. Policy changes by hand,
-- so the lock that a notification takes at the commit is never waited for.
CREATE OR REPLACE FUNCTION raise_policy_version() RETURNS trigger
    LANGUAGE plpgsql AS $$
DECLARE
    org uuid := coalesce(NEW.org_id, OLD.org_id);
BEGIN
    UPDATE orgs SET policy_version = policy_version + 1 WHERE id = org;
    PERFORM pg_notify('countersign_policies', org::text);
    RETURN NULL;
END $$;

-- The same for a change of the catalog, which is one of policy too.
CREATE OR REPLACE FUNCTION raise_catalog_version() RETURNS trigger
    LANGUAGE plpgsql AS $$
DECLARE
    org uuid := coalesce(NEW.org_id, OLD.org_id);
BEGIN
    UPDATE orgs SET catalog_version = catalog_version + 1, policy_version = policy_version + 1 WHERE id = org;
    PERFORM pg_notify('countersign_policies', org::text);
    RETURN NULL;
END $$;
