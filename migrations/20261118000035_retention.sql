-- Retention: with the body of a receipt goes everything else that the organization holds of a call. A shorter period holds
-- after a week, and nothing is erased during a legal hold. The database sees to both, so no code of the service can erase
-- anything earlier.

ALTER TABLE orgs
    -- While a shorter period waits: the longer one that still holds, and until when.
    ADD COLUMN receipts_kept_days_before integer,
    ADD COLUMN receipts_shorter_at timestamptz,
    ADD COLUMN legal_hold boolean NOT NULL DEFAULT false,
    -- When an org of an earlier version was brought to this one; its owners and admins are told once what changed.
    ADD COLUMN upgraded_at timestamptz DEFAULT now();
ALTER TABLE orgs ALTER COLUMN upgraded_at DROP DEFAULT;
GRANT UPDATE (legal_hold) ON orgs TO countersign_service;
GRANT SELECT (receipts_kept_days_before, receipts_shorter_at, legal_hold) ON orgs TO countersign_lookup;

CREATE FUNCTION delay_shorter_retention() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    waits boolean := coalesce(OLD.receipts_shorter_at > now(), false);
    held integer := CASE WHEN waits THEN OLD.receipts_kept_days_before ELSE OLD.receipts_kept_days END;
BEGIN
    IF NEW.receipts_kept_days >= held THEN
        NEW.receipts_kept_days_before := NULL;
        NEW.receipts_shorter_at := NULL;
    ELSIF NOT waits OR NEW.receipts_kept_days < OLD.receipts_kept_days THEN
        NEW.receipts_kept_days_before := held;
        NEW.receipts_shorter_at := now() + interval '7 days';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER orgs_shorter_retention BEFORE UPDATE OF receipts_kept_days ON orgs
    FOR EACH ROW WHEN (OLD.receipts_kept_days IS DISTINCT FROM NEW.receipts_kept_days)
    EXECUTE FUNCTION delay_shorter_retention();

-- How many days an org keeps what it can erase; NULL during a legal hold.
CREATE FUNCTION kept_days(org uuid) RETURNS integer LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN receipts_shorter_at > now() THEN receipts_kept_days_before ELSE receipts_kept_days END
    FROM orgs WHERE id = org AND NOT legal_hold
$$;
CREATE OR REPLACE FUNCTION receipt_periods() RETURNS TABLE (org_id uuid, days integer)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT o.id, kept_days(o.id) FROM orgs o $$;

ALTER TABLE invocations ADD COLUMN erased_at timestamptz;
ALTER TABLE runs ADD COLUMN erased_at timestamptz;
-- Serves erase_overdue.
CREATE INDEX runs_unerased_idx ON runs (org_id, finished_at) WHERE finished_at IS NOT NULL AND erased_at IS NULL;
CREATE INDEX group_entries_dead_idx ON group_entries (org_id, dead_at) WHERE dead_at IS NOT NULL;

-- What was asked about something that is over stays as it is, until it is erased.
DROP TRIGGER invocations_asked ON invocations;
CREATE TRIGGER invocations_asked
    BEFORE UPDATE OF subject, shown_digest, changed, decision, mode, mode_source, definition_hash, risk, effect
    ON invocations FOR EACH ROW
    WHEN (OLD.status NOT IN ('pending', 'approved') AND NEW.erased_at IS NOT DISTINCT FROM OLD.erased_at AND (
        OLD.subject, OLD.shown_digest, OLD.changed, OLD.decision, OLD.mode, OLD.mode_source, OLD.definition_hash,
        OLD.risk, OLD.effect
    ) IS DISTINCT FROM (
        NEW.subject, NEW.shown_digest, NEW.changed, NEW.decision, NEW.mode, NEW.mode_source, NEW.definition_hash,
        NEW.risk, NEW.effect
    ))
    EXECUTE FUNCTION refuse_change();
DROP TRIGGER invocations_edited ON invocations;
CREATE TRIGGER invocations_edited
    BEFORE UPDATE OF params, edits ON invocations FOR EACH ROW
    WHEN (OLD.status NOT IN ('pending', 'approved') AND NEW.erased_at IS NOT DISTINCT FROM OLD.erased_at
        AND (OLD.params, OLD.edits) IS DISTINCT FROM (NEW.params, NEW.edits))
    EXECUTE FUNCTION refuse_change();

-- Serves may_erase_call.
CREATE INDEX run_steps_invocation_idx ON run_steps (org_id, invocation_id) WHERE invocation_id IS NOT NULL;

-- Whether nobody needs what the tables hold of a call any more: its outcome is known, its last receipt is not kept either, and
-- no run that is under way or that is kept could use its result.
CREATE FUNCTION may_erase_call(org uuid, call uuid, before timestamptz) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT NOT EXISTS (
            SELECT FROM invocations i LEFT JOIN receipts q ON q.org_id = i.org_id AND q.id = i.receipt_id
            WHERE i.org_id = org AND i.id = call AND (i.status = 'unknown' OR q.finished_at >= before)
        )
        AND NOT EXISTS (
            SELECT FROM run_steps s JOIN runs r ON r.org_id = s.org_id AND r.id = s.run_id
            WHERE s.org_id = org AND s.invocation_id = call AND (r.finished_at IS NULL OR r.finished_at >= before)
        )
$$;

-- As before, and with the body goes what the tables hold of the same call.
CREATE OR REPLACE FUNCTION erase_receipt(org uuid, receipt uuid, left_over jsonb, at timestamptz) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE call uuid;
BEGIN
    UPDATE receipts r SET payload = NULL, signature = NULL, seed = NULL, kept = left_over
    WHERE r.org_id = org AND r.id = receipt AND org = current_org()
      AND r.finished_at < least(at, now()) - make_interval(days => kept_days(org))
      AND may_erase_call(org, r.invocation_id, least(at, now()) - make_interval(days => kept_days(org)))
      AND EXISTS (SELECT FROM ledger_entries e WHERE e.org_id = org AND e.receipt_id = receipt AND e.kind = 'receipt')
      AND NOT EXISTS (SELECT FROM erasures e WHERE e.org_id = org AND e.receipt_id = receipt)
    RETURNING r.invocation_id INTO call;
    IF NOT FOUND THEN RETURN false; END IF;
    INSERT INTO erasures (org_id, receipt_id, erased_at) VALUES (org, receipt, at);
    UPDATE invocations i SET
        params = '{}', result = NULL, edits = '[]', changed = '{}', reason = '', subject = NULL, released = NULL,
        error = NULL, erased_at = at
    WHERE i.org_id = org AND i.id = call;
    UPDATE attempts a SET message = '' WHERE a.org_id = org AND a.invocation_id = call;
    UPDATE approvals a SET note = '' WHERE a.org_id = org AND a.invocation_id = call;
    DELETE FROM shown_documents d WHERE d.org_id = org AND d.invocation_id = call;
    RETURN true;
END $$;
CREATE POLICY erase ON invocations FOR UPDATE TO countersign_lookup
    USING (org_id = current_org()) WITH CHECK (org_id = current_org());
GRANT UPDATE (params, result, edits, changed, reason, subject, released, error, erased_at) ON invocations
    TO countersign_lookup;
CREATE POLICY erase ON attempts TO countersign_lookup
    USING (org_id = current_org()) WITH CHECK (org_id = current_org());
GRANT SELECT (org_id, invocation_id), UPDATE (message) ON attempts TO countersign_lookup;
CREATE POLICY erase ON approvals TO countersign_lookup
    USING (org_id = current_org()) WITH CHECK (org_id = current_org());
GRANT SELECT (org_id, invocation_id), UPDATE (note) ON approvals TO countersign_lookup;
GRANT SELECT (org_id, invocation_id), DELETE ON shown_documents TO countersign_lookup;
GRANT SELECT (invocation_id) ON receipts TO countersign_lookup;
GRANT SELECT (receipt_id) ON invocations TO countersign_lookup;

-- Erases what runs and dead letters hold and is older than the org keeps it. Says how many of them.
CREATE FUNCTION erase_overdue(org uuid, at timestamptz, most integer) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
    WITH
        cut AS (SELECT least(at, now()) - make_interval(days => kept_days(org)) AS moment WHERE org = current_org()),
        over AS (
            SELECT r.id FROM runs r, cut
            WHERE r.org_id = org AND r.finished_at < cut.moment AND r.erased_at IS NULL
            ORDER BY r.finished_at LIMIT most
        ),
        runs_done AS (
            UPDATE runs r SET inputs = '{}', inputs_sealed = NULL, error = NULL, erased_at = at
            FROM over WHERE r.org_id = org AND r.id = over.id RETURNING 1
        ),
        steps_done AS (
            UPDATE run_steps s SET error = NULL FROM over WHERE s.org_id = org AND s.run_id = over.id RETURNING 1
        ),
        dead_over AS (
            SELECT g.group_name, g.position FROM group_entries g, cut
            WHERE g.org_id = org AND g.dead_at < cut.moment LIMIT most
        ),
        dead AS (
            DELETE FROM group_entries g USING dead_over d
            WHERE g.org_id = org AND g.group_name = d.group_name AND g.position = d.position RETURNING 1
        )
    SELECT (SELECT count(*) FROM runs_done) + (SELECT count(*) FROM dead)
$$;
CREATE POLICY erase ON runs FOR UPDATE TO countersign_lookup
    USING (org_id = current_org()) WITH CHECK (org_id = current_org());
GRANT SELECT (org_id, id, finished_at, erased_at), UPDATE (inputs, inputs_sealed, erased_at, error) ON runs
    TO countersign_lookup;
CREATE POLICY erase ON run_steps TO countersign_lookup
    USING (org_id = current_org()) WITH CHECK (org_id = current_org());
GRANT SELECT (org_id, run_id), UPDATE (error) ON run_steps TO countersign_lookup;
GRANT SELECT (invocation_id) ON run_steps TO countersign_lookup;
CREATE POLICY erase ON group_entries TO countersign_lookup USING (org_id = current_org());
GRANT SELECT (org_id, group_name, position, dead_at), DELETE ON group_entries TO countersign_lookup;
GRANT CREATE ON SCHEMA public TO countersign_lookup;
ALTER FUNCTION erase_overdue(uuid, timestamptz, integer) OWNER TO countersign_lookup;
REVOKE CREATE ON SCHEMA public FROM countersign_lookup;
REVOKE ALL ON FUNCTION erase_overdue(uuid, timestamptz, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION erase_overdue(uuid, timestamptz, integer) TO countersign_service;

-- As before, but not during a legal hold.
CREATE OR REPLACE FUNCTION purge_runs(before timestamptz, now timestamptz, most integer) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
        WITH faded AS (DELETE FROM run_traces WHERE expires_at < now),
        old AS (
            SELECT r.org_id, r.id FROM runs r
            WHERE r.finished_at < before AND r.id < uuid_at(before) AND kept_days(r.org_id) IS NOT NULL LIMIT most
        ),
        gone AS (DELETE FROM runs r USING old WHERE r.org_id = old.org_id AND r.id = old.id RETURNING 1)
        SELECT count(*) FROM gone
    $$;

CREATE OR REPLACE FUNCTION purge_shown_documents(before timestamptz) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
        WITH gone AS (
            DELETE FROM shown_documents d
            WHERE d.shown_at < before AND kept_days(d.org_id) IS NOT NULL AND NOT EXISTS (
                SELECT 1 FROM invocations i
                WHERE i.org_id = d.org_id AND i.id = d.invocation_id AND i.status IN ('pending', 'approved', 'executing', 'unknown')
            )
            RETURNING 1
        ), revealed AS (
            DELETE FROM revealed_values d
            WHERE d.revealed_at < before AND kept_days(d.org_id) IS NOT NULL AND NOT EXISTS (
                SELECT 1 FROM invocations i
                WHERE i.org_id = d.org_id AND i.id = d.invocation_id AND i.status IN ('pending', 'approved', 'executing', 'unknown')
            )
        ), seen AS (
            DELETE FROM seen_documents d
            WHERE d.seen_at < before AND kept_days(d.org_id) IS NOT NULL AND NOT EXISTS (
                SELECT 1 FROM invocations i
                WHERE i.org_id = d.org_id AND i.id = d.invocation_id AND i.status IN ('pending', 'approved', 'executing', 'unknown')
            )
        )
        SELECT count(*) FROM gone
    $$;

-- Bodies that were erased before this: now the rest of these calls. The owner of the tables sees no rows while row-level
-- security is forced.
ALTER TABLE invocations NO FORCE ROW LEVEL SECURITY;
ALTER TABLE attempts NO FORCE ROW LEVEL SECURITY;
ALTER TABLE shown_documents NO FORCE ROW LEVEL SECURITY;
ALTER TABLE approvals NO FORCE ROW LEVEL SECURITY;
ALTER TABLE receipts NO FORCE ROW LEVEL SECURITY;
ALTER TABLE erasures NO FORCE ROW LEVEL SECURITY;
ALTER TABLE runs NO FORCE ROW LEVEL SECURITY;
ALTER TABLE run_steps NO FORCE ROW LEVEL SECURITY;
CREATE TEMPORARY TABLE erased_before ON COMMIT DROP AS
    SELECT r.org_id, r.invocation_id, e.erased_at FROM erasures e
    JOIN receipts r ON r.org_id = e.org_id AND r.id = e.receipt_id
    JOIN invocations i ON i.org_id = r.org_id AND i.id = r.invocation_id
    WHERE i.status <> 'unknown' AND NOT EXISTS (
        SELECT FROM run_steps s JOIN runs u ON u.org_id = s.org_id AND u.id = s.run_id
        WHERE s.org_id = i.org_id AND s.invocation_id = i.id AND u.finished_at IS NULL
    );
UPDATE invocations i SET
    params = '{}', result = NULL, edits = '[]', changed = '{}', reason = '', subject = NULL, released = NULL,
    error = NULL, erased_at = b.erased_at
FROM erased_before b WHERE i.org_id = b.org_id AND i.id = b.invocation_id;
UPDATE attempts a SET message = '' FROM erased_before b
WHERE a.org_id = b.org_id AND a.invocation_id = b.invocation_id;
UPDATE approvals a SET note = '' FROM erased_before b WHERE a.org_id = b.org_id AND a.invocation_id = b.invocation_id;
DELETE FROM shown_documents d USING erased_before b WHERE d.org_id = b.org_id AND d.invocation_id = b.invocation_id;
ALTER TABLE invocations FORCE ROW LEVEL SECURITY;
ALTER TABLE attempts FORCE ROW LEVEL SECURITY;
ALTER TABLE shown_documents FORCE ROW LEVEL SECURITY;
ALTER TABLE approvals FORCE ROW LEVEL SECURITY;
ALTER TABLE receipts FORCE ROW LEVEL SECURITY;
ALTER TABLE erasures FORCE ROW LEVEL SECURITY;
ALTER TABLE runs FORCE ROW LEVEL SECURITY;
ALTER TABLE run_steps FORCE ROW LEVEL SECURITY;
