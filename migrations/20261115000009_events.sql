-- Telling: the order of events, who has followed them how far, and groups of consumers with what they hold.

-- Where an event stands in the log. It is drawn while its transaction holds whatever it changed, so of two facts about
-- one thing the later has the greater number, and of two transactions one after the other the second has. It does not
-- follow that the smaller is committed first: the relay waits until nobody can commit a smaller one any more. For that
-- a transaction must have its own number before it draws one of these, which is what CASE is for: it is evaluated in order.
CREATE SEQUENCE event_positions;
GRANT USAGE, SELECT ON SEQUENCE event_positions TO countersign_service;

ALTER TABLE events
    ADD COLUMN position     bigint NOT NULL
        DEFAULT CASE WHEN pg_current_xact_id() IS NOT NULL THEN nextval('event_positions') END,
    -- Who tells it: ourselves, or the application that published it, with the name that the application gave it.
    ADD COLUMN source       text NOT NULL DEFAULT '/countersign',
    ADD COLUMN source_id    text,
    -- How many events one after the other led to this one, and the automations on the way: what ends loops.
    ADD COLUMN depth        smallint NOT NULL DEFAULT 0,
    ADD COLUMN origin_chain text[] NOT NULL DEFAULT '{}';
-- Serves events_after, for the relay.
CREATE INDEX events_position_idx ON events (position);
-- Serves reading one org's log.
CREATE INDEX events_org_position_idx ON events (org_id, position);

-- What applications published, so that telling us twice is telling once. Kept as long as events are.
CREATE TABLE published_events (
    org_id       uuid NOT NULL,
    source       text NOT NULL,
    source_id    text NOT NULL,
    event_id     uuid NOT NULL,
    -- Of all that was published: the same name with other content is a mistake to be told.
    sha256       bytea NOT NULL,
    published_at timestamptz NOT NULL,
    PRIMARY KEY (org_id, source, source_id)
);
CALL fence('published_events');
GRANT SELECT, INSERT ON published_events TO countersign_service;
-- Serves drop_events.
CREATE INDEX published_events_at_idx ON published_events (published_at);

-- Who reads the log of all orgs from end to end, and how far: the relay first, and those who follow it. One process at a
-- time holds each; when it is silent for the length of its lease, another takes over.
CREATE TABLE event_followers (
    name        text PRIMARY KEY,
    position    bigint NOT NULL DEFAULT 0,
    holder      uuid,
    lease_until timestamptz NOT NULL DEFAULT '-infinity'
);
GRANT SELECT, UPDATE (position, holder, lease_until) ON event_followers TO countersign_service;
INSERT INTO event_followers (name) VALUES ('relay');

-- Which events stand in a stretch of the log, across orgs: ids alone. What they say is read inside the fence of their org.
CREATE FUNCTION events_after(after bigint, upto bigint, most integer)
    RETURNS TABLE (org_id uuid, id uuid, "position" bigint)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
        SELECT e.org_id, e.id, e.position FROM events e
        WHERE e.position > after AND e.position <= upto
        ORDER BY e.position LIMIT most
    $$;
CREATE POLICY lookup ON events FOR SELECT TO countersign_lookup USING (true);
GRANT SELECT (org_id, id, position) ON events TO countersign_lookup;
CREATE POLICY purge ON published_events TO countersign_lookup USING (true);
GRANT SELECT (published_at), DELETE ON published_events TO countersign_lookup;

CREATE FUNCTION purge_published_events(before timestamptz) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
        WITH gone AS (DELETE FROM published_events WHERE published_at < before RETURNING 1)
        SELECT count(*) FROM gone
    $$;
GRANT CREATE ON SCHEMA public TO countersign_lookup;
ALTER FUNCTION events_after(bigint, bigint, integer) OWNER TO countersign_lookup;
ALTER FUNCTION purge_published_events(timestamptz) OWNER TO countersign_lookup;
REVOKE CREATE ON SCHEMA public FROM countersign_lookup;
REVOKE ALL ON FUNCTION events_after(bigint, bigint, integer), purge_published_events(timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION events_after(bigint, bigint, integer), purge_published_events(timestamptz)
    TO countersign_service;

-- Drops the days of events that ended before a moment, if all who follow the log have passed them; says how many. Runs as
-- the owner, like ensure_partitions. What fell into no day stays: it is little, and dropping rows one by one is not.
CREATE FUNCTION drop_events(before timestamptz) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE
    dropped integer := 0;
    day     record;
    newest  bigint;
BEGIN
    FOR day IN
        SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
        WHERE i.inhparent = 'public.events'::regclass AND c.relname ~ '^events_[0-9]{8}$'
          AND to_date(right(c.relname, 8), 'YYYYMMDD') + 1 <= (before AT TIME ZONE 'UTC')::date
        ORDER BY 1
    LOOP
        EXECUTE format('SELECT max(position) FROM public.%I', day.relname) INTO newest;
        CONTINUE WHEN newest > (SELECT min(f.position) FROM public.event_followers f);
        EXECUTE format('DROP TABLE public.%I', day.relname);
        dropped := dropped + 1;
    END LOOP;
    RETURN dropped;
END $$;
REVOKE ALL ON FUNCTION drop_events(timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION drop_events(timestamptz) TO countersign_service;

-- A named group of consumers. What was handed out and is not acknowledged has a row in group_entries.
CREATE TABLE event_groups (
    org_id        uuid NOT NULL REFERENCES orgs (id),
    name          text NOT NULL,
    -- Everything up to here was handed out, or did not meet the filter.
    position      bigint NOT NULL,
    filter        jsonb,
    ack_timeout_s integer NOT NULL,
    max_attempts  smallint NOT NULL,
    created_at    timestamptz NOT NULL,
    PRIMARY KEY (org_id, name),
    CONSTRAINT event_groups_name_shape CHECK (name ~ '^[a-z][a-z0-9-]{0,62}$')
);
CALL fence('event_groups');
GRANT SELECT, INSERT, UPDATE (position, filter, ack_timeout_s, max_attempts), DELETE ON event_groups
    TO countersign_service;

CREATE TABLE group_entries (
    org_id     uuid NOT NULL,
    group_name text NOT NULL,
    position   bigint NOT NULL,
    event_id   uuid NOT NULL,
    -- Who has it, since the attempt that is counted last; nobody when it was handed back.
    consumer   text NOT NULL,
    attempts   smallint NOT NULL,
    -- When it is handed out again unless it is acknowledged before.
    due_at     timestamptz NOT NULL,
    -- Since when it is a dead letter: not handed out any more.
    dead_at    timestamptz,
    error      text,
    PRIMARY KEY (org_id, group_name, position),
    CONSTRAINT group_entries_group_fkey FOREIGN KEY (org_id, group_name)
        REFERENCES event_groups (org_id, name) ON DELETE CASCADE
);
-- Serves handing out again.
CREATE INDEX group_entries_due_idx ON group_entries (org_id, group_name, due_at) WHERE dead_at IS NULL;
-- Serves acknowledging.
CREATE INDEX group_entries_event_idx ON group_entries (org_id, group_name, event_id);
CALL fence('group_entries');
GRANT SELECT, INSERT, UPDATE, DELETE ON group_entries TO countersign_service;
