-- The deployment that this database belongs to, so that a restored or copied database is recognized before anything
-- happens again that already happened.
CREATE TABLE deployment (
    only_one          boolean PRIMARY KEY DEFAULT true,
    id                uuid NOT NULL DEFAULT gen_random_uuid(),
    -- The name that its gateways and workers have; none until the first of them started.
    name              text,
    -- Counts how often it was restored or copied.
    epoch             integer NOT NULL DEFAULT 1,
    -- Of the PostgreSQL cluster: which one it is, and which line of its history.
    system_identifier bigint,
    timeline          integer,
    -- Why nothing may happen until an operator says what happened, where the two above do not show it.
    held_because      text,
    CONSTRAINT deployment_only_one CHECK (only_one),
    CONSTRAINT deployment_known CHECK (num_nulls(name, system_identifier, timeline) IN (0, 3)),
    CONSTRAINT deployment_sizes CHECK (length(name) <= 100 AND length(held_because) <= 1000)
);
INSERT INTO deployment DEFAULT VALUES;
GRANT SELECT, UPDATE ON deployment TO countersign_service;

-- The line of history that the cluster writes now. It changes when a backup is restored and when a standby takes over.
CREATE FUNCTION current_timeline() RETURNS integer
    LANGUAGE sql STABLE SET search_path = pg_catalog
    AS $$ SELECT ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer $$;

-- How the deployment stands, for a process that has this name: `current`, `new`, or why nothing may happen.
CREATE FUNCTION deployment_state(called text) RETURNS text
    LANGUAGE sql STABLE SET search_path = pg_catalog, public
    AS $$
        SELECT CASE
            WHEN d.held_because IS NOT NULL THEN 'held'
            WHEN d.name IS NULL THEN 'new'
            -- The name first: a copy under another name is never taken for a failover.
            WHEN d.name <> called THEN 'another_name'
            WHEN d.system_identifier <> s.system_identifier THEN 'another_cluster'
            WHEN d.timeline <> current_timeline() THEN 'another_timeline'
            ELSE 'current'
        END
        FROM deployment d, pg_control_system() s
    $$;
REVOKE ALL ON FUNCTION current_timeline(), deployment_state(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION current_timeline(), deployment_state(text) TO countersign_service;

-- Moves every follower of the event log to its end: after a restore, what the events before led to has happened.
CREATE FUNCTION skip_events() RETURNS void
    LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
        UPDATE event_followers SET position = greatest(position, (SELECT coalesce(max(e.position), 0) FROM events e))
    $$;
GRANT SELECT (position), UPDATE (position) ON event_followers TO countersign_lookup;
GRANT CREATE ON SCHEMA public TO countersign_lookup;
ALTER FUNCTION skip_events() OWNER TO countersign_lookup;
REVOKE CREATE ON SCHEMA public FROM countersign_lookup;
REVOKE ALL ON FUNCTION skip_events() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION skip_events() TO countersign_service;

-- The log only grows, and goes on under another origin only in a later epoch.
CREATE OR REPLACE FUNCTION ledger_only_grows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.size < OLD.size OR NEW.position < OLD.position THEN
        RAISE EXCEPTION 'the ledger only grows' USING ERRCODE = 'check_violation';
    END IF;
    IF NEW.origin IS DISTINCT FROM coalesce(OLD.origin, NEW.origin) AND NOT coalesce((
        SELECT regexp_replace(NEW.origin, '/epoch-[0-9]+$', '') = regexp_replace(OLD.origin, '/epoch-[0-9]+$', '')
               AND substring(NEW.origin FROM '/epoch-([0-9]{1,9})$')::integer > d.epoch
        FROM deployment d), false) THEN
        RAISE EXCEPTION 'the ledger keeps its origin' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
