-- The log of receipts: order, hashes, signed checkpoints, and what is left of a receipt whose body was erased.

-- In which order receipts and erasures come into the log. Drawn like event_positions, and read like them: only as far as
-- nobody can commit a smaller one any more.
CREATE SEQUENCE ledger_positions;
GRANT USAGE, SELECT ON SEQUENCE ledger_positions TO countersign_service;

ALTER TABLE receipts
    ADD COLUMN position   bigint NOT NULL
        DEFAULT CASE WHEN pg_current_xact_id() IS NOT NULL THEN nextval('ledger_positions') END,
    -- What the log will hold of it, and what that is made with. Receipts older than the log have neither.
    ADD COLUMN commitment bytea,
    ADD COLUMN seed       bytea,
    -- What is left when the body was erased: the facts, their salt, and the hashes of the rest.
    ADD COLUMN kept       jsonb,
    ALTER COLUMN payload DROP NOT NULL,
    ALTER COLUMN signature DROP NOT NULL,
    ADD CONSTRAINT receipts_erased CHECK (
        (kept IS NULL AND payload IS NOT NULL AND signature IS NOT NULL)
        OR (kept IS NOT NULL AND payload IS NULL AND signature IS NULL AND seed IS NULL)
    );
-- Serves ledger_after, for the sequencer.
CREATE INDEX receipts_position_idx ON receipts (position);

-- That the body of a receipt was erased, until and after the log says so.
CREATE TABLE erasures (
    org_id     uuid NOT NULL,
    receipt_id uuid NOT NULL,
    position   bigint NOT NULL
        DEFAULT CASE WHEN pg_current_xact_id() IS NOT NULL THEN nextval('ledger_positions') END,
    erased_at  timestamptz NOT NULL,
    PRIMARY KEY (org_id, receipt_id)
) PARTITION BY RANGE (receipt_id);
CREATE TABLE erasures_default PARTITION OF erasures DEFAULT;
CALL fence('erasures');
GRANT SELECT ON erasures TO countersign_service;
-- Serves ledger_after.
CREATE INDEX erasures_position_idx ON erasures (position);

-- The state of the log, in one row. Whoever holds the row continues the log; nobody else can, so it cannot fork.
CREATE TABLE ledger_head (
    id         boolean PRIMARY KEY DEFAULT true,
    -- Its name: given with its first key, for good.
    origin     text,
    size       bigint NOT NULL DEFAULT 0,
    -- Everything up to here is in the log.
    position   bigint NOT NULL DEFAULT 0,
    -- The newest checkpoint, and when it was signed.
    checkpoint text,
    signed_at  timestamptz NOT NULL DEFAULT '-infinity',
    CONSTRAINT ledger_head_one CHECK (id)
);
INSERT INTO ledger_head DEFAULT VALUES;
GRANT SELECT, UPDATE (origin, size, position, checkpoint, signed_at) ON ledger_head TO countersign_service;

-- It only ever grows.
CREATE FUNCTION ledger_only_grows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.size < OLD.size OR NEW.position < OLD.position OR NEW.origin IS DISTINCT FROM coalesce(OLD.origin, NEW.origin) THEN
        RAISE EXCEPTION 'the ledger only grows' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER ledger_head_grows BEFORE UPDATE ON ledger_head FOR EACH ROW EXECUTE FUNCTION ledger_only_grows();

-- Hashes of the log, 256 side by side. They tell nothing of what they are hashes of, so they belong to nobody.
CREATE TABLE ledger_tiles (
    level  smallint NOT NULL,
    index  bigint NOT NULL,
    hashes bytea NOT NULL,
    PRIMARY KEY (level, index),
    CONSTRAINT ledger_tiles_width CHECK (length(hashes) BETWEEN 32 AND 8192 AND length(hashes) % 32 = 0)
);
GRANT SELECT, INSERT, UPDATE (hashes) ON ledger_tiles TO countersign_service;

-- A hash that is there stays there.
CREATE FUNCTION tile_only_grows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF substr(NEW.hashes, 1, length(OLD.hashes)) <> OLD.hashes THEN
        RAISE EXCEPTION 'the ledger only grows' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER ledger_tiles_grow BEFORE UPDATE ON ledger_tiles FOR EACH ROW EXECUTE FUNCTION tile_only_grows();

-- One checkpoint a minute, for good: against them anyone can hold what the log says now.
CREATE TABLE ledger_checkpoints (
    signed_at  timestamptz PRIMARY KEY,
    size       bigint NOT NULL,
    checkpoint text NOT NULL
);
GRANT SELECT, INSERT ON ledger_checkpoints TO countersign_service;

-- Where the log says that a key begins and that it has ended.
CREATE TABLE ledger_keys (
    keyid       text PRIMARY KEY REFERENCES signing_keys (keyid),
    begun_index bigint NOT NULL,
    begun_at    timestamptz NOT NULL,
    ended_index bigint,
    ended_at    timestamptz
);
GRANT SELECT, INSERT, UPDATE (ended_index, ended_at) ON ledger_keys TO countersign_service;

-- What the log holds of each org. The bytes of an entry are made from its row.
CREATE TABLE ledger_entries (
    org_id     uuid NOT NULL,
    -- The receipt. An erasure has the same, so both are found together.
    receipt_id uuid NOT NULL,
    kind       text NOT NULL,
    -- The place among the org's entries, from 1 without a gap; and the place in the log, from 0.
    number     bigint NOT NULL,
    index      bigint NOT NULL,
    keyid      text,
    commitment bytea,
    logged_at  timestamptz NOT NULL,
    PRIMARY KEY (org_id, receipt_id, kind),
    CONSTRAINT ledger_entries_kind CHECK (
        (kind = 'receipt' AND keyid IS NOT NULL AND commitment IS NOT NULL)
        OR (kind = 'erasure' AND keyid IS NULL AND commitment IS NULL)
    )
) PARTITION BY RANGE (receipt_id);
-- Serves reading an org's entries in their order.
CREATE INDEX ledger_entries_number_idx ON ledger_entries (org_id, number);
CALL fence('ledger_entries');
GRANT SELECT ON ledger_entries TO countersign_service;
CREATE TABLE ledger_entries_default PARTITION OF ledger_entries DEFAULT;

-- How many entries each org has.
CREATE TABLE ledger_orgs (
    org_id uuid PRIMARY KEY REFERENCES orgs (id),
    size   bigint NOT NULL
);
CALL fence('ledger_orgs');
GRANT SELECT ON ledger_orgs TO countersign_service;

-- How long an org keeps the bodies of its receipts.
ALTER TABLE orgs ADD COLUMN receipts_kept_days integer NOT NULL DEFAULT 180,
    ADD CONSTRAINT orgs_receipts_kept CHECK (receipts_kept_days BETWEEN 1 AND 36500);
GRANT UPDATE (receipts_kept_days) ON orgs TO countersign_service;

-- As before, with the tables of the ledger that grow with receipts.
CREATE OR REPLACE FUNCTION ensure_partitions(around timestamptz) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE
    made   integer := 0;
    parent text;
    unit   text;
    ahead  integer;
    lower  timestamptz;
    child  text;
BEGIN
    FOR parent, unit, ahead IN
        VALUES ('invocations', 'month', 2), ('attempts', 'month', 2), ('receipts', 'month', 2), ('events', 'day', 14),
            ('ledger_entries', 'month', 2), ('erasures', 'month', 2)
    LOOP
        FOR step IN 0..ahead LOOP
            lower := date_trunc(unit, around, 'UTC') + make_interval(
                months => CASE unit WHEN 'month' THEN step ELSE 0 END,
                days => CASE unit WHEN 'day' THEN step ELSE 0 END
            );
            child := parent || '_' || to_char(lower AT TIME ZONE 'UTC', CASE unit WHEN 'month' THEN 'YYYYMM' ELSE 'YYYYMMDD' END);
            CONTINUE WHEN to_regclass('public.' || child) IS NOT NULL;
            EXECUTE format(
                'CREATE TABLE public.%I PARTITION OF public.%I FOR VALUES FROM (%L) TO (%L)',
                child, parent, uuid_at(lower), uuid_at(lower + ('1 ' || unit)::interval)
            );
            made := made + 1;
        END LOOP;
    END LOOP;
    RETURN made;
END $$;
SELECT ensure_partitions(now());

-- What comes next into the log, across orgs: names, keys and commitments, and nothing of what the receipts say.
CREATE POLICY lookup ON receipts FOR SELECT TO countersign_lookup USING (true);
GRANT SELECT (org_id, id, position, keyid, commitment) ON receipts TO countersign_lookup;
CREATE POLICY lookup ON erasures FOR SELECT TO countersign_lookup USING (true);
GRANT SELECT (org_id, receipt_id, position) ON erasures TO countersign_lookup;
CREATE FUNCTION ledger_after(after bigint, upto bigint, most integer)
    RETURNS TABLE (org_id uuid, receipt_id uuid, "position" bigint, keyid text, commitment bytea)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
        SELECT * FROM (
            (SELECT r.org_id, r.id, r.position, r.keyid, r.commitment FROM receipts r
             WHERE r.position > after AND r.position <= upto AND r.commitment IS NOT NULL
             ORDER BY r.position LIMIT most)
            UNION ALL
            (SELECT e.org_id, e.receipt_id, e.position, NULL, NULL FROM erasures e
             WHERE e.position > after AND e.position <= upto
             ORDER BY e.position LIMIT most)
        ) AS waiting (org_id, receipt_id, "position", keyid, commitment)
        ORDER BY 3 LIMIT most
    $$;

-- Writes a batch of entries of any orgs, and gives each its number. Only whoever continues the log has use for it.
CREATE POLICY lookup ON ledger_entries TO countersign_lookup USING (true) WITH CHECK (true);
GRANT SELECT (org_id, receipt_id, kind),
    INSERT (org_id, receipt_id, kind, number, index, keyid, commitment, logged_at) ON ledger_entries TO countersign_lookup;
CREATE POLICY lookup ON ledger_orgs TO countersign_lookup USING (true) WITH CHECK (true);
GRANT SELECT (org_id, size), INSERT (org_id, size), UPDATE (size) ON ledger_orgs TO countersign_lookup;
CREATE FUNCTION ledger_sizes(orgs uuid[]) RETURNS TABLE (org_id uuid, size bigint)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT o.org_id, o.size FROM ledger_orgs o WHERE o.org_id = ANY (orgs) $$;
CREATE FUNCTION ledger_write(
    orgs uuid[], receipts uuid[], numbers bigint[], indexes bigint[], keyids text[], commitments bytea[], at timestamptz
) RETURNS void
    LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
        INSERT INTO ledger_entries (org_id, receipt_id, kind, number, index, keyid, commitment, logged_at)
        SELECT e.org_id, e.receipt_id, CASE WHEN e.keyid IS NULL THEN 'erasure' ELSE 'receipt' END,
            e.number, e.index, e.keyid, e.commitment, at
        FROM unnest(orgs, receipts, numbers, indexes, keyids, commitments)
            AS e (org_id, receipt_id, number, index, keyid, commitment);
        INSERT INTO ledger_orgs AS o (org_id, size)
        SELECT e.org_id, max(e.number) FROM unnest(orgs, numbers) AS e (org_id, number) GROUP BY 1
        ON CONFLICT (org_id) DO UPDATE SET size = excluded.size WHERE excluded.size > o.size;
    $$;

GRANT CREATE ON SCHEMA public TO countersign_lookup;
ALTER FUNCTION ledger_after(bigint, bigint, integer) OWNER TO countersign_lookup;
ALTER FUNCTION ledger_sizes(uuid[]) OWNER TO countersign_lookup;
ALTER FUNCTION ledger_write(uuid[], uuid[], bigint[], bigint[], text[], bytea[], timestamptz) OWNER TO countersign_lookup;
REVOKE CREATE ON SCHEMA public FROM countersign_lookup;
REVOKE ALL ON FUNCTION ledger_after(bigint, bigint, integer), ledger_sizes(uuid[]),
    ledger_write(uuid[], uuid[], bigint[], bigint[], text[], bytea[], timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger_after(bigint, bigint, integer), ledger_sizes(uuid[]),
    ledger_write(uuid[], uuid[], bigint[], bigint[], text[], bytea[], timestamptz) TO countersign_service;

CREATE FUNCTION receipt_periods() RETURNS TABLE (org_id uuid, days integer)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT o.id, o.receipts_kept_days FROM orgs o $$;
GRANT SELECT (receipts_kept_days) ON orgs TO countersign_lookup;
GRANT CREATE ON SCHEMA public TO countersign_lookup;
ALTER FUNCTION receipt_periods() OWNER TO countersign_lookup;
REVOKE CREATE ON SCHEMA public FROM countersign_lookup;
REVOKE ALL ON FUNCTION receipt_periods() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION receipt_periods() TO countersign_service;

-- Erases the body of a receipt whose time is over, and notes that it did. The time is looked up here, so that no code
-- of the service can erase a body before its org would have it erased. Says whether there was one to erase.
CREATE FUNCTION erase_receipt(org uuid, receipt uuid, left_over jsonb, at timestamptz) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
BEGIN
    UPDATE receipts r SET payload = NULL, signature = NULL, seed = NULL, kept = left_over
    FROM orgs o
    WHERE r.org_id = org AND r.id = receipt
      AND o.id = org AND org = current_org()
      AND r.finished_at < least(at, now()) - make_interval(days => o.receipts_kept_days)
      AND EXISTS (SELECT FROM ledger_entries e WHERE e.org_id = org AND e.receipt_id = receipt AND e.kind = 'receipt')
      AND NOT EXISTS (SELECT FROM erasures e WHERE e.org_id = org AND e.receipt_id = receipt);
    IF NOT FOUND THEN RETURN false; END IF;
    INSERT INTO erasures (org_id, receipt_id, erased_at) VALUES (org, receipt, at);
    RETURN true;
END $$;
CREATE POLICY erase ON receipts FOR UPDATE TO countersign_lookup USING (true) WITH CHECK (true);
GRANT SELECT (finished_at), UPDATE (payload, signature, seed, kept) ON receipts TO countersign_lookup;
CREATE POLICY erase ON erasures FOR INSERT TO countersign_lookup WITH CHECK (true);
GRANT INSERT (org_id, receipt_id, erased_at) ON erasures TO countersign_lookup;
GRANT USAGE ON SEQUENCE ledger_positions TO countersign_lookup;
GRANT CREATE ON SCHEMA public TO countersign_lookup;
ALTER FUNCTION erase_receipt(uuid, uuid, jsonb, timestamptz) OWNER TO countersign_lookup;
REVOKE CREATE ON SCHEMA public FROM countersign_lookup;
REVOKE ALL ON FUNCTION erase_receipt(uuid, uuid, jsonb, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION erase_receipt(uuid, uuid, jsonb, timestamptz) TO countersign_service;
