-- Policies as text, and the facts about the past that they read.

ALTER TABLE orgs ADD COLUMN time_zone text NOT NULL DEFAULT 'UTC';
ALTER TABLE orgs ADD CONSTRAINT orgs_time_zone_size CHECK (octet_length(time_zone) BETWEEN 1 AND 64);
GRANT UPDATE (time_zone) ON orgs TO countersign_service;
-- The hours that policies see are those of this zone.
CREATE FUNCTION raise_own_policy_version() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    NEW.policy_version := OLD.policy_version + 1;
    RETURN NEW;
END $$;
CREATE TRIGGER orgs_time_zone BEFORE UPDATE OF time_zone ON orgs
    FOR EACH ROW WHEN (OLD.time_zone IS DISTINCT FROM NEW.time_zone) EXECUTE FUNCTION raise_own_policy_version();

CREATE TABLE policies (
    org_id          uuid NOT NULL REFERENCES orgs (id),
    id              uuid NOT NULL,
    -- The `@id` in its text.
    name            text NOT NULL,
    text            text NOT NULL,
    -- `enforced`, or `observing`: recorded and not applied.
    state           text NOT NULL,
    -- Rises with each change. What it was before is in the change records.
    version         integer NOT NULL,
    observing_since timestamptz,
    set_by          uuid NOT NULL REFERENCES users (id),
    created_at      timestamptz NOT NULL,
    updated_at      timestamptz NOT NULL,
    PRIMARY KEY (org_id, id),
    CONSTRAINT policies_name_key UNIQUE (org_id, name),
    CONSTRAINT policies_state CHECK (state IN ('enforced', 'observing')),
    CONSTRAINT policies_observing CHECK ((state = 'observing') = (observing_since IS NOT NULL)),
    CONSTRAINT policies_size CHECK (octet_length(text) <= 10240)
);
CALL fence('policies');
GRANT SELECT, INSERT, UPDATE (text, state, version, observing_since, set_by, updated_at), DELETE ON policies
    TO countersign_service;
CREATE TRIGGER policies_policy_version AFTER INSERT OR UPDATE OR DELETE ON policies
    FOR EACH ROW EXECUTE FUNCTION raise_policy_version();

CREATE TABLE facts (
    org_id     uuid NOT NULL REFERENCES orgs (id),
    id         uuid NOT NULL,
    name       text NOT NULL,
    definition jsonb NOT NULL,
    -- The states of an invocation in which it counts.
    statuses   text[] NOT NULL,
    -- From when on it has seen everything, and whether it was filled with what is older as far as that can be read.
    sees_since timestamptz NOT NULL,
    is_filled  boolean NOT NULL,
    -- The seconds of a slice of its window, by which its entries are added up. Null where nothing is added up: to know
    -- whether there was one, one entry is read.
    slice_s    integer,
    set_by     uuid NOT NULL REFERENCES users (id),
    created_at timestamptz NOT NULL,
    PRIMARY KEY (org_id, id),
    CONSTRAINT facts_name_key UNIQUE (org_id, name),
    CONSTRAINT facts_slice CHECK (slice_s > 0),
    CONSTRAINT facts_size CHECK (octet_length(definition::text) <= 16384)
);
CALL fence('facts');
GRANT SELECT, INSERT, UPDATE (sees_since, is_filled), DELETE ON facts TO countersign_service;
CREATE TRIGGER facts_policy_version AFTER INSERT OR DELETE ON facts
    FOR EACH ROW EXECUTE FUNCTION raise_policy_version();
-- Each page that a fact is filled with updates it, and only the last one matters to decisions.
CREATE TRIGGER facts_filled_policy_version AFTER UPDATE OF is_filled ON facts
    FOR EACH ROW WHEN (OLD.is_filled IS DISTINCT FROM NEW.is_filled) EXECUTE FUNCTION raise_policy_version();

-- What invocations contribute to facts: amounts and keyed hashes, and no value of a parameter. Not partitioned: only what
-- some fact names is here, for 31 days.
CREATE TABLE fact_entries (
    org_id        uuid NOT NULL,
    fact_id       uuid NOT NULL,
    -- The session, the automation or the space; nil for the organization.
    scope_id      uuid NOT NULL,
    invocation_id uuid NOT NULL,
    -- The part of a batch; 0 for a single action.
    part          smallint NOT NULL,
    -- When it happened. Infinity while it waits for a person: it keeps its share until it is answered.
    at            timestamptz NOT NULL,
    -- Whether the invocation is in one of the states in which the fact counts it.
    counts        boolean NOT NULL,
    amount        bigint NOT NULL,
    -- A hash of the value, for facts that tell values apart.
    value         bytea,
    -- A hash of the fields that must be the same; empty if there are none.
    same          bytea NOT NULL,
    -- Whether it is in fact_sums, or its fact needs no sums.
    summed        boolean NOT NULL,
    -- Serves the triggers below.
    PRIMARY KEY (org_id, invocation_id, fact_id, part),
    CONSTRAINT fact_entries_hashes CHECK (octet_length(value) = 32 AND octet_length(same) IN (0, 32))
);
-- Serves reading the edge of a window, and whether there was one at all.
CREATE INDEX fact_entries_window_idx ON fact_entries (org_id, fact_id, scope_id, same, at)
    INCLUDE (amount, value, invocation_id) WHERE counts;
-- Serves reading what is not added up yet, and adding it up.
CREATE INDEX fact_entries_unsummed_idx ON fact_entries (org_id, fact_id, scope_id, same, at)
    INCLUDE (amount, value, invocation_id) WHERE counts AND NOT summed;
-- Serves purge_fact_entries.
CREATE INDEX fact_entries_at_idx ON fact_entries (at);
CALL fence('fact_entries');
GRANT SELECT, INSERT, UPDATE (counts, at, summed), DELETE ON fact_entries TO countersign_service;

-- What entries add up to, by slices of the window of their fact: a decision adds slices, and reads single entries only at the
-- edge of the window and where they are not added up yet. Rows are never changed. What ends otherwise after it was added up
-- is taken back by a row of its own, so that no two requests wait for the same row; adding up merges rows.
CREATE TABLE fact_sums (
    org_id   uuid NOT NULL,
    fact_id  uuid NOT NULL,
    scope_id uuid NOT NULL,
    same     bytea NOT NULL,
    -- When the slice begins.
    at       timestamptz NOT NULL,
    -- A hash of the value, for facts that tell values apart; empty for others.
    value    bytea NOT NULL,
    entries  bigint NOT NULL,
    amount   numeric NOT NULL
);
-- Serves reading the values of facts, and merging.
CREATE INDEX fact_sums_window_idx ON fact_sums (org_id, fact_id, scope_id, same, at) INCLUDE (value, entries, amount);
-- Serves purge_fact_entries.
CREATE INDEX fact_sums_at_idx ON fact_sums (at);
CALL fence('fact_sums');
GRANT SELECT, INSERT, DELETE ON fact_sums TO countersign_service;
-- Only what waits is deleted by itself, and that is never added up.
CREATE FUNCTION take_back_sum() RETURNS trigger
    LANGUAGE plpgsql AS $$
DECLARE
    slice interval := (
        SELECT make_interval(secs => slice_s) FROM facts f WHERE f.org_id = OLD.org_id AND f.id = OLD.fact_id
    );
BEGIN
    IF slice IS NULL THEN
        RETURN NEW;
    END IF;
    IF OLD.counts THEN
        INSERT INTO fact_sums (org_id, fact_id, scope_id, same, at, value, entries, amount)
        VALUES (OLD.org_id, OLD.fact_id, OLD.scope_id, OLD.same, date_bin(slice, OLD.at, 'epoch'),
                coalesce(OLD.value, ''), -1, -OLD.amount);
    END IF;
    NEW.summed := false;
    RETURN NEW;
END $$;
CREATE TRIGGER fact_entries_summed BEFORE UPDATE OF counts, at ON fact_entries
    FOR EACH ROW WHEN (OLD.summed AND (OLD.counts <> NEW.counts OR OLD.at <> NEW.at)) EXECUTE FUNCTION take_back_sum();

-- Whether facts have entries of it. With a row that has none, the trigger costs nothing.
ALTER TABLE invocations ADD COLUMN counted boolean NOT NULL DEFAULT false;
GRANT UPDATE (counted) ON invocations TO countersign_service;
-- The state in which facts count an invocation. What failed although it may have happened counts as if it were under way: a
-- batch of which parts could not be undone, and an effect that was refuted and could not be undone. A batch that was undone
-- counts as one that failed: what it read was read.
CREATE FUNCTION counted_status(status text, source text, error jsonb) RETURNS text
    LANGUAGE sql IMMUTABLE AS $$
        SELECT CASE
            WHEN status = 'failed' AND error -> 'sent' = 'true' AND (source = 'batch' OR error ->> 'class' = 'unverified')
                THEN 'executing'
            WHEN status = 'reverted' AND source = 'batch' THEN 'failed'
            ELSE status
        END
    $$;
-- In the database, because there are many ways from one state to another, and none may forget it.
CREATE FUNCTION count_again() RETURNS trigger
    LANGUAGE plpgsql AS $$
DECLARE
    state text := counted_status(NEW.status, NEW.source, NEW.error);
    waits boolean := NEW.status IN ('pending', 'approved');
    waited boolean := OLD.status IN ('pending', 'approved');
BEGIN
    UPDATE fact_entries e SET
        counts = state = ANY (f.statuses),
        at = CASE
            WHEN waits THEN 'infinity'
            WHEN waited THEN coalesce(NEW.started_at, NEW.finished_at, now())
            ELSE e.at
        END
    FROM facts f
    WHERE e.org_id = NEW.org_id AND e.invocation_id = NEW.id AND f.org_id = e.org_id AND f.id = e.fact_id
      AND (waits OR waited OR e.counts <> (state = ANY (f.statuses)));
    RETURN NULL;
END $$;
CREATE TRIGGER invocations_counted AFTER UPDATE OF status ON invocations
    FOR EACH ROW WHEN (NEW.counted AND OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION count_again();
-- Serves reports of policies that observe.
CREATE INDEX invocations_policies_idx ON invocations (org_id, id) WHERE decision ? 'policies';

-- Requests with the mode that is expected of them. They are no authority: they only keep a policy from being saved.
CREATE TABLE policy_cases (
    org_id     uuid NOT NULL REFERENCES orgs (id),
    name       text NOT NULL,
    definition jsonb NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (org_id, name),
    CONSTRAINT policy_cases_size CHECK (octet_length(definition::text) <= 65536)
);
CALL fence('policy_cases');
GRANT SELECT, INSERT, UPDATE (definition, updated_at), DELETE ON policy_cases TO countersign_service;

-- Across orgs, for house-keeping.
CREATE POLICY lookup ON facts FOR SELECT TO countersign_lookup USING (true);
GRANT SELECT (org_id, id, is_filled) ON facts TO countersign_lookup;
CREATE POLICY purge ON fact_entries TO countersign_lookup USING (true);
GRANT SELECT (org_id, fact_id, at), DELETE ON fact_entries TO countersign_lookup;
CREATE POLICY purge ON fact_sums TO countersign_lookup USING (true);
GRANT SELECT (at), DELETE ON fact_sums TO countersign_lookup;

CREATE FUNCTION unfilled_facts(most integer) RETURNS TABLE (org_id uuid, id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT f.org_id, f.id FROM facts f WHERE NOT f.is_filled ORDER BY f.id LIMIT most $$;
-- Those of a fact that was deleted are read by nobody and go like all others; what waited then would stay.
CREATE FUNCTION purge_fact_entries(before timestamptz) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
        WITH gone AS (
            DELETE FROM fact_entries e WHERE e.at < before OR e.at = 'infinity' AND NOT EXISTS (
                SELECT FROM facts f WHERE f.org_id = e.org_id AND f.id = e.fact_id
            ) RETURNING 1
        ), gone_sums AS (
            DELETE FROM fact_sums s WHERE s.at < before
        )
        SELECT count(*) FROM gone
    $$;
GRANT CREATE ON SCHEMA public TO countersign_lookup;
ALTER FUNCTION unfilled_facts(integer) OWNER TO countersign_lookup;
ALTER FUNCTION purge_fact_entries(timestamptz) OWNER TO countersign_lookup;
REVOKE CREATE ON SCHEMA public FROM countersign_lookup;
REVOKE ALL ON FUNCTION unfilled_facts(integer), purge_fact_entries(timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION unfilled_facts(integer), purge_fact_entries(timestamptz) TO countersign_service;
