-- A database of version 0.1, as pg_dump writes it: an organization with its owner, a connection, a session, a rule, an
-- invocation that waits, one that was approved and not performed, one that was denied, and one that succeeded.
-- The keys that open it are in tests/it/upgrade.rs; they protect nothing else.
SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
CREATE FUNCTION public.current_org() RETURNS uuid
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN (NULLIF(current_setting('app.org'::text, true), ''::text))::uuid;
ALTER FUNCTION public.current_org() OWNER TO countersign_owner;
CREATE FUNCTION public.drop_events(before timestamp with time zone) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $_$
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
END $_$;
ALTER FUNCTION public.drop_events(before timestamp with time zone) OWNER TO countersign_owner;
CREATE FUNCTION public.due_notices(now timestamp with time zone, most integer) RETURNS TABLE(org_id uuid, id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$ SELECT n.org_id, n.id FROM notices n WHERE n.due_at <= now ORDER BY n.due_at LIMIT most $$;
ALTER FUNCTION public.due_notices(now timestamp with time zone, most integer) OWNER TO countersign_lookup;
CREATE FUNCTION public.ensure_partitions(around timestamp with time zone) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$
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
ALTER FUNCTION public.ensure_partitions(around timestamp with time zone) OWNER TO countersign_owner;
CREATE FUNCTION public.erase_receipt(org uuid, receipt uuid, left_over jsonb, at timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$
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
ALTER FUNCTION public.erase_receipt(org uuid, receipt uuid, left_over jsonb, at timestamp with time zone) OWNER TO countersign_lookup;
CREATE FUNCTION public.events_after(after bigint, upto bigint, most integer) RETURNS TABLE(org_id uuid, id uuid, "position" bigint)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$
        SELECT e.org_id, e.id, e.position FROM events e
        WHERE e.position > after AND e.position <= upto
        ORDER BY e.position LIMIT most
    $$;
ALTER FUNCTION public.events_after(after bigint, upto bigint, most integer) OWNER TO countersign_lookup;
CREATE FUNCTION public.expired_leases(at timestamp with time zone, most integer) RETURNS TABLE(org_id uuid, id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$
        SELECT i.org_id, i.id FROM invocations i
        WHERE i.status = 'executing' AND i.lease_until < at
        ORDER BY i.lease_until LIMIT most
    $$;
ALTER FUNCTION public.expired_leases(at timestamp with time zone, most integer) OWNER TO countersign_lookup;
CREATE PROCEDURE public.fence(IN tenant_table regclass)
    LANGUAGE plpgsql
    AS $$
BEGIN
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', tenant_table);
    EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', tenant_table);
    EXECUTE format(
        'CREATE POLICY tenant ON %s TO countersign_service USING (org_id = current_org()) WITH CHECK (org_id = current_org())',
        tenant_table
    );
END $$;
ALTER PROCEDURE public.fence(IN tenant_table regclass) OWNER TO countersign_owner;
CREATE FUNCTION public.find_api_token(hash bytea) RETURNS TABLE(org_id uuid, id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$ SELECT t.org_id, t.id FROM api_tokens t WHERE t.token_sha256 = hash $$;
ALTER FUNCTION public.find_api_token(hash bytea) OWNER TO countersign_lookup;
CREATE FUNCTION public.find_authorization(hash bytea) RETURNS TABLE(org_id uuid, id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$ SELECT a.org_id, a.id FROM connector_authorizations a WHERE a.state_sha256 = hash $$;
ALTER FUNCTION public.find_authorization(hash bytea) OWNER TO countersign_lookup;
CREATE FUNCTION public.find_hook_token(hash bytea) RETURNS TABLE(org_id uuid, id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$ SELECT t.org_id, t.id FROM triggers t WHERE t.token_sha256 = hash $$;
ALTER FUNCTION public.find_hook_token(hash bytea) OWNER TO countersign_lookup;
CREATE FUNCTION public.find_session_token(hash bytea) RETURNS TABLE(org_id uuid, id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$ SELECT s.org_id, s.id FROM sessions s WHERE s.token_sha256 = hash $$;
ALTER FUNCTION public.find_session_token(hash bytea) OWNER TO countersign_lookup;
CREATE FUNCTION public.ledger_after(after bigint, upto bigint, most integer) RETURNS TABLE(org_id uuid, receipt_id uuid, "position" bigint, keyid text, commitment bytea)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
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
ALTER FUNCTION public.ledger_after(after bigint, upto bigint, most integer) OWNER TO countersign_lookup;
CREATE FUNCTION public.ledger_only_grows() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF NEW.size < OLD.size OR NEW.position < OLD.position OR NEW.origin IS DISTINCT FROM coalesce(OLD.origin, NEW.origin) THEN
        RAISE EXCEPTION 'the ledger only grows' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
ALTER FUNCTION public.ledger_only_grows() OWNER TO countersign_owner;
CREATE FUNCTION public.ledger_sizes(orgs uuid[]) RETURNS TABLE(org_id uuid, size bigint)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$ SELECT o.org_id, o.size FROM ledger_orgs o WHERE o.org_id = ANY (orgs) $$;
ALTER FUNCTION public.ledger_sizes(orgs uuid[]) OWNER TO countersign_lookup;
CREATE FUNCTION public.ledger_write(orgs uuid[], receipts uuid[], numbers bigint[], indexes bigint[], keyids text[], commitments bytea[], at timestamp with time zone) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
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
ALTER FUNCTION public.ledger_write(orgs uuid[], receipts uuid[], numbers bigint[], indexes bigint[], keyids text[], commitments bytea[], at timestamp with time zone) OWNER TO countersign_lookup;
CREATE FUNCTION public.orgs_of(person uuid) RETURNS TABLE(org_id uuid, slug text, name text, role text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$
        SELECT o.id, o.slug, o.name, m.role FROM memberships m JOIN orgs o ON o.id = m.org_id
        WHERE m.user_id = person ORDER BY o.slug LIMIT 100
    $$;
ALTER FUNCTION public.orgs_of(person uuid) OWNER TO countersign_lookup;
CREATE FUNCTION public.overdue_deliveries(before timestamp with time zone, most integer) RETURNS TABLE(org_id uuid, id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$
        SELECT late.org_id, late.id FROM (
            SELECT d.org_id, d.id, d.next_at, row_number() OVER (PARTITION BY d.org_id ORDER BY d.next_at) AS turn
            FROM webhook_deliveries d WHERE d.status = 'pending' AND d.next_at < before
        ) late
        ORDER BY late.turn, late.next_at LIMIT most
    $$;
ALTER FUNCTION public.overdue_deliveries(before timestamp with time zone, most integer) OWNER TO countersign_lookup;
CREATE FUNCTION public.overdue_harvests(before timestamp with time zone, most integer) RETURNS TABLE(org_id uuid, id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$
        SELECT c.org_id, c.id FROM connectors c
        WHERE c.enabled AND (c.last_harvested_at IS NULL OR c.last_harvested_at < before)
        ORDER BY c.last_harvested_at NULLS FIRST LIMIT most
    $$;
ALTER FUNCTION public.overdue_harvests(before timestamp with time zone, most integer) OWNER TO countersign_lookup;
CREATE FUNCTION public.overdue_invocations(at timestamp with time zone, approved_before timestamp with time zone, most integer) RETURNS TABLE(org_id uuid, id uuid, status text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$
        (SELECT i.org_id, i.id, i.status FROM invocations i
         WHERE i.status = 'pending' AND i.expires_at <= at ORDER BY i.expires_at LIMIT most)
        UNION ALL
        (SELECT i.org_id, i.id, i.status FROM invocations i
         WHERE i.status = 'approved' AND i.approved_at <= approved_before ORDER BY i.approved_at LIMIT most)
    $$;
ALTER FUNCTION public.overdue_invocations(at timestamp with time zone, approved_before timestamp with time zone, most integer) OWNER TO countersign_lookup;
CREATE FUNCTION public.overdue_runs(at timestamp with time zone, most integer) RETURNS TABLE(org_id uuid, id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$ SELECT r.org_id, r.id FROM runs r WHERE r.due_at < at ORDER BY r.due_at LIMIT most $$;
ALTER FUNCTION public.overdue_runs(at timestamp with time zone, most integer) OWNER TO countersign_lookup;
CREATE FUNCTION public.overdue_triggers(before timestamp with time zone, most integer) RETURNS TABLE(org_id uuid, id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$ SELECT t.org_id, t.id FROM triggers t WHERE t.next_at < before AND t.enabled ORDER BY t.next_at LIMIT most $$;
ALTER FUNCTION public.overdue_triggers(before timestamp with time zone, most integer) OWNER TO countersign_lookup;
CREATE FUNCTION public.purge_deliveries(before timestamp with time zone) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$
        WITH gone AS (DELETE FROM webhook_deliveries WHERE created_at < before RETURNING 1)
        SELECT count(*) FROM gone
    $$;
ALTER FUNCTION public.purge_deliveries(before timestamp with time zone) OWNER TO countersign_lookup;
CREATE FUNCTION public.purge_grants(before timestamp with time zone) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$
        WITH gone AS (DELETE FROM grants WHERE expires_at < before RETURNING 1)
        SELECT count(*) FROM gone
    $$;
ALTER FUNCTION public.purge_grants(before timestamp with time zone) OWNER TO countersign_lookup;
CREATE FUNCTION public.purge_idempotency_keys(before timestamp with time zone) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$
        WITH gone AS (DELETE FROM idempotency_keys WHERE expires_at < before RETURNING 1)
        SELECT count(*) FROM gone
    $$;
ALTER FUNCTION public.purge_idempotency_keys(before timestamp with time zone) OWNER TO countersign_lookup;
CREATE FUNCTION public.purge_published_events(before timestamp with time zone) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$
        WITH gone AS (DELETE FROM published_events WHERE published_at < before RETURNING 1)
        SELECT count(*) FROM gone
    $$;
ALTER FUNCTION public.purge_published_events(before timestamp with time zone) OWNER TO countersign_lookup;
CREATE FUNCTION public.purge_runs(before timestamp with time zone, now timestamp with time zone, most integer) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$
        WITH faded AS (DELETE FROM run_traces WHERE expires_at < now),
        old AS (
            SELECT r.org_id, r.id FROM runs r WHERE r.finished_at < before AND r.id < uuid_at(before) LIMIT most
        ),
        gone AS (DELETE FROM runs r USING old WHERE r.org_id = old.org_id AND r.id = old.id RETURNING 1)
        SELECT count(*) FROM gone
    $$;
ALTER FUNCTION public.purge_runs(before timestamp with time zone, now timestamp with time zone, most integer) OWNER TO countersign_lookup;
CREATE FUNCTION public.purge_slack_clicks(before timestamp with time zone) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$
        WITH gone AS (DELETE FROM slack_clicks WHERE at < before RETURNING 1)
        SELECT count(*) FROM gone
    $$;
ALTER FUNCTION public.purge_slack_clicks(before timestamp with time zone) OWNER TO countersign_lookup;
CREATE FUNCTION public.raise_catalog_version() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    org uuid := coalesce(NEW.org_id, OLD.org_id);
BEGIN
    UPDATE orgs SET catalog_version = catalog_version + 1, policy_version = policy_version + 1 WHERE id = org;
    PERFORM pg_notify('countersign_policies', org::text);
    RETURN NULL;
END $$;
ALTER FUNCTION public.raise_catalog_version() OWNER TO countersign_owner;
CREATE FUNCTION public.raise_policy_version() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    org uuid := coalesce(NEW.org_id, OLD.org_id);
BEGIN
    UPDATE orgs SET policy_version = policy_version + 1 WHERE id = org;
    PERFORM pg_notify('countersign_policies', org::text);
    RETURN NULL;
END $$;
ALTER FUNCTION public.raise_policy_version() OWNER TO countersign_owner;
CREATE FUNCTION public.raise_triggers_version() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    UPDATE orgs SET triggers_version = triggers_version + 1 WHERE id = coalesce(NEW.org_id, OLD.org_id);
    RETURN NULL;
END $$;
ALTER FUNCTION public.raise_triggers_version() OWNER TO countersign_owner;
CREATE FUNCTION public.receipt_periods() RETURNS TABLE(org_id uuid, days integer)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public'
    AS $$ SELECT o.id, o.receipts_kept_days FROM orgs o $$;
ALTER FUNCTION public.receipt_periods() OWNER TO countersign_lookup;
CREATE FUNCTION public.tile_only_grows() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF substr(NEW.hashes, 1, length(OLD.hashes)) <> OLD.hashes THEN
        RAISE EXCEPTION 'the ledger only grows' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
ALTER FUNCTION public.tile_only_grows() OWNER TO countersign_owner;
CREATE FUNCTION public.uuid_at(moment timestamp with time zone) RETURNS uuid
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN ((lpad(to_hex((floor((EXTRACT(epoch FROM moment) * (1000)::numeric)))::bigint), 12, '0'::text) || repeat('0'::text, 20)))::uuid;
ALTER FUNCTION public.uuid_at(moment timestamp with time zone) OWNER TO countersign_owner;
SET default_table_access_method = heap;
CREATE TABLE public._sqlx_migrations (
    version bigint NOT NULL,
    description text NOT NULL,
    installed_on timestamp with time zone DEFAULT now() NOT NULL,
    success boolean NOT NULL,
    checksum bytea NOT NULL,
    execution_time bigint NOT NULL
);
ALTER TABLE public._sqlx_migrations OWNER TO countersign_owner;
CREATE TABLE public.api_tokens (
    org_id uuid NOT NULL,
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    name text NOT NULL,
    token_sha256 bytea NOT NULL,
    expires_at timestamp with time zone,
    revoked_at timestamp with time zone,
    last_used_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    browser text,
    from_token uuid,
    CONSTRAINT api_tokens_browser CHECK ((browser = ANY (ARRAY['token'::text, 'identity'::text]))),
    CONSTRAINT api_tokens_from CHECK (((NOT (browser IS DISTINCT FROM 'token'::text)) = (from_token IS NOT NULL)))
);
ALTER TABLE ONLY public.api_tokens FORCE ROW LEVEL SECURITY;
ALTER TABLE public.api_tokens OWNER TO countersign_owner;
CREATE TABLE public.approvals (
    org_id uuid NOT NULL,
    id uuid NOT NULL,
    invocation_id uuid NOT NULL,
    user_id uuid NOT NULL,
    verdict text NOT NULL,
    extent text NOT NULL,
    channel text NOT NULL,
    shown_digest bytea NOT NULL,
    note text NOT NULL,
    source text NOT NULL,
    action text NOT NULL,
    at timestamp with time zone NOT NULL,
    assertion jsonb,
    CONSTRAINT approvals_extent CHECK ((extent = ANY (ARRAY['once'::text, 'grant'::text, 'always'::text]))),
    CONSTRAINT approvals_verdict CHECK ((verdict = ANY (ARRAY['approved'::text, 'denied'::text])))
);
ALTER TABLE ONLY public.approvals FORCE ROW LEVEL SECURITY;
ALTER TABLE public.approvals OWNER TO countersign_owner;
CREATE TABLE public.artifacts (
    org_id uuid NOT NULL,
    digest bytea NOT NULL,
    invocation_id uuid NOT NULL,
    session_id uuid NOT NULL,
    receipt_id uuid NOT NULL,
    size bigint NOT NULL,
    media_type text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT artifacts_digest_length CHECK ((length(digest) = 32)),
    CONSTRAINT artifacts_size CHECK ((size > 0))
);
ALTER TABLE ONLY public.artifacts FORCE ROW LEVEL SECURITY;
ALTER TABLE public.artifacts OWNER TO countersign_owner;
CREATE TABLE public.attempts (
    org_id uuid NOT NULL,
    invocation_id uuid NOT NULL,
    number integer NOT NULL,
    started_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone NOT NULL,
    error_class text NOT NULL,
    message text NOT NULL,
    sent boolean NOT NULL,
    retried boolean NOT NULL
)
PARTITION BY RANGE (invocation_id);
ALTER TABLE ONLY public.attempts FORCE ROW LEVEL SECURITY;
ALTER TABLE public.attempts OWNER TO countersign_owner;
CREATE TABLE public.attempts_202611 (
    org_id uuid NOT NULL,
    invocation_id uuid NOT NULL,
    number integer NOT NULL,
    started_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone NOT NULL,
    error_class text NOT NULL,
    message text NOT NULL,
    sent boolean NOT NULL,
    retried boolean NOT NULL
);
ALTER TABLE public.attempts_202611 OWNER TO countersign_owner;
CREATE TABLE public.attempts_202612 (
    org_id uuid NOT NULL,
    invocation_id uuid NOT NULL,
    number integer NOT NULL,
    started_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone NOT NULL,
    error_class text NOT NULL,
    message text NOT NULL,
    sent boolean NOT NULL,
    retried boolean NOT NULL
);
ALTER TABLE public.attempts_202612 OWNER TO countersign_owner;
CREATE TABLE public.attempts_202701 (
    org_id uuid NOT NULL,
    invocation_id uuid NOT NULL,
    number integer NOT NULL,
    started_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone NOT NULL,
    error_class text NOT NULL,
    message text NOT NULL,
    sent boolean NOT NULL,
    retried boolean NOT NULL
);
ALTER TABLE public.attempts_202701 OWNER TO countersign_owner;
CREATE TABLE public.attempts_default (
    org_id uuid NOT NULL,
    invocation_id uuid NOT NULL,
    number integer NOT NULL,
    started_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone NOT NULL,
    error_class text NOT NULL,
    message text NOT NULL,
    sent boolean NOT NULL,
    retried boolean NOT NULL
);
ALTER TABLE public.attempts_default OWNER TO countersign_owner;
CREATE TABLE public.automation_versions (
    org_id uuid NOT NULL,
    automation_id uuid NOT NULL,
    version integer NOT NULL,
    definition jsonb NOT NULL,
    saved_by uuid NOT NULL,
    saved_at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY public.automation_versions FORCE ROW LEVEL SECURITY;
ALTER TABLE public.automation_versions OWNER TO countersign_owner;
CREATE TABLE public.automations (
    org_id uuid NOT NULL,
    id uuid NOT NULL,
    space_id uuid NOT NULL,
    name text NOT NULL,
    status text DEFAULT 'active'::text NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    runs bigint DEFAULT 0 NOT NULL,
    created_by uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT automations_status CHECK ((status = ANY (ARRAY['active'::text, 'paused'::text, 'archived'::text])))
);
ALTER TABLE ONLY public.automations FORCE ROW LEVEL SECURITY;
ALTER TABLE public.automations OWNER TO countersign_owner;
CREATE TABLE public.connections (
    org_id uuid NOT NULL,
    id uuid NOT NULL,
    provider text NOT NULL,
    name text NOT NULL,
    sealed bytea NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    set_by uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY public.connections FORCE ROW LEVEL SECURITY;
ALTER TABLE public.connections OWNER TO countersign_owner;
CREATE TABLE public.connector_authorizations (
    org_id uuid NOT NULL,
    id uuid NOT NULL,
    connector_id uuid NOT NULL,
    state_sha256 bytea NOT NULL,
    sealed bytea NOT NULL,
    begun_by uuid NOT NULL,
    expires_at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY public.connector_authorizations FORCE ROW LEVEL SECURITY;
ALTER TABLE public.connector_authorizations OWNER TO countersign_owner;
CREATE TABLE public.connector_tools (
    org_id uuid NOT NULL,
    connector_id uuid NOT NULL,
    name text NOT NULL,
    action text,
    unusable text,
    offer jsonb NOT NULL,
    shape_hash text NOT NULL,
    text_hash text NOT NULL,
    first_seen_at timestamp with time zone NOT NULL,
    gone_at timestamp with time zone,
    reviewed jsonb,
    reviewed_shape text,
    reviewed_text text,
    reviewed_by uuid,
    reviewed_at timestamp with time zone,
    risk text,
    effect text,
    note text DEFAULT ''::text NOT NULL,
    CONSTRAINT connector_tools_effect CHECK ((effect = ANY (ARRAY['read'::text, 'keyed'::text, 'checkable'::text, 'once'::text]))),
    CONSTRAINT connector_tools_reviewed CHECK ((((reviewed IS NULL) = (reviewed_shape IS NULL)) AND ((reviewed IS NULL) = (reviewed_text IS NULL)) AND ((reviewed IS NULL) = (reviewed_by IS NULL)) AND ((reviewed IS NULL) = (reviewed_at IS NULL)))),
    CONSTRAINT connector_tools_risk CHECK ((risk = ANY (ARRAY['R0'::text, 'R1'::text, 'R2'::text, 'R3'::text, 'R4'::text]))),
    CONSTRAINT connector_tools_usable CHECK (((action IS NULL) = (unusable IS NOT NULL)))
);
ALTER TABLE ONLY public.connector_tools FORCE ROW LEVEL SECURITY;
ALTER TABLE public.connector_tools OWNER TO countersign_owner;
CREATE TABLE public.connectors (
    org_id uuid NOT NULL,
    id uuid NOT NULL,
    slug text NOT NULL,
    kind text NOT NULL,
    place text NOT NULL,
    base_url text,
    auth text NOT NULL,
    auth_header text,
    auth_secret text,
    enabled boolean DEFAULT true NOT NULL,
    server text,
    last_harvested_at timestamp with time zone,
    last_error text,
    created_by uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT connectors_auth CHECK (((auth = ANY (ARRAY['none'::text, 'bearer'::text, 'header'::text, 'oauth'::text])) AND ((auth = 'header'::text) = (auth_header IS NOT NULL)) AND ((auth = 'none'::text) = (auth_secret IS NULL)))),
    CONSTRAINT connectors_kind CHECK ((kind = ANY (ARRAY['mcp'::text, 'stdio'::text, 'openapi'::text]))),
    CONSTRAINT connectors_slug_shape CHECK ((slug ~ '^[a-z][a-z0-9_-]{0,63}$'::text))
);
ALTER TABLE ONLY public.connectors FORCE ROW LEVEL SECURITY;
ALTER TABLE public.connectors OWNER TO countersign_owner;
CREATE TABLE public.data_keys (
    org_id uuid NOT NULL,
    id uuid NOT NULL,
    master_key text NOT NULL,
    wrapped bytea NOT NULL,
    created_at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY public.data_keys FORCE ROW LEVEL SECURITY;
ALTER TABLE public.data_keys OWNER TO countersign_owner;
CREATE SEQUENCE public.ledger_positions
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER TABLE public.ledger_positions OWNER TO countersign_owner;
CREATE TABLE public.erasures (
    org_id uuid NOT NULL,
    receipt_id uuid NOT NULL,
    "position" bigint DEFAULT 
CASE
    WHEN (pg_current_xact_id() IS NOT NULL) THEN nextval('public.ledger_positions'::regclass)
    ELSE NULL::bigint
END NOT NULL,
    erased_at timestamp with time zone NOT NULL
)
PARTITION BY RANGE (receipt_id);
ALTER TABLE ONLY public.erasures FORCE ROW LEVEL SECURITY;
ALTER TABLE public.erasures OWNER TO countersign_owner;
CREATE TABLE public.erasures_202611 (
    org_id uuid NOT NULL,
    receipt_id uuid NOT NULL,
    "position" bigint DEFAULT 
CASE
    WHEN (pg_current_xact_id() IS NOT NULL) THEN nextval('public.ledger_positions'::regclass)
    ELSE NULL::bigint
END NOT NULL,
    erased_at timestamp with time zone NOT NULL
);
ALTER TABLE public.erasures_202611 OWNER TO countersign_owner;
CREATE TABLE public.erasures_202612 (
    org_id uuid NOT NULL,
    receipt_id uuid NOT NULL,
    "position" bigint DEFAULT 
CASE
    WHEN (pg_current_xact_id() IS NOT NULL) THEN nextval('public.ledger_positions'::regclass)
    ELSE NULL::bigint
END NOT NULL,
    erased_at timestamp with time zone NOT NULL
);
ALTER TABLE public.erasures_202612 OWNER TO countersign_owner;
CREATE TABLE public.erasures_202701 (
    org_id uuid NOT NULL,
    receipt_id uuid NOT NULL,
    "position" bigint DEFAULT 
CASE
    WHEN (pg_current_xact_id() IS NOT NULL) THEN nextval('public.ledger_positions'::regclass)
    ELSE NULL::bigint
END NOT NULL,
    erased_at timestamp with time zone NOT NULL
);
ALTER TABLE public.erasures_202701 OWNER TO countersign_owner;
CREATE TABLE public.erasures_default (
    org_id uuid NOT NULL,
    receipt_id uuid NOT NULL,
    "position" bigint DEFAULT 
CASE
    WHEN (pg_current_xact_id() IS NOT NULL) THEN nextval('public.ledger_positions'::regclass)
    ELSE NULL::bigint
END NOT NULL,
    erased_at timestamp with time zone NOT NULL
);
ALTER TABLE public.erasures_default OWNER TO countersign_owner;
CREATE TABLE public.event_followers (
    name text NOT NULL,
    "position" bigint DEFAULT 0 NOT NULL,
    holder uuid,
    lease_until timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL
);
ALTER TABLE public.event_followers OWNER TO countersign_owner;
CREATE TABLE public.event_groups (
    org_id uuid NOT NULL,
    name text NOT NULL,
    "position" bigint NOT NULL,
    filter jsonb,
    ack_timeout_s integer NOT NULL,
    max_attempts smallint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT event_groups_name_shape CHECK ((name ~ '^[a-z][a-z0-9-]{0,62}$'::text))
);
ALTER TABLE ONLY public.event_groups FORCE ROW LEVEL SECURITY;
ALTER TABLE public.event_groups OWNER TO countersign_owner;
CREATE SEQUENCE public.event_positions
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER TABLE public.event_positions OWNER TO countersign_owner;
CREATE TABLE public.events (
    org_id uuid NOT NULL,
    id uuid NOT NULL,
    type text NOT NULL,
    subject text NOT NULL,
    space_id uuid,
    session_id uuid,
    data jsonb NOT NULL,
    at timestamp with time zone NOT NULL,
    "position" bigint DEFAULT 
CASE
    WHEN (pg_current_xact_id() IS NOT NULL) THEN nextval('public.event_positions'::regclass)
    ELSE NULL::bigint
END NOT NULL,
    source text DEFAULT '/countersign'::text NOT NULL,
    source_id text,
    depth smallint DEFAULT 0 NOT NULL,
    origin_chain text[] DEFAULT '{}'::text[] NOT NULL
)
PARTITION BY RANGE (id);
ALTER TABLE ONLY public.events FORCE ROW LEVEL SECURITY;
ALTER TABLE public.events OWNER TO countersign_owner;
CREATE TABLE public.events_20261117 (
    org_id uuid NOT NULL,
    id uuid NOT NULL,
    type text NOT NULL,
    subject text NOT NULL,
    space_id uuid,
    session_id uuid,
    data jsonb NOT NULL,
    at timestamp with time zone NOT NULL,
    "position" bigint DEFAULT 
CASE
    WHEN (pg_current_xact_id() IS NOT NULL) THEN nextval('public.event_positions'::regclass)
    ELSE NULL::bigint
END NOT NULL,
    source text DEFAULT '/countersign'::text NOT NULL,
    source_id text,
    depth smallint DEFAULT 0 NOT NULL,
    origin_chain text[] DEFAULT '{}'::text[] NOT NULL
);
ALTER TABLE public.events_20261117 OWNER TO countersign_owner;
CREATE TABLE public.events_20261118 (
    org_id uuid NOT NULL,
    id uuid NOT NULL,
    type text NOT NULL,
    subject text NOT NULL,
    space_id uuid,
    session_id uuid,
    data jsonb NOT NULL,
    at timestamp with time zone NOT NULL,
    "position" bigint DEFAULT 
CASE
    WHEN (pg_current_xact_id() IS NOT NULL) THEN nextval('public.event_positions'::regclass)
    ELSE NULL::bigint
END NOT NULL,
    source text DEFAULT '/countersign'::text NOT NULL,
    source_id text,
    depth smallint DEFAULT 0 NOT NULL,
    origin_chain text[] DEFAULT '{}'::text[] NOT NULL
);
ALTER TABLE public.events_20261118 OWNER TO countersign_owner;
CREATE TABLE public.events_20261119 (
    org_id uuid NOT NULL,
    id uuid NOT NULL,
    type text NOT NULL,
    subject text NOT NULL,
    space_id uuid,
    session_id uuid,
    data jsonb NOT NULL,
    at timestamp with time zone NOT NULL,
    "position" bigint DEFAULT 
CASE
    WHEN (pg_current_xact_id() IS NOT NULL) THEN nextval('public.event_positions'::regclass)
    ELSE NULL::bigint
END NOT NULL,
    source text DEFAULT '/countersign'::text NOT NULL,
    source_id text,
    depth smallint DEFAULT 0 NOT NULL,
    origin_chain text[] DEFAULT '{}'::text[] NOT NULL
);
ALTER TABLE public.events_20261119 OWNER TO countersign_owner;
CREATE TABLE public.events_20261120 (
    org_id uuid NOT NULL,
    id uuid NOT NULL,
    type text NOT NULL,
    subject text NOT NULL,
    space_id uuid,
    session_id uuid,
    data jsonb NOT NULL,
    at timestamp with time zone NOT NULL,
    "position" bigint DEFAULT 
CASE
    WHEN (pg_current_xact_id() IS NOT NULL) THEN nextval('public.event_positions'::regclass)
    ELSE NULL::bigint
END NOT NULL,
    source text DEFAULT '/countersign'::text NOT NULL,
    source_id text,
    depth smallint DEFAULT 0 NOT NULL,
    origin_chain text[] DEFAULT '{}'::text[] NOT NULL
);
ALTER TABLE public.events_20261120 OWNER TO countersign_owner;
CREATE TABLE public.events_20261121 (
    org_id uuid NOT NULL,
    id uuid NOT NULL,
    type text NOT NULL,
    subject text NOT NULL,
    space_id uuid,
    session_id uuid,
    data jsonb NOT NULL,
    at timestamp with time zone NOT NULL,
    "position" bigint DEFAULT 
CASE
    WHEN (pg_current_xact_id() IS NOT NULL) THEN nextval('public.event_positions'::regclass)
    ELSE NULL::bigint
END NOT NULL,
    source text DEFAULT '/countersign'::text NOT NULL,
    source_id text,
    depth smallint DEFAULT 0 NOT NULL,
    origin_chain text[] DEFAULT '{}'::text[] NOT NULL
);
ALTER TABLE public.events_20261121 OWNER TO countersign_owner;
CREATE TABLE public.events_20261122 (
    org_id uuid NOT NULL,
    id uuid NOT NULL,
    type text NOT NULL,
    subject text NOT NULL,
    space_id uuid,
    session_id uuid,
    data jsonb NOT NULL,
    at timestamp with time zone NOT NULL,
    "position" bigint DEFAULT 
CASE
    WHEN (pg_current_xact_id() IS NOT NULL) THEN nextval('public.event_positions'::regclass)
    ELSE NULL::bigint
END NOT NULL,
    source text DEFAULT '/countersign'::text NOT NULL,
    source_id text,
    depth smallint DEFAULT 0 NOT NULL,
    origin_chain text[] DEFAULT '{}'::text[] NOT NULL
);
ALTER TABLE public.events_20261122 OWNER TO countersign_owner;
CREATE TABLE public.events_20261123 (
    org_id uuid NOT NULL,
    id uuid NOT NULL,
    type text NOT NULL,
    subject text NOT NULL,
    space_id uuid,
    session_id uuid,
    data jsonb NOT NULL,
    at timestamp with time zone NOT NULL,
    "position" bigint DEFAULT 
CASE
    WHEN (pg_current_xact_id() IS NOT NULL) THEN nextval('public.event_positions'::regclass)
    ELSE NULL::bigint
END NOT NULL,
    source text DEFAULT '/countersign'::text NOT NULL,
    source_id text,
    depth smallint DEFAULT 0 NOT NULL,
    origin_chain text[] DEFAULT '{}'::text[] NOT NULL
);
ALTER TABLE public.events_20261123 OWNER TO countersign_owner;
CREATE TABLE public.events_20261124 (
    org_id uuid NOT NULL,
    id uuid NOT NULL,
    type text NOT NULL,
    subject text NOT NULL,
    space_id uuid,
    session_id uuid,
    data jsonb NOT NULL,
    at timestamp with time zone NOT NULL,
    "position" bigint DEFAULT 
CASE
    WHEN (pg_current_xact_id() IS NOT NULL) THEN nextval('public.event_positions'::regclass)
    ELSE NULL::bigint
END NOT NULL,
    source text DEFAULT '/countersign'::text NOT NULL,
    source_id text,
    depth smallint DEFAULT 0 NOT NULL,
    origin_chain text[] DEFAULT '{}'::text[] NOT NULL
);
ALTER TABLE public.events_20261124 OWNER TO countersign_owner;
CREATE TABLE public.events_20261125 (
    org_id uuid NOT NULL,
    id uuid NOT NULL,
    type text NOT NULL,
    subject text NOT NULL,
    space_id uuid,
    session_id uuid,
    data jsonb NOT NULL,
    at timestamp with time zone NOT NULL,
    "position" bigint DEFAULT 
CASE
    WHEN (pg_current_xact_id() IS NOT NULL) THEN nextval('public.event_positions'::regclass)
    ELSE NULL::bigint
END NOT NULL,
    source text DEFAULT '/countersign'::text NOT NULL,
    source_id text,
    depth smallint DEFAULT 0 NOT NULL,
    origin_chain text[] DEFAULT '{}'::text[] NOT NULL
);
ALTER TABLE public.events_20261125 OWNER TO countersign_owner;
CREATE TABLE public.events_20261126 (
    org_id uuid NOT NULL,
    id uuid NOT NULL,
    type text NOT NULL,
    subject text NOT NULL,
    space_id uuid,
    session_id uuid,
    data jsonb NOT NULL,
    at timestamp with time zone NOT NULL,
    "position" bigint DEFAULT 
CASE
    WHEN (pg_current_xact_id() IS NOT NULL) THEN nextval('public.event_positions'::regclass)
    ELSE NULL::bigint
END NOT NULL,
    source text DEFAULT '/countersign'::text NOT NULL,
    source_id text,
    depth smallint DEFAULT 0 NOT NULL,
    origin_chain text[] DEFAULT '{}'::text[] NOT NULL
);
ALTER TABLE public.events_20261126 OWNER TO countersign_owner;
CREATE TABLE public.events_20261127 (
    org_id uuid NOT NULL,
    id uuid NOT NULL,
    type text NOT NULL,
    subject text NOT NULL,
    space_id uuid,
    session_id uuid,
    data jsonb NOT NULL,
    at timestamp with time zone NOT NULL,
    "position" bigint DEFAULT 
CASE
    WHEN (pg_current_xact_id() IS NOT NULL) THEN nextval('public.event_positions'::regclass)
    ELSE NULL::bigint
END NOT NULL,
    source text DEFAULT '/countersign'::text NOT NULL,
    source_id text,
    depth smallint DEFAULT 0 NOT NULL,
    origin_chain text[] DEFAULT '{}'::text[] NOT NULL
);
ALTER TABLE public.events_20261127 OWNER TO countersign_owner;
CREATE TABLE public.events_20261128 (
    org_id uuid NOT NULL,
    id uuid NOT NULL,
    type text NOT NULL,
    subject text NOT NULL,
    space_id uuid,
    session_id uuid,
    data jsonb NOT NULL,
    at timestamp with time zone NOT NULL,
    "position" bigint DEFAULT 
CASE
    WHEN (pg_current_xact_id() IS NOT NULL) THEN nextval('public.event_positions'::regclass)
    ELSE NULL::bigint
END NOT NULL,
    source text DEFAULT '/countersign'::text NOT NULL,
    source_id text,
    depth smallint DEFAULT 0 NOT NULL,
    origin_chain text[] DEFAULT '{}'::text[] NOT NULL
);
ALTER TABLE public.events_20261128 OWNER TO countersign_owner;
CREATE TABLE public.events_20261129 (
    org_id uuid NOT NULL,
    id uuid NOT NULL,
    type text NOT NULL,
    subject text NOT NULL,
    space_id uuid,
    session_id uuid,
    data jsonb NOT NULL,
    at timestamp with time zone NOT NULL,
    "position" bigint DEFAULT 
CASE
    WHEN (pg_current_xact_id() IS NOT NULL) THEN nextval('public.event_positions'::regclass)
    ELSE NULL::bigint
END NOT NULL,
    source text DEFAULT '/countersign'::text NOT NULL,
    source_id text,
    depth smallint DEFAULT 0 NOT NULL,
    origin_chain text[] DEFAULT '{}'::text[] NOT NULL
);
ALTER TABLE public.events_20261129 OWNER TO countersign_owner;
CREATE TABLE public.events_20261130 (
    org_id uuid NOT NULL,
    id uuid NOT NULL,
    type text NOT NULL,
    subject text NOT NULL,
    space_id uuid,
    session_id uuid,
    data jsonb NOT NULL,
    at timestamp with time zone NOT NULL,
    "position" bigint DEFAULT 
CASE
    WHEN (pg_current_xact_id() IS NOT NULL) THEN nextval('public.event_positions'::regclass)
    ELSE NULL::bigint
END NOT NULL,
    source text DEFAULT '/countersign'::text NOT NULL,
    source_id text,
    depth smallint DEFAULT 0 NOT NULL,
    origin_chain text[] DEFAULT '{}'::text[] NOT NULL
);
ALTER TABLE public.events_20261130 OWNER TO countersign_owner;
CREATE TABLE public.events_20261201 (
    org_id uuid NOT NULL,
    id uuid NOT NULL,
    type text NOT NULL,
    subject text NOT NULL,
    space_id uuid,
    session_id uuid,
    data jsonb NOT NULL,
    at timestamp with time zone NOT NULL,
    "position" bigint DEFAULT 
CASE
    WHEN (pg_current_xact_id() IS NOT NULL) THEN nextval('public.event_positions'::regclass)
    ELSE NULL::bigint
END NOT NULL,
    source text DEFAULT '/countersign'::text NOT NULL,
    source_id text,
    depth smallint DEFAULT 0 NOT NULL,
    origin_chain text[] DEFAULT '{}'::text[] NOT NULL
);
ALTER TABLE public.events_20261201 OWNER TO countersign_owner;
CREATE TABLE public.events_default (
    org_id uuid NOT NULL,
    id uuid NOT NULL,
    type text NOT NULL,
    subject text NOT NULL,
    space_id uuid,
    session_id uuid,
    data jsonb NOT NULL,
    at timestamp with time zone NOT NULL,
    "position" bigint DEFAULT 
CASE
    WHEN (pg_current_xact_id() IS NOT NULL) THEN nextval('public.event_positions'::regclass)
    ELSE NULL::bigint
END NOT NULL,
    source text DEFAULT '/countersign'::text NOT NULL,
    source_id text,
    depth smallint DEFAULT 0 NOT NULL,
    origin_chain text[] DEFAULT '{}'::text[] NOT NULL
);
ALTER TABLE public.events_default OWNER TO countersign_owner;
CREATE TABLE public.grant_requests (
    org_id uuid NOT NULL,
    id uuid NOT NULL,
    session_id uuid NOT NULL,
    source text NOT NULL,
    action text NOT NULL,
    max_calls integer NOT NULL,
    lifetime_s bigint NOT NULL,
    reason text NOT NULL,
    status text DEFAULT 'pending'::text NOT NULL,
    requested_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    answered_by uuid,
    answered_at timestamp with time zone,
    note text,
    grant_id uuid,
    CONSTRAINT grant_requests_answered CHECK (((status = 'pending'::text) = (answered_at IS NULL))),
    CONSTRAINT grant_requests_status CHECK ((status = ANY (ARRAY['pending'::text, 'granted'::text, 'denied'::text])))
);
ALTER TABLE ONLY public.grant_requests FORCE ROW LEVEL SECURITY;
ALTER TABLE public.grant_requests OWNER TO countersign_owner;
CREATE TABLE public.grants (
    org_id uuid NOT NULL,
    id uuid NOT NULL,
    session_id uuid,
    automation_id uuid,
    source text NOT NULL,
    action text NOT NULL,
    max_calls integer NOT NULL,
    used_calls integer DEFAULT 0 NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    revoked_at timestamp with time zone,
    revoked_by uuid,
    created_by uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    from_invocation uuid,
    from_request uuid,
    reason text NOT NULL,
    CONSTRAINT grants_calls CHECK (((max_calls > 0) AND ((used_calls >= 0) AND (used_calls <= max_calls)))),
    CONSTRAINT grants_scope CHECK (((session_id IS NULL) OR (automation_id IS NULL))),
    CONSTRAINT grants_wildcard CHECK (((source <> '*'::text) OR (action = '*'::text)))
);
ALTER TABLE ONLY public.grants FORCE ROW LEVEL SECURITY;
ALTER TABLE public.grants OWNER TO countersign_owner;
CREATE TABLE public.group_entries (
    org_id uuid NOT NULL,
    group_name text NOT NULL,
    "position" bigint NOT NULL,
    event_id uuid NOT NULL,
    consumer text NOT NULL,
    attempts smallint NOT NULL,
    due_at timestamp with time zone NOT NULL,
    dead_at timestamp with time zone,
    error text
);
ALTER TABLE ONLY public.group_entries FORCE ROW LEVEL SECURITY;
ALTER TABLE public.group_entries OWNER TO countersign_owner;
CREATE TABLE public.idempotency_keys (
    org_id uuid NOT NULL,
    key text NOT NULL,
    invocation_id uuid NOT NULL,
    request_digest bytea NOT NULL,
    expires_at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY public.idempotency_keys FORCE ROW LEVEL SECURITY;
ALTER TABLE public.idempotency_keys OWNER TO countersign_owner;
CREATE TABLE public.identities (
    issuer text NOT NULL,
    subject text NOT NULL,
    user_id uuid NOT NULL,
    created_at timestamp with time zone NOT NULL
);
ALTER TABLE public.identities OWNER TO countersign_owner;
CREATE TABLE public.invocations (
    org_id uuid NOT NULL,
    id uuid NOT NULL,
    session_id uuid NOT NULL,
    space_id uuid NOT NULL,
    agent text NOT NULL,
    source text NOT NULL,
    action text NOT NULL,
    definition_hash bytea NOT NULL,
    risk text NOT NULL,
    effect text NOT NULL,
    mode text NOT NULL,
    mode_source text NOT NULL,
    decision jsonb NOT NULL,
    status text NOT NULL,
    dry_run boolean NOT NULL,
    params jsonb NOT NULL,
    params_sealed bytea,
    shown_digest bytea NOT NULL,
    idempotency_key text,
    trace_id text,
    result jsonb,
    error jsonb,
    attempts integer DEFAULT 0 NOT NULL,
    receipt_id uuid,
    requested_at timestamp with time zone NOT NULL,
    started_at timestamp with time zone,
    finished_at timestamp with time zone,
    lease_until timestamp with time zone,
    lease_epoch integer DEFAULT 0 NOT NULL,
    expires_at timestamp with time zone,
    approved_at timestamp with time zone,
    CONSTRAINT invocations_effect CHECK ((effect = ANY (ARRAY['read'::text, 'keyed'::text, 'checkable'::text, 'once'::text]))),
    CONSTRAINT invocations_lease CHECK (((status = 'executing'::text) = (lease_until IS NOT NULL))),
    CONSTRAINT invocations_mode CHECK ((mode = ANY (ARRAY['allow'::text, 'require_approval'::text, 'deny'::text]))),
    CONSTRAINT invocations_risk CHECK ((risk = ANY (ARRAY['R0'::text, 'R1'::text, 'R2'::text, 'R3'::text, 'R4'::text]))),
    CONSTRAINT invocations_status CHECK ((status = ANY (ARRAY['pending'::text, 'approved'::text, 'executing'::text, 'denied'::text, 'quarantined'::text, 'expired'::text, 'succeeded'::text, 'failed'::text, 'reverted'::text, 'unknown'::text, 'skipped'::text]))),
    CONSTRAINT invocations_terminal CHECK ((((status = ANY (ARRAY['pending'::text, 'approved'::text, 'executing'::text])) = (receipt_id IS NULL)) AND ((receipt_id IS NULL) OR ((params_sealed IS NULL) AND (finished_at IS NOT NULL)))))
)
PARTITION BY RANGE (id);
ALTER TABLE ONLY public.invocations FORCE ROW LEVEL SECURITY;
ALTER TABLE public.invocations OWNER TO countersign_owner;
CREATE TABLE public.invocations_202611 (
    org_id uuid NOT NULL,
    id uuid NOT NULL,
    session_id uuid NOT NULL,
    space_id uuid NOT NULL,
    agent text NOT NULL,
    source text NOT NULL,
    action text NOT NULL,
    definition_hash bytea NOT NULL,
    risk text NOT NULL,
    effect text NOT NULL,
    mode text NOT NULL,
    mode_source text NOT NULL,
    decision jsonb NOT NULL,
    status text NOT NULL,
    dry_run boolean NOT NULL,
    params jsonb NOT NULL,
    params_sealed bytea,
    shown_digest bytea NOT NULL,
    idempotency_key text,
    trace_id text,
    result jsonb,
    error jsonb,
    attempts integer DEFAULT 0 NOT NULL,
    receipt_id uuid,
    requested_at timestamp with time zone NOT NULL,
    started_at timestamp with time zone,
    finished_at timestamp with time zone,
    lease_until timestamp with time zone,
    lease_epoch integer DEFAULT 0 NOT NULL,
    expires_at timestamp with time zone,
    approved_at timestamp with time zone,
    CONSTRAINT invocations_effect CHECK ((effect = ANY (ARRAY['read'::text, 'keyed'::text, 'checkable'::text, 'once'::text]))),
    CONSTRAINT invocations_lease CHECK (((status = 'executing'::text) = (lease_until IS NOT NULL))),
    CONSTRAINT invocations_mode CHECK ((mode = ANY (ARRAY['allow'::text, 'require_approval'::text, 'deny'::text]))),
    CONSTRAINT invocations_risk CHECK ((risk = ANY (ARRAY['R0'::text, 'R1'::text, 'R2'::text, 'R3'::text, 'R4'::text]))),
    CONSTRAINT invocations_status CHECK ((status = ANY (ARRAY['pending'::text, 'approved'::text, 'executing'::text, 'denied'::text, 'quarantined'::text, 'expired'::text, 'succeeded'::text, 'failed'::text, 'reverted'::text, 'unknown'::text, 'skipped'::text]))),
    CONSTRAINT invocations_terminal CHECK ((((status = ANY (ARRAY['pending'::text, 'approved'::text, 'executing'::text])) = (receipt_id IS NULL)) AND ((receipt_id IS NULL) OR ((params_sealed IS NULL) AND (finished_at IS NOT NULL)))))
);
ALTER TABLE public.invocations_202611 OWNER TO countersign_owner;
CREATE TABLE public.invocations_202612 (
    org_id uuid NOT NULL,
    id uuid NOT NULL,
    session_id uuid NOT NULL,
    space_id uuid NOT NULL,
    agent text NOT NULL,
    source text NOT NULL,
    action text NOT NULL,
    definition_hash bytea NOT NULL,
    risk text NOT NULL,
    effect text NOT NULL,
    mode text NOT NULL,
    mode_source text NOT NULL,
    decision jsonb NOT NULL,
    status text NOT NULL,
    dry_run boolean NOT NULL,
    params jsonb NOT NULL,
    params_sealed bytea,
    shown_digest bytea NOT NULL,
    idempotency_key text,
    trace_id text,
    result jsonb,
    error jsonb,
    attempts integer DEFAULT 0 NOT NULL,
    receipt_id uuid,
    requested_at timestamp with time zone NOT NULL,
    started_at timestamp with time zone,
    finished_at timestamp with time zone,
    lease_until timestamp with time zone,
    lease_epoch integer DEFAULT 0 NOT NULL,
    expires_at timestamp with time zone,
    approved_at timestamp with time zone,
    CONSTRAINT invocations_effect CHECK ((effect = ANY (ARRAY['read'::text, 'keyed'::text, 'checkable'::text, 'once'::text]))),
    CONSTRAINT invocations_lease CHECK (((status = 'executing'::text) = (lease_until IS NOT NULL))),
    CONSTRAINT invocations_mode CHECK ((mode = ANY (ARRAY['allow'::text, 'require_approval'::text, 'deny'::text]))),
    CONSTRAINT invocations_risk CHECK ((risk = ANY (ARRAY['R0'::text, 'R1'::text, 'R2'::text, 'R3'::text, 'R4'::text]))),
    CONSTRAINT invocations_status CHECK ((status = ANY (ARRAY['pending'::text, 'approved'::text, 'executing'::text, 'denied'::text, 'quarantined'::text, 'expired'::text, 'succeeded'::text, 'failed'::text, 'reverted'::text, 'unknown'::text, 'skipped'::text]))),
    CONSTRAINT invocations_terminal CHECK ((((status = ANY (ARRAY['pending'::text, 'approved'::text, 'executing'::text])) = (receipt_id IS NULL)) AND ((receipt_id IS NULL) OR ((params_sealed IS NULL) AND (finished_at IS NOT NULL)))))
);
ALTER TABLE public.invocations_202612 OWNER TO countersign_owner;
CREATE TABLE public.invocations_202701 (
    org_id uuid NOT NULL,
    id uuid NOT NULL,
    session_id uuid NOT NULL,
    space_id uuid NOT NULL,
    agent text NOT NULL,
    source text NOT NULL,
    action text NOT NULL,
    definition_hash bytea NOT NULL,
    risk text NOT NULL,
    effect text NOT NULL,
    mode text NOT NULL,
    mode_source text NOT NULL,
    decision jsonb NOT NULL,
    status text NOT NULL,
    dry_run boolean NOT NULL,
    params jsonb NOT NULL,
    params_sealed bytea,
    shown_digest bytea NOT NULL,
    idempotency_key text,
    trace_id text,
    result jsonb,
    error jsonb,
    attempts integer DEFAULT 0 NOT NULL,
    receipt_id uuid,
    requested_at timestamp with time zone NOT NULL,
    started_at timestamp with time zone,
    finished_at timestamp with time zone,
    lease_until timestamp with time zone,
    lease_epoch integer DEFAULT 0 NOT NULL,
    expires_at timestamp with time zone,
    approved_at timestamp with time zone,
    CONSTRAINT invocations_effect CHECK ((effect = ANY (ARRAY['read'::text, 'keyed'::text, 'checkable'::text, 'once'::text]))),
    CONSTRAINT invocations_lease CHECK (((status = 'executing'::text) = (lease_until IS NOT NULL))),
    CONSTRAINT invocations_mode CHECK ((mode = ANY (ARRAY['allow'::text, 'require_approval'::text, 'deny'::text]))),
    CONSTRAINT invocations_risk CHECK ((risk = ANY (ARRAY['R0'::text, 'R1'::text, 'R2'::text, 'R3'::text, 'R4'::text]))),
    CONSTRAINT invocations_status CHECK ((status = ANY (ARRAY['pending'::text, 'approved'::text, 'executing'::text, 'denied'::text, 'quarantined'::text, 'expired'::text, 'succeeded'::text, 'failed'::text, 'reverted'::text, 'unknown'::text, 'skipped'::text]))),
    CONSTRAINT invocations_terminal CHECK ((((status = ANY (ARRAY['pending'::text, 'approved'::text, 'executing'::text])) = (receipt_id IS NULL)) AND ((receipt_id IS NULL) OR ((params_sealed IS NULL) AND (finished_at IS NOT NULL)))))
);
ALTER TABLE public.invocations_202701 OWNER TO countersign_owner;
CREATE TABLE public.invocations_default (
    org_id uuid NOT NULL,
    id uuid NOT NULL,
    session_id uuid NOT NULL,
    space_id uuid NOT NULL,
    agent text NOT NULL,
    source text NOT NULL,
    action text NOT NULL,
    definition_hash bytea NOT NULL,
    risk text NOT NULL,
    effect text NOT NULL,
    mode text NOT NULL,
    mode_source text NOT NULL,
    decision jsonb NOT NULL,
    status text NOT NULL,
    dry_run boolean NOT NULL,
    params jsonb NOT NULL,
    params_sealed bytea,
    shown_digest bytea NOT NULL,
    idempotency_key text,
    trace_id text,
    result jsonb,
    error jsonb,
    attempts integer DEFAULT 0 NOT NULL,
    receipt_id uuid,
    requested_at timestamp with time zone NOT NULL,
    started_at timestamp with time zone,
    finished_at timestamp with time zone,
    lease_until timestamp with time zone,
    lease_epoch integer DEFAULT 0 NOT NULL,
    expires_at timestamp with time zone,
    approved_at timestamp with time zone,
    CONSTRAINT invocations_effect CHECK ((effect = ANY (ARRAY['read'::text, 'keyed'::text, 'checkable'::text, 'once'::text]))),
    CONSTRAINT invocations_lease CHECK (((status = 'executing'::text) = (lease_until IS NOT NULL))),
    CONSTRAINT invocations_mode CHECK ((mode = ANY (ARRAY['allow'::text, 'require_approval'::text, 'deny'::text]))),
    CONSTRAINT invocations_risk CHECK ((risk = ANY (ARRAY['R0'::text, 'R1'::text, 'R2'::text, 'R3'::text, 'R4'::text]))),
    CONSTRAINT invocations_status CHECK ((status = ANY (ARRAY['pending'::text, 'approved'::text, 'executing'::text, 'denied'::text, 'quarantined'::text, 'expired'::text, 'succeeded'::text, 'failed'::text, 'reverted'::text, 'unknown'::text, 'skipped'::text]))),
    CONSTRAINT invocations_terminal CHECK ((((status = ANY (ARRAY['pending'::text, 'approved'::text, 'executing'::text])) = (receipt_id IS NULL)) AND ((receipt_id IS NULL) OR ((params_sealed IS NULL) AND (finished_at IS NOT NULL)))))
);
ALTER TABLE public.invocations_default OWNER TO countersign_owner;
CREATE TABLE public.ledger_checkpoints (
    signed_at timestamp with time zone NOT NULL,
    size bigint NOT NULL,
    checkpoint text NOT NULL
);
ALTER TABLE public.ledger_checkpoints OWNER TO countersign_owner;
CREATE TABLE public.ledger_entries (
    org_id uuid NOT NULL,
    receipt_id uuid NOT NULL,
    kind text NOT NULL,
    number bigint NOT NULL,
    index bigint NOT NULL,
    keyid text,
    commitment bytea,
    logged_at timestamp with time zone NOT NULL,
    CONSTRAINT ledger_entries_kind CHECK ((((kind = 'receipt'::text) AND (keyid IS NOT NULL) AND (commitment IS NOT NULL)) OR ((kind = 'erasure'::text) AND (keyid IS NULL) AND (commitment IS NULL))))
)
PARTITION BY RANGE (receipt_id);
ALTER TABLE ONLY public.ledger_entries FORCE ROW LEVEL SECURITY;
ALTER TABLE public.ledger_entries OWNER TO countersign_owner;
CREATE TABLE public.ledger_entries_202611 (
    org_id uuid NOT NULL,
    receipt_id uuid NOT NULL,
    kind text NOT NULL,
    number bigint NOT NULL,
    index bigint NOT NULL,
    keyid text,
    commitment bytea,
    logged_at timestamp with time zone NOT NULL,
    CONSTRAINT ledger_entries_kind CHECK ((((kind = 'receipt'::text) AND (keyid IS NOT NULL) AND (commitment IS NOT NULL)) OR ((kind = 'erasure'::text) AND (keyid IS NULL) AND (commitment IS NULL))))
);
ALTER TABLE public.ledger_entries_202611 OWNER TO countersign_owner;
CREATE TABLE public.ledger_entries_202612 (
    org_id uuid NOT NULL,
    receipt_id uuid NOT NULL,
    kind text NOT NULL,
    number bigint NOT NULL,
    index bigint NOT NULL,
    keyid text,
    commitment bytea,
    logged_at timestamp with time zone NOT NULL,
    CONSTRAINT ledger_entries_kind CHECK ((((kind = 'receipt'::text) AND (keyid IS NOT NULL) AND (commitment IS NOT NULL)) OR ((kind = 'erasure'::text) AND (keyid IS NULL) AND (commitment IS NULL))))
);
ALTER TABLE public.ledger_entries_202612 OWNER TO countersign_owner;
CREATE TABLE public.ledger_entries_202701 (
    org_id uuid NOT NULL,
    receipt_id uuid NOT NULL,
    kind text NOT NULL,
    number bigint NOT NULL,
    index bigint NOT NULL,
    keyid text,
    commitment bytea,
    logged_at timestamp with time zone NOT NULL,
    CONSTRAINT ledger_entries_kind CHECK ((((kind = 'receipt'::text) AND (keyid IS NOT NULL) AND (commitment IS NOT NULL)) OR ((kind = 'erasure'::text) AND (keyid IS NULL) AND (commitment IS NULL))))
);
ALTER TABLE public.ledger_entries_202701 OWNER TO countersign_owner;
CREATE TABLE public.ledger_entries_default (
    org_id uuid NOT NULL,
    receipt_id uuid NOT NULL,
    kind text NOT NULL,
    number bigint NOT NULL,
    index bigint NOT NULL,
    keyid text,
    commitment bytea,
    logged_at timestamp with time zone NOT NULL,
    CONSTRAINT ledger_entries_kind CHECK ((((kind = 'receipt'::text) AND (keyid IS NOT NULL) AND (commitment IS NOT NULL)) OR ((kind = 'erasure'::text) AND (keyid IS NULL) AND (commitment IS NULL))))
);
ALTER TABLE public.ledger_entries_default OWNER TO countersign_owner;
CREATE TABLE public.ledger_head (
    id boolean DEFAULT true NOT NULL,
    origin text,
    size bigint DEFAULT 0 NOT NULL,
    "position" bigint DEFAULT 0 NOT NULL,
    checkpoint text,
    signed_at timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    CONSTRAINT ledger_head_one CHECK (id)
);
ALTER TABLE public.ledger_head OWNER TO countersign_owner;
CREATE TABLE public.ledger_keys (
    keyid text NOT NULL,
    begun_index bigint NOT NULL,
    begun_at timestamp with time zone NOT NULL,
    ended_index bigint,
    ended_at timestamp with time zone
);
ALTER TABLE public.ledger_keys OWNER TO countersign_owner;
CREATE TABLE public.ledger_orgs (
    org_id uuid NOT NULL,
    size bigint NOT NULL
);
ALTER TABLE ONLY public.ledger_orgs FORCE ROW LEVEL SECURITY;
ALTER TABLE public.ledger_orgs OWNER TO countersign_owner;
CREATE TABLE public.ledger_tiles (
    level smallint NOT NULL,
    index bigint NOT NULL,
    hashes bytea NOT NULL,
    CONSTRAINT ledger_tiles_width CHECK ((((length(hashes) >= 32) AND (length(hashes) <= 8192)) AND ((length(hashes) % 32) = 0)))
);
ALTER TABLE public.ledger_tiles OWNER TO countersign_owner;
CREATE TABLE public.memberships (
    org_id uuid NOT NULL,
    user_id uuid NOT NULL,
    name text NOT NULL,
    role text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT memberships_role CHECK ((role = ANY (ARRAY['member'::text, 'admin'::text, 'owner'::text])))
);
ALTER TABLE ONLY public.memberships FORCE ROW LEVEL SECURITY;
ALTER TABLE public.memberships OWNER TO countersign_owner;
CREATE TABLE public.notices (
    org_id uuid NOT NULL,
    id uuid NOT NULL,
    notifier_id uuid NOT NULL,
    kind text NOT NULL,
    subject text NOT NULL,
    status text DEFAULT 'pending'::text NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    due_at timestamp with time zone,
    again boolean DEFAULT false NOT NULL,
    channel text,
    ts text,
    shown text,
    last_error text,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT notices_kind CHECK ((kind = 'asked'::text)),
    CONSTRAINT notices_status CHECK ((status = ANY (ARRAY['pending'::text, 'sent'::text, 'failed'::text, 'moot'::text])))
);
ALTER TABLE ONLY public.notices FORCE ROW LEVEL SECURITY;
ALTER TABLE public.notices OWNER TO countersign_owner;
CREATE TABLE public.notifiers (
    org_id uuid NOT NULL,
    id uuid NOT NULL,
    kind text NOT NULL,
    space_id uuid,
    target text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT notifiers_kind CHECK ((kind = ANY (ARRAY['slack'::text, 'email'::text])))
);
ALTER TABLE ONLY public.notifiers FORCE ROW LEVEL SECURITY;
ALTER TABLE public.notifiers OWNER TO countersign_owner;
CREATE TABLE public.orgs (
    id uuid NOT NULL,
    slug text NOT NULL,
    name text NOT NULL,
    policy_version bigint DEFAULT 1 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    approval_quorum integer DEFAULT 1 NOT NULL,
    approval_four_eyes boolean DEFAULT false NOT NULL,
    catalog_version bigint DEFAULT 1 NOT NULL,
    triggers_version bigint DEFAULT 1 NOT NULL,
    receipts_kept_days integer DEFAULT 180 NOT NULL,
    approval_passkey boolean DEFAULT false NOT NULL,
    CONSTRAINT orgs_approval_quorum CHECK (((approval_quorum >= 1) AND (approval_quorum <= 10))),
    CONSTRAINT orgs_receipts_kept CHECK (((receipts_kept_days >= 1) AND (receipts_kept_days <= 36500))),
    CONSTRAINT orgs_slug_shape CHECK ((slug ~ '^[a-z][a-z0-9-]{0,62}$'::text))
);
ALTER TABLE ONLY public.orgs FORCE ROW LEVEL SECURITY;
ALTER TABLE public.orgs OWNER TO countersign_owner;
CREATE TABLE public.passkeys (
    org_id uuid NOT NULL,
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    name text NOT NULL,
    credential bytea NOT NULL,
    public_key bytea NOT NULL,
    signed bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    last_used_at timestamp with time zone,
    removed_at timestamp with time zone,
    CONSTRAINT passkeys_sizes CHECK ((((octet_length(credential) >= 1) AND (octet_length(credential) <= 1023)) AND (octet_length(public_key) = 65) AND ((length(name) >= 1) AND (length(name) <= 60))))
);
ALTER TABLE ONLY public.passkeys FORCE ROW LEVEL SECURITY;
ALTER TABLE public.passkeys OWNER TO countersign_owner;
CREATE TABLE public.published_events (
    org_id uuid NOT NULL,
    source text NOT NULL,
    source_id text NOT NULL,
    event_id uuid NOT NULL,
    sha256 bytea NOT NULL,
    published_at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY public.published_events FORCE ROW LEVEL SECURITY;
ALTER TABLE public.published_events OWNER TO countersign_owner;
CREATE TABLE public.receipts (
    org_id uuid NOT NULL,
    id uuid NOT NULL,
    invocation_id uuid NOT NULL,
    session_id uuid NOT NULL,
    source text NOT NULL,
    action text NOT NULL,
    status text NOT NULL,
    payload bytea,
    keyid text NOT NULL,
    signature bytea,
    finished_at timestamp with time zone NOT NULL,
    "position" bigint DEFAULT 
CASE
    WHEN (pg_current_xact_id() IS NOT NULL) THEN nextval('public.ledger_positions'::regclass)
    ELSE NULL::bigint
END NOT NULL,
    commitment bytea,
    seed bytea,
    kept jsonb,
    CONSTRAINT receipts_erased CHECK ((((kept IS NULL) AND (payload IS NOT NULL) AND (signature IS NOT NULL)) OR ((kept IS NOT NULL) AND (payload IS NULL) AND (signature IS NULL) AND (seed IS NULL))))
)
PARTITION BY RANGE (id);
ALTER TABLE ONLY public.receipts FORCE ROW LEVEL SECURITY;
ALTER TABLE public.receipts OWNER TO countersign_owner;
CREATE TABLE public.receipts_202611 (
    org_id uuid NOT NULL,
    id uuid NOT NULL,
    invocation_id uuid NOT NULL,
    session_id uuid NOT NULL,
    source text NOT NULL,
    action text NOT NULL,
    status text NOT NULL,
    payload bytea,
    keyid text NOT NULL,
    signature bytea,
    finished_at timestamp with time zone NOT NULL,
    "position" bigint DEFAULT 
CASE
    WHEN (pg_current_xact_id() IS NOT NULL) THEN nextval('public.ledger_positions'::regclass)
    ELSE NULL::bigint
END NOT NULL,
    commitment bytea,
    seed bytea,
    kept jsonb,
    CONSTRAINT receipts_erased CHECK ((((kept IS NULL) AND (payload IS NOT NULL) AND (signature IS NOT NULL)) OR ((kept IS NOT NULL) AND (payload IS NULL) AND (signature IS NULL) AND (seed IS NULL))))
);
ALTER TABLE public.receipts_202611 OWNER TO countersign_owner;
CREATE TABLE public.receipts_202612 (
    org_id uuid NOT NULL,
    id uuid NOT NULL,
    invocation_id uuid NOT NULL,
    session_id uuid NOT NULL,
    source text NOT NULL,
    action text NOT NULL,
    status text NOT NULL,
    payload bytea,
    keyid text NOT NULL,
    signature bytea,
    finished_at timestamp with time zone NOT NULL,
    "position" bigint DEFAULT 
CASE
    WHEN (pg_current_xact_id() IS NOT NULL) THEN nextval('public.ledger_positions'::regclass)
    ELSE NULL::bigint
END NOT NULL,
    commitment bytea,
    seed bytea,
    kept jsonb,
    CONSTRAINT receipts_erased CHECK ((((kept IS NULL) AND (payload IS NOT NULL) AND (signature IS NOT NULL)) OR ((kept IS NOT NULL) AND (payload IS NULL) AND (signature IS NULL) AND (seed IS NULL))))
);
ALTER TABLE public.receipts_202612 OWNER TO countersign_owner;
CREATE TABLE public.receipts_202701 (
    org_id uuid NOT NULL,
    id uuid NOT NULL,
    invocation_id uuid NOT NULL,
    session_id uuid NOT NULL,
    source text NOT NULL,
    action text NOT NULL,
    status text NOT NULL,
    payload bytea,
    keyid text NOT NULL,
    signature bytea,
    finished_at timestamp with time zone NOT NULL,
    "position" bigint DEFAULT 
CASE
    WHEN (pg_current_xact_id() IS NOT NULL) THEN nextval('public.ledger_positions'::regclass)
    ELSE NULL::bigint
END NOT NULL,
    commitment bytea,
    seed bytea,
    kept jsonb,
    CONSTRAINT receipts_erased CHECK ((((kept IS NULL) AND (payload IS NOT NULL) AND (signature IS NOT NULL)) OR ((kept IS NOT NULL) AND (payload IS NULL) AND (signature IS NULL) AND (seed IS NULL))))
);
ALTER TABLE public.receipts_202701 OWNER TO countersign_owner;
CREATE TABLE public.receipts_default (
    org_id uuid NOT NULL,
    id uuid NOT NULL,
    invocation_id uuid NOT NULL,
    session_id uuid NOT NULL,
    source text NOT NULL,
    action text NOT NULL,
    status text NOT NULL,
    payload bytea,
    keyid text NOT NULL,
    signature bytea,
    finished_at timestamp with time zone NOT NULL,
    "position" bigint DEFAULT 
CASE
    WHEN (pg_current_xact_id() IS NOT NULL) THEN nextval('public.ledger_positions'::regclass)
    ELSE NULL::bigint
END NOT NULL,
    commitment bytea,
    seed bytea,
    kept jsonb,
    CONSTRAINT receipts_erased CHECK ((((kept IS NULL) AND (payload IS NOT NULL) AND (signature IS NOT NULL)) OR ((kept IS NOT NULL) AND (payload IS NULL) AND (signature IS NULL) AND (seed IS NULL))))
);
ALTER TABLE public.receipts_default OWNER TO countersign_owner;
CREATE TABLE public.rules (
    org_id uuid NOT NULL,
    id uuid NOT NULL,
    scope text NOT NULL,
    automation_id uuid,
    source text NOT NULL,
    action text NOT NULL,
    mode text NOT NULL,
    reason text NOT NULL,
    set_by uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT rules_mode CHECK ((mode = ANY (ARRAY['allow'::text, 'require_approval'::text, 'deny'::text]))),
    CONSTRAINT rules_scope CHECK (((scope = ANY (ARRAY['org'::text, 'automation'::text])) AND ((scope = 'automation'::text) = (automation_id IS NOT NULL)))),
    CONSTRAINT rules_wildcard CHECK (((source <> '*'::text) OR (action = '*'::text)))
);
ALTER TABLE ONLY public.rules FORCE ROW LEVEL SECURITY;
ALTER TABLE public.rules OWNER TO countersign_owner;
CREATE TABLE public.run_steps (
    org_id uuid NOT NULL,
    run_id uuid NOT NULL,
    ordinal smallint NOT NULL,
    attempt smallint NOT NULL,
    step_id text NOT NULL,
    action text NOT NULL,
    status text NOT NULL,
    invocation_id uuid,
    error jsonb,
    started_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone,
    CONSTRAINT run_steps_status CHECK ((status = ANY (ARRAY['running'::text, 'waiting'::text, 'succeeded'::text, 'failed'::text, 'skipped'::text])))
);
ALTER TABLE ONLY public.run_steps FORCE ROW LEVEL SECURITY;
ALTER TABLE public.run_steps OWNER TO countersign_owner;
CREATE TABLE public.run_traces (
    org_id uuid NOT NULL,
    hash bigint NOT NULL,
    run_id uuid NOT NULL,
    carried boolean NOT NULL,
    expires_at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY public.run_traces FORCE ROW LEVEL SECURITY;
ALTER TABLE public.run_traces OWNER TO countersign_owner;
CREATE TABLE public.runs (
    org_id uuid NOT NULL,
    id uuid NOT NULL,
    automation_id uuid NOT NULL,
    number bigint NOT NULL,
    version integer NOT NULL,
    trigger_id uuid,
    trigger_type text NOT NULL,
    cause text NOT NULL,
    cause_digest bytea,
    started_by uuid,
    status text NOT NULL,
    lane text NOT NULL,
    session_id uuid,
    inputs jsonb NOT NULL,
    inputs_sealed bytea,
    depth smallint NOT NULL,
    origin_chain text[] NOT NULL,
    named bigint[] DEFAULT '{}'::bigint[] NOT NULL,
    echo_of uuid,
    rerun_of uuid,
    awaits uuid,
    waiting_since timestamp with time zone,
    waited_ms bigint DEFAULT 0 NOT NULL,
    cancel_requested_at timestamp with time zone,
    error jsonb,
    cost_usd double precision DEFAULT 0 NOT NULL,
    revision integer DEFAULT 1 NOT NULL,
    due_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    started_at timestamp with time zone,
    finished_at timestamp with time zone,
    CONSTRAINT runs_lane CHECK ((lane = ANY (ARRAY['fast'::text, 'medium'::text, 'long'::text]))),
    CONSTRAINT runs_status CHECK ((status = ANY (ARRAY['pending'::text, 'running'::text, 'waiting'::text, 'succeeded'::text, 'failed'::text, 'cancelled'::text, 'timed_out'::text]))),
    CONSTRAINT runs_terminal CHECK ((((status = ANY (ARRAY['pending'::text, 'running'::text, 'waiting'::text])) = (finished_at IS NULL)) AND ((finished_at IS NULL) OR ((due_at IS NULL) AND (awaits IS NULL))))),
    CONSTRAINT runs_trigger_type CHECK ((trigger_type = ANY (ARRAY['schedule'::text, 'webhook'::text, 'event'::text, 'person'::text]))),
    CONSTRAINT runs_waiting CHECK (((status = 'waiting'::text) = (awaits IS NOT NULL)))
);
ALTER TABLE ONLY public.runs FORCE ROW LEVEL SECURITY;
ALTER TABLE public.runs OWNER TO countersign_owner;
CREATE TABLE public.secrets (
    org_id uuid NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    sealed bytea NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    set_by uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT secrets_name_shape CHECK ((name ~ '^[A-Za-z][A-Za-z0-9_.-]{0,99}$'::text))
);
ALTER TABLE ONLY public.secrets FORCE ROW LEVEL SECURITY;
ALTER TABLE public.secrets OWNER TO countersign_owner;
CREATE TABLE public.sessions (
    org_id uuid NOT NULL,
    id uuid NOT NULL,
    space_id uuid NOT NULL,
    kind text NOT NULL,
    agent text NOT NULL,
    title text NOT NULL,
    capabilities text[] NOT NULL,
    token_sha256 bytea NOT NULL,
    created_by uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    pending_count integer DEFAULT 0 NOT NULL,
    automation_id uuid,
    run_id uuid,
    depth smallint DEFAULT 0 NOT NULL,
    origin_chain text[] DEFAULT '{}'::text[] NOT NULL,
    CONSTRAINT sessions_kind CHECK ((kind = ANY (ARRAY['interactive'::text, 'unattended'::text]))),
    CONSTRAINT sessions_pending_count CHECK ((pending_count >= 0)),
    CONSTRAINT sessions_run CHECK (((automation_id IS NULL) = (run_id IS NULL)))
);
ALTER TABLE ONLY public.sessions FORCE ROW LEVEL SECURITY;
ALTER TABLE public.sessions OWNER TO countersign_owner;
CREATE TABLE public.signing_keys (
    keyid text NOT NULL,
    public_key bytea NOT NULL,
    master_key text NOT NULL,
    wrapped bytea NOT NULL,
    not_before timestamp with time zone NOT NULL,
    not_after timestamp with time zone,
    created_at timestamp with time zone NOT NULL
);
ALTER TABLE public.signing_keys OWNER TO countersign_owner;
CREATE TABLE public.slack_clicks (
    org_id uuid NOT NULL,
    signature_sha256 bytea NOT NULL,
    at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY public.slack_clicks FORCE ROW LEVEL SECURITY;
ALTER TABLE public.slack_clicks OWNER TO countersign_owner;
CREATE TABLE public.slack_people (
    org_id uuid NOT NULL,
    slack_user text NOT NULL,
    user_id uuid NOT NULL
);
ALTER TABLE ONLY public.slack_people FORCE ROW LEVEL SECURITY;
ALTER TABLE public.slack_people OWNER TO countersign_owner;
CREATE TABLE public.spaces (
    org_id uuid NOT NULL,
    id uuid NOT NULL,
    slug text NOT NULL,
    name text NOT NULL,
    risk_band text NOT NULL,
    outbound_redaction boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT spaces_risk_band CHECK ((risk_band = ANY (ARRAY['green'::text, 'amber'::text, 'red'::text, 'black'::text]))),
    CONSTRAINT spaces_slug_shape CHECK ((slug ~ '^[a-z][a-z0-9-]{0,62}$'::text))
);
ALTER TABLE ONLY public.spaces FORCE ROW LEVEL SECURITY;
ALTER TABLE public.spaces OWNER TO countersign_owner;
CREATE VIEW public.standings WITH (security_invoker='true') AS
 SELECT sessions.org_id,
    sessions.id AS session_id,
    sessions.expires_at,
    orgs.policy_version
   FROM (public.sessions
     JOIN public.orgs ON ((orgs.id = sessions.org_id)))
  WHERE (sessions.ended_at IS NULL);
ALTER TABLE public.standings OWNER TO countersign_owner;
CREATE TABLE public.triggers (
    org_id uuid NOT NULL,
    id uuid NOT NULL,
    automation_id uuid NOT NULL,
    ordinal smallint NOT NULL,
    type text NOT NULL,
    config jsonb NOT NULL,
    enabled boolean NOT NULL,
    token_sha256 bytea,
    sealed bytea,
    next_at timestamp with time zone,
    last_fired_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT triggers_next CHECK (((next_at IS NULL) OR (type = 'schedule'::text))),
    CONSTRAINT triggers_token CHECK (((token_sha256 IS NULL) OR (type = 'webhook'::text))),
    CONSTRAINT triggers_type CHECK ((type = ANY (ARRAY['schedule'::text, 'webhook'::text, 'event'::text])))
);
ALTER TABLE ONLY public.triggers FORCE ROW LEVEL SECURITY;
ALTER TABLE public.triggers OWNER TO countersign_owner;
CREATE TABLE public.users (
    id uuid NOT NULL,
    email text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT users_email_lower CHECK ((email = lower(email)))
);
ALTER TABLE public.users OWNER TO countersign_owner;
CREATE TABLE public.webhook_deliveries (
    org_id uuid NOT NULL,
    id uuid NOT NULL,
    webhook_id uuid NOT NULL,
    event_id uuid NOT NULL,
    status text DEFAULT 'pending'::text NOT NULL,
    round integer DEFAULT 1 NOT NULL,
    attempts smallint DEFAULT 0 NOT NULL,
    last_status smallint,
    last_error text,
    next_at timestamp with time zone NOT NULL,
    created_at timestamp with time zone NOT NULL,
    delivered_at timestamp with time zone,
    CONSTRAINT webhook_deliveries_status_known CHECK ((status = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text])))
);
ALTER TABLE ONLY public.webhook_deliveries FORCE ROW LEVEL SECURITY;
ALTER TABLE public.webhook_deliveries OWNER TO countersign_owner;
CREATE TABLE public.webhooks (
    org_id uuid NOT NULL,
    id uuid NOT NULL,
    url text NOT NULL,
    types text[] DEFAULT '{}'::text[] NOT NULL,
    filter jsonb,
    sealed bytea NOT NULL,
    previous_sealed bytea,
    previous_until timestamp with time zone,
    enabled boolean DEFAULT true NOT NULL,
    failing_since timestamp with time zone,
    disabled_reason text,
    created_by uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT webhooks_previous_together CHECK (((previous_sealed IS NULL) = (previous_until IS NULL)))
);
ALTER TABLE ONLY public.webhooks FORCE ROW LEVEL SECURITY;
ALTER TABLE public.webhooks OWNER TO countersign_owner;
ALTER TABLE ONLY public.attempts ATTACH PARTITION public.attempts_202611 FOR VALUES FROM ('01a19467-e800-0000-0000-000000000000') TO ('01a22ee6-b000-0000-0000-000000000000');
ALTER TABLE ONLY public.attempts ATTACH PARTITION public.attempts_202612 FOR VALUES FROM ('01a22ee6-b000-0000-0000-000000000000') TO ('01a2ce8b-d400-0000-0000-000000000000');
ALTER TABLE ONLY public.attempts ATTACH PARTITION public.attempts_202701 FOR VALUES FROM ('01a2ce8b-d400-0000-0000-000000000000') TO ('01a36e30-f800-0000-0000-000000000000');
ALTER TABLE ONLY public.attempts ATTACH PARTITION public.attempts_default DEFAULT;
ALTER TABLE ONLY public.erasures ATTACH PARTITION public.erasures_202611 FOR VALUES FROM ('01a19467-e800-0000-0000-000000000000') TO ('01a22ee6-b000-0000-0000-000000000000');
ALTER TABLE ONLY public.erasures ATTACH PARTITION public.erasures_202612 FOR VALUES FROM ('01a22ee6-b000-0000-0000-000000000000') TO ('01a2ce8b-d400-0000-0000-000000000000');
ALTER TABLE ONLY public.erasures ATTACH PARTITION public.erasures_202701 FOR VALUES FROM ('01a2ce8b-d400-0000-0000-000000000000') TO ('01a36e30-f800-0000-0000-000000000000');
ALTER TABLE ONLY public.erasures ATTACH PARTITION public.erasures_default DEFAULT;
ALTER TABLE ONLY public.events ATTACH PARTITION public.events_20261117 FOR VALUES FROM ('01a1e6cd-a800-0000-0000-000000000000') TO ('01a1ebf4-0400-0000-0000-000000000000');
ALTER TABLE ONLY public.events ATTACH PARTITION public.events_20261118 FOR VALUES FROM ('01a1ebf4-0400-0000-0000-000000000000') TO ('01a1f11a-6000-0000-0000-000000000000');
ALTER TABLE ONLY public.events ATTACH PARTITION public.events_20261119 FOR VALUES FROM ('01a1f11a-6000-0000-0000-000000000000') TO ('01a1f640-bc00-0000-0000-000000000000');
ALTER TABLE ONLY public.events ATTACH PARTITION public.events_20261120 FOR VALUES FROM ('01a1f640-bc00-0000-0000-000000000000') TO ('01a1fb67-1800-0000-0000-000000000000');
ALTER TABLE ONLY public.events ATTACH PARTITION public.events_20261121 FOR VALUES FROM ('01a1fb67-1800-0000-0000-000000000000') TO ('01a2008d-7400-0000-0000-000000000000');
ALTER TABLE ONLY public.events ATTACH PARTITION public.events_20261122 FOR VALUES FROM ('01a2008d-7400-0000-0000-000000000000') TO ('01a205b3-d000-0000-0000-000000000000');
ALTER TABLE ONLY public.events ATTACH PARTITION public.events_20261123 FOR VALUES FROM ('01a205b3-d000-0000-0000-000000000000') TO ('01a20ada-2c00-0000-0000-000000000000');
ALTER TABLE ONLY public.events ATTACH PARTITION public.events_20261124 FOR VALUES FROM ('01a20ada-2c00-0000-0000-000000000000') TO ('01a21000-8800-0000-0000-000000000000');
ALTER TABLE ONLY public.events ATTACH PARTITION public.events_20261125 FOR VALUES FROM ('01a21000-8800-0000-0000-000000000000') TO ('01a21526-e400-0000-0000-000000000000');
ALTER TABLE ONLY public.events ATTACH PARTITION public.events_20261126 FOR VALUES FROM ('01a21526-e400-0000-0000-000000000000') TO ('01a21a4d-4000-0000-0000-000000000000');
ALTER TABLE ONLY public.events ATTACH PARTITION public.events_20261127 FOR VALUES FROM ('01a21a4d-4000-0000-0000-000000000000') TO ('01a21f73-9c00-0000-0000-000000000000');
ALTER TABLE ONLY public.events ATTACH PARTITION public.events_20261128 FOR VALUES FROM ('01a21f73-9c00-0000-0000-000000000000') TO ('01a22499-f800-0000-0000-000000000000');
ALTER TABLE ONLY public.events ATTACH PARTITION public.events_20261129 FOR VALUES FROM ('01a22499-f800-0000-0000-000000000000') TO ('01a229c0-5400-0000-0000-000000000000');
ALTER TABLE ONLY public.events ATTACH PARTITION public.events_20261130 FOR VALUES FROM ('01a229c0-5400-0000-0000-000000000000') TO ('01a22ee6-b000-0000-0000-000000000000');
ALTER TABLE ONLY public.events ATTACH PARTITION public.events_20261201 FOR VALUES FROM ('01a22ee6-b000-0000-0000-000000000000') TO ('01a2340d-0c00-0000-0000-000000000000');
ALTER TABLE ONLY public.events ATTACH PARTITION public.events_default DEFAULT;
ALTER TABLE ONLY public.invocations ATTACH PARTITION public.invocations_202611 FOR VALUES FROM ('01a19467-e800-0000-0000-000000000000') TO ('01a22ee6-b000-0000-0000-000000000000');
ALTER TABLE ONLY public.invocations ATTACH PARTITION public.invocations_202612 FOR VALUES FROM ('01a22ee6-b000-0000-0000-000000000000') TO ('01a2ce8b-d400-0000-0000-000000000000');
ALTER TABLE ONLY public.invocations ATTACH PARTITION public.invocations_202701 FOR VALUES FROM ('01a2ce8b-d400-0000-0000-000000000000') TO ('01a36e30-f800-0000-0000-000000000000');
ALTER TABLE ONLY public.invocations ATTACH PARTITION public.invocations_default DEFAULT;
ALTER TABLE ONLY public.ledger_entries ATTACH PARTITION public.ledger_entries_202611 FOR VALUES FROM ('01a19467-e800-0000-0000-000000000000') TO ('01a22ee6-b000-0000-0000-000000000000');
ALTER TABLE ONLY public.ledger_entries ATTACH PARTITION public.ledger_entries_202612 FOR VALUES FROM ('01a22ee6-b000-0000-0000-000000000000') TO ('01a2ce8b-d400-0000-0000-000000000000');
ALTER TABLE ONLY public.ledger_entries ATTACH PARTITION public.ledger_entries_202701 FOR VALUES FROM ('01a2ce8b-d400-0000-0000-000000000000') TO ('01a36e30-f800-0000-0000-000000000000');
ALTER TABLE ONLY public.ledger_entries ATTACH PARTITION public.ledger_entries_default DEFAULT;
ALTER TABLE ONLY public.receipts ATTACH PARTITION public.receipts_202611 FOR VALUES FROM ('01a19467-e800-0000-0000-000000000000') TO ('01a22ee6-b000-0000-0000-000000000000');
ALTER TABLE ONLY public.receipts ATTACH PARTITION public.receipts_202612 FOR VALUES FROM ('01a22ee6-b000-0000-0000-000000000000') TO ('01a2ce8b-d400-0000-0000-000000000000');
ALTER TABLE ONLY public.receipts ATTACH PARTITION public.receipts_202701 FOR VALUES FROM ('01a2ce8b-d400-0000-0000-000000000000') TO ('01a36e30-f800-0000-0000-000000000000');
ALTER TABLE ONLY public.receipts ATTACH PARTITION public.receipts_default DEFAULT;
INSERT INTO public._sqlx_migrations VALUES (20261115000001, 'tenancy', '2026-11-17 17:21:48.714742+00', true, '\x8d9ff9c4affd61b62173748c52ff81d396b64d83656b297cffa26898a4b02762eea167316e5c1941c4d8e43745a71c7b', 59305887);
INSERT INTO public._sqlx_migrations VALUES (20261115000002, 'policy', '2026-11-17 17:21:48.775503+00', true, '\x9a4d153ca29a06348f3adb0651d45da26ff21957982ff2653991e89b7d08f06ee1337619da5df6a50d06d0d7678d4735', 6464687);
INSERT INTO public._sqlx_migrations VALUES (20261115000003, 'work', '2026-11-17 17:21:48.783029+00', true, '\x4477cb2de4880850433ec1e0ab5ad9a78f3e4d5f55cf68982672bfa3e060ee42c2b5ae4e87dc2cc0ee82fe3db928ebbc', 112859636);
INSERT INTO public._sqlx_migrations VALUES (20261115000004, 'session index', '2026-11-17 17:21:48.896663+00', true, '\xc580c206d49cfff84f2a69344aab2e2b1895dc6ed520c0571662f4056fb76c19c063dddd4f8dff8c53eca211aec7ed8b', 10287018);
INSERT INTO public._sqlx_migrations VALUES (20261115000005, 'approvals', '2026-11-17 17:21:48.907403+00', true, '\xde5bfbc4711a4d382e1764cca236f265c51a7bc00ec5c2f63b1074bd96bb3d899f4201283027435969848a567122617c', 37659011);
INSERT INTO public._sqlx_migrations VALUES (20261115000006, 'connectors', '2026-11-17 17:21:48.945952+00', true, '\xcce6bbf8cf8ef2156f85f9983cf022bf0b8010acea73c9224d9f8d2e2a6eb0fad33b06ffc31658d4ed8dc1697d15bfd5', 21596945);
INSERT INTO public._sqlx_migrations VALUES (20261115000007, 'policy told', '2026-11-17 17:21:48.968977+00', true, '\x0193d89ce95a0f06a24e744f1c6a673161408eb64e235c0ade08a96c1fd9e0c6dd10bd59d3eda5accf40562c2111afb6', 954680);
INSERT INTO public._sqlx_migrations VALUES (20261115000008, 'authorizations', '2026-11-17 17:21:48.97044+00', true, '\x1bb5ac379f55669a85c535d8c688520dd6fb4a80cda7528c02e1c4ebf68133b27e7b643ea76d4425aa78055f8dac33d7', 8772164);
INSERT INTO public._sqlx_migrations VALUES (20261115000009, 'events', '2026-11-17 17:21:48.979596+00', true, '\x2e6bbf1895baf45333384d86fad7f0702beca4c57d39246ff268f48f2d8f01adccb683300a198615279c9d714fac04a4', 135085667);
INSERT INTO public._sqlx_migrations VALUES (20261115000010, 'webhooks', '2026-11-17 17:21:49.117058+00', true, '\x74d4d608cdfa95bae319a7818c25fc407fde2a10897fcfe33b319d3209c229362ebcaad2a695abb8a222e96c43d67ce3', 20941164);
INSERT INTO public._sqlx_migrations VALUES (20261115000011, 'notifiers', '2026-11-17 17:21:49.139464+00', true, '\xe0a99685b738dd9ecdb94e3e04c7edea69f035f65ddfebc4e3873246df1c6a89b61deee672f1b350648b1d6183223a7c', 34583309);
INSERT INTO public._sqlx_migrations VALUES (20261115000012, 'automations', '2026-11-17 17:21:49.175326+00', true, '\xf48bb7231f691919aae7ebd7c669d1769caf2edd50a62e8cd15de7c7ecb42a464da910cde419c9d47f571820819e0df8', 84189258);
INSERT INTO public._sqlx_migrations VALUES (20261115000013, 'signin', '2026-11-17 17:21:49.260617+00', true, '\x84baab682aa386a3ba7e14d43f30d82c55d82e3b29f1f48fa73e62bbab6c037af012454269230ceffda3d32ed1af218c', 12019570);
INSERT INTO public._sqlx_migrations VALUES (20261115000014, 'overview', '2026-11-17 17:21:49.274031+00', true, '\x5c8bb0b22e27e64ae7fb4732c9c34bc06c2206ae0a92eb98d4299b9bfdb4e62f0882a50209973d4f608e664361879737', 26575859);
INSERT INTO public._sqlx_migrations VALUES (20261115000015, 'ledger', '2026-11-17 17:21:49.30206+00', true, '\x859e30643adb1cbae2b010e7a864d0106450e47d340b3d065eb3437d62f7f6268514fefd9064cd7a1c428142aa7be4f3', 176684698);
INSERT INTO public._sqlx_migrations VALUES (20261115000016, 'artifacts', '2026-11-17 17:21:49.484355+00', true, '\x13965abe22f8f756ee45d711319d82e9ebeeb0a5950457622e7224e6b46ef349ea3c6cb9fde59d351c5b6f5eca64a1cb', 20532538);
INSERT INTO public._sqlx_migrations VALUES (20261115000017, 'passkeys', '2026-11-17 17:21:49.505978+00', true, '\x6d194bd9e5ed9d3ef1e0f229fa74907f9099dc50a3892709cbd6e0b0b16eef0831a12401bb49c74d7eed1c63bc59b036', 18874225);
INSERT INTO public.api_tokens VALUES ('01a1ea87-82a5-7b31-975e-aaeaa7a40b57', '01a1ea87-82b7-7bc4-95ca-b9034face454', '01a1ea87-82ae-74df-8d2e-bf2f23d9fc70', 'first token', '\x4349b390252cd52a685b3e540aacf337a7aad6412bf20a07f1c62dd5b4c293fb', NULL, NULL, '2026-11-17 17:21:54.937923+00', '2026-11-17 17:21:51.799157+00', NULL, NULL);
INSERT INTO public.approvals VALUES ('01a1ea87-82a5-7b31-975e-aaeaa7a40b57', '01a1ea87-91ca-76aa-88e4-fdbdd7d4f4c6', '01a1ea87-90da-7dfb-90af-c22e2048ad30', '01a1ea87-82ae-74df-8d2e-bf2f23d9fc70', 'approved', 'once', 'cli', '\x8e4e2f5a92a87565685efd26870a938a9498d13abdb6f94138987d490f8fd3bb', '', 'linear', 'create_issue', '2026-11-17 17:21:55.658566+00', NULL);
INSERT INTO public.approvals VALUES ('01a1ea87-82a5-7b31-975e-aaeaa7a40b57', '01a1ea87-921c-77aa-9056-25e40941a41d', '01a1ea87-9147-7978-90cb-19cb4edd4677', '01a1ea87-82ae-74df-8d2e-bf2f23d9fc70', 'denied', 'once', 'cli', '\xdab9c3ec08039b68a79b3de392722541e70bd497e22bcfe6e40c9292848e76ad', 'not needed', 'linear', 'create_issue', '2026-11-17 17:21:55.740683+00', NULL);
INSERT INTO public.connections VALUES ('01a1ea87-82a5-7b31-975e-aaeaa7a40b57', '01a1ea87-8f17-7b22-898c-4c6eb7fa4a61', 'linear', 'acme', '\x0101a1ea8782b47ec191ba615d031565d5f8596bab38ffdd6dc1c0ce3b4bc3eba21022b4c0150edfcdbe3243c8eb11d1a27a5e5d736f31a88d8fcbdaec', 1, '01a1ea87-82ae-74df-8d2e-bf2f23d9fc70', '2026-11-17 17:21:54.964727+00', '2026-11-17 17:21:54.964727+00');
INSERT INTO public.data_keys VALUES ('01a1ea87-82a5-7b31-975e-aaeaa7a40b57', '01a1ea87-82b4-7ec1-91ba-615d031565d5', 'k1', '\x58d985c6a5b2ff7b6ee305413e644e2bb27a568fd3abf7e04f7b434125df1022fb433082b0e27d1c1493e93919929b9d9b52695b629dacc7bff4b5e4541e8bcb', '2026-11-17 17:21:51.797068+00');
INSERT INTO public.event_followers VALUES ('relay', 6, '01a1ea87-8333-7f24-8d8b-1ab53bc111ce', '-infinity');
INSERT INTO public.event_followers VALUES ('notifier', 6, '01a1ea87-8381-760a-978b-72b7ff9c7662', '-infinity');
INSERT INTO public.event_followers VALUES ('dispatcher', 6, '01a1ea87-8381-760a-978b-72b840d276da', '-infinity');
INSERT INTO public.event_followers VALUES ('webhooks', 6, '01a1ea87-8380-78f7-8937-9ce45227fb7b', '-infinity');
INSERT INTO public.events_20261117 VALUES ('01a1ea87-82a5-7b31-975e-aaeaa7a40b57', '01a1ea87-8ffb-7153-9eee-6bbe4495b18d', 'action.executed', 'inv_01a1ea878fee728d8aba794a1756c174', '01a1ea87-82a5-7b31-975e-aaeab6ae732c', '01a1ea87-8f50-7dd1-8a35-4e5430c135ee', '{"error": null, "action": "linear.list_issues", "status": "succeeded", "receipt": "rcp_01a1ea878ff87cd29934baf2da96874f", "invocation": "inv_01a1ea878fee728d8aba794a1756c174"}', '2026-11-17 17:21:55.195498+00', 1, '/countersign', NULL, 0, '{}');
INSERT INTO public.events_20261117 VALUES ('01a1ea87-82a5-7b31-975e-aaeaa7a40b57', '01a1ea87-904c-74c3-8ab7-08bb44ecdda6', 'action.approval_requested', 'inv_01a1ea879044782f95630de87c1e665a', '01a1ea87-82a5-7b31-975e-aaeab6ae732c', '01a1ea87-8f50-7dd1-8a35-4e5430c135ee', '{"risk": "R2", "agent": "triage-bot", "action": "linear.create_issue", "expires_at": "2026-11-18T17:21:55.268562Z", "invocation": "inv_01a1ea879044782f95630de87c1e665a"}', '2026-11-17 17:21:55.276221+00', 2, '/countersign', NULL, 0, '{}');
INSERT INTO public.events_20261117 VALUES ('01a1ea87-82a5-7b31-975e-aaeaa7a40b57', '01a1ea87-90e1-79d8-9cc1-7ac56e597ba2', 'action.approval_requested', 'inv_01a1ea8790da7dfb90afc22e2048ad30', '01a1ea87-82a5-7b31-975e-aaeab6ae732c', '01a1ea87-8f50-7dd1-8a35-4e5430c135ee', '{"risk": "R2", "agent": "triage-bot", "action": "linear.create_issue", "expires_at": "2026-11-18T17:21:55.418655Z", "invocation": "inv_01a1ea8790da7dfb90afc22e2048ad30"}', '2026-11-17 17:21:55.42525+00', 3, '/countersign', NULL, 0, '{}');
INSERT INTO public.events_20261117 VALUES ('01a1ea87-82a5-7b31-975e-aaeaa7a40b57', '01a1ea87-9150-79ce-8cf3-c9c5af626426', 'action.approval_requested', 'inv_01a1ea879147797890cb19cb4edd4677', '01a1ea87-82a5-7b31-975e-aaeab6ae732c', '01a1ea87-8f50-7dd1-8a35-4e5430c135ee', '{"risk": "R2", "agent": "triage-bot", "action": "linear.create_issue", "expires_at": "2026-11-18T17:21:55.527832Z", "invocation": "inv_01a1ea879147797890cb19cb4edd4677"}', '2026-11-17 17:21:55.536952+00', 4, '/countersign', NULL, 0, '{}');
INSERT INTO public.events_20261117 VALUES ('01a1ea87-82a5-7b31-975e-aaeaa7a40b57', '01a1ea87-91db-785f-9bb8-ae6824f7e276', 'action.approval_given', 'inv_01a1ea8790da7dfb90afc22e2048ad30', '01a1ea87-82a5-7b31-975e-aaeab6ae732c', '01a1ea87-8f50-7dd1-8a35-4e5430c135ee', '{"votes": 1, "action": "linear.create_issue", "invocation": "inv_01a1ea8790da7dfb90afc22e2048ad30"}', '2026-11-17 17:21:55.675559+00', 5, '/countersign', NULL, 0, '{}');
INSERT INTO public.events_20261117 VALUES ('01a1ea87-82a5-7b31-975e-aaeaa7a40b57', '01a1ea87-9221-7bc4-95e7-99ed850911f7', 'action.denied', 'inv_01a1ea879147797890cb19cb4edd4677', '01a1ea87-82a5-7b31-975e-aaeab6ae732c', '01a1ea87-8f50-7dd1-8a35-4e5430c135ee', '{"error": "denied", "action": "linear.create_issue", "status": "denied", "receipt": "rcp_01a1ea87922074b48dc0f22b45763cbb", "invocation": "inv_01a1ea879147797890cb19cb4edd4677"}', '2026-11-17 17:21:55.745005+00', 6, '/countersign', NULL, 0, '{}');
INSERT INTO public.invocations_202611 VALUES ('01a1ea87-82a5-7b31-975e-aaeaa7a40b57', '01a1ea87-8fee-728d-8aba-794a1756c174', '01a1ea87-8f50-7dd1-8a35-4e5430c135ee', '01a1ea87-82a5-7b31-975e-aaeab6ae732c', 'triage-bot', 'linear', 'list_issues', '\xe19a3333f782df91e0c162246577f82c91b727d1ae310fe3bea1dd5b5f557923', 'R1', 'read', 'allow', 'inferred', '{"mode": "allow", "gates": [{"gate": "capability", "reason": "", "verdict": "pass"}, {"gate": "safety", "reason": "", "verdict": "pass"}], "reason": "no rule; allow is the default for R1", "guardrails": [], "mode_source": "inferred", "quarantined": false}', 'succeeded', false, '{}', NULL, '\x5cf5b8c14f30d5f1c348e6c451a7d8ff54b71810528654b6809f1658c639cb4a', NULL, NULL, '{"issues": [{"id": "11111111-1111-4111-8111-111111111111", "url": "https://linear.app/acme/issue/ENG-1", "team": {"id": "team-1", "key": "ENG", "name": "Engineering"}, "state": {"id": "state-todo", "name": "Todo", "type": "unstarted"}, "title": "An issue that was there before", "labels": {"nodes": []}, "assignee": null, "comments": {"nodes": []}, "priority": 0, "createdAt": "2026-01-01T00:00:00.000Z", "updatedAt": "2026-01-01T00:00:00.000Z", "archivedAt": null, "identifier": "ENG-1", "description": null}], "next_cursor": null}', NULL, 1, '01a1ea87-8ff8-7cd2-9934-baf2da96874f', '2026-11-17 17:21:55.182296+00', '2026-11-17 17:21:55.182296+00', '2026-11-17 17:21:55.192533+00', NULL, 0, NULL, NULL);
INSERT INTO public.invocations_202611 VALUES ('01a1ea87-82a5-7b31-975e-aaeaa7a40b57', '01a1ea87-9044-782f-9563-0de87c1e665a', '01a1ea87-8f50-7dd1-8a35-4e5430c135ee', '01a1ea87-82a5-7b31-975e-aaeab6ae732c', 'triage-bot', 'linear', 'create_issue', '\x36106ef2bb50ea87a4e9ddf9da16ac54bb870618c9f76e9e120693890fc6e9a2', 'R2', 'checkable', 'require_approval', 'inferred', '{"mode": "require_approval", "gates": [{"gate": "capability", "reason": "", "verdict": "pass"}, {"gate": "safety", "reason": "", "verdict": "pass"}], "reason": "no rule; require_approval is the default for R2", "guardrails": [], "mode_source": "inferred", "quarantined": false}', 'pending', false, '{"title": "Waits since version 0.1", "team_id": "11111111-1111-4111-8111-111111111111"}', '\x0101a1ea8782b47ec191ba615d031565d55d5a6cde42ef78cc00e3af2fcdc29743a31931b72ccc9aee0bccb30862c8e98f6428977637878ce671101ad6cfbb8f93ec97c3eb4ed3e8bbabd11e9f35109d7181d639f98bc9285825a43323cc4ab242790b960b3c7253ad0064389dfa9d38999b7aefea01454785c609a5c8349f196920006365', '\x1ebd760c5fec97533fcd04849fae999e181e86c2b91444a00c130796455bca10', NULL, NULL, NULL, NULL, 0, NULL, '2026-11-17 17:21:55.268562+00', NULL, NULL, NULL, 0, '2026-11-18 17:21:55.268562+00', NULL);
INSERT INTO public.invocations_202611 VALUES ('01a1ea87-82a5-7b31-975e-aaeaa7a40b57', '01a1ea87-90da-7dfb-90af-c22e2048ad30', '01a1ea87-8f50-7dd1-8a35-4e5430c135ee', '01a1ea87-82a5-7b31-975e-aaeab6ae732c', 'triage-bot', 'linear', 'create_issue', '\x36106ef2bb50ea87a4e9ddf9da16ac54bb870618c9f76e9e120693890fc6e9a2', 'R2', 'checkable', 'require_approval', 'inferred', '{"mode": "require_approval", "gates": [{"gate": "capability", "reason": "", "verdict": "pass"}, {"gate": "safety", "reason": "", "verdict": "pass"}], "reason": "no rule; require_approval is the default for R2", "guardrails": [], "mode_source": "inferred", "quarantined": false}', 'approved', false, '{"title": "Approved by version 0.1", "team_id": "11111111-1111-4111-8111-111111111111"}', '\x0101a1ea8782b47ec191ba615d031565d53b1764998fdad88216284b76411157b55b170df8001bf64ff67bb3a3a24d646e0da51ca99290d6ad8186693bbf33cfff5a43634a4171713c8d1319a02f43540c64ec78be72c1d2b390baf7eb13e7ec53af48345e6bfd017eec8e58557dfcb1c429c0af74ce46a109cad8cc7841676206e2ae13a4', '\x8e4e2f5a92a87565685efd26870a938a9498d13abdb6f94138987d490f8fd3bb', NULL, NULL, NULL, NULL, 0, NULL, '2026-11-17 17:21:55.418655+00', NULL, NULL, NULL, 0, '2026-11-18 17:21:55.418655+00', '2026-11-17 17:21:55.668937+00');
INSERT INTO public.invocations_202611 VALUES ('01a1ea87-82a5-7b31-975e-aaeaa7a40b57', '01a1ea87-9147-7978-90cb-19cb4edd4677', '01a1ea87-8f50-7dd1-8a35-4e5430c135ee', '01a1ea87-82a5-7b31-975e-aaeab6ae732c', 'triage-bot', 'linear', 'create_issue', '\x36106ef2bb50ea87a4e9ddf9da16ac54bb870618c9f76e9e120693890fc6e9a2', 'R2', 'checkable', 'require_approval', 'inferred', '{"mode": "require_approval", "gates": [{"gate": "capability", "reason": "", "verdict": "pass"}, {"gate": "safety", "reason": "", "verdict": "pass"}], "reason": "no rule; require_approval is the default for R2", "guardrails": [], "mode_source": "inferred", "quarantined": false}', 'denied', false, '{"title": "Denied by version 0.1", "team_id": "11111111-1111-4111-8111-111111111111"}', NULL, '\xdab9c3ec08039b68a79b3de392722541e70bd497e22bcfe6e40c9292848e76ad', NULL, NULL, NULL, '{"sent": false, "class": "denied", "message": "denied by a person: not needed"}', 0, '01a1ea87-9220-74b4-8dc0-f22b45763cbb', '2026-11-17 17:21:55.527832+00', NULL, '2026-11-17 17:21:55.744217+00', NULL, 0, '2026-11-18 17:21:55.527832+00', NULL);
INSERT INTO public.ledger_checkpoints VALUES ('2026-11-17 17:21:52.094238+00', 1, 'countersign/2f89d93e2b4fa17b
1
jJI4XTm6T8/K1qZv0Bd2Dr0Hly07GFFEZWkbbZ41x6E=
time 2026-11-17T17:21:52.094238Z
— countersign/2f89d93e2b4fa17b flMypqeoEUyNSTCPknmCKHAJFf4yl2lDZYTLcgYgEbdd9vp7K9FXpgrCceRILwINoNm/HOte+SS98mRXR7V4hwq9SAw=
');
INSERT INTO public.ledger_entries_202611 VALUES ('01a1ea87-82a5-7b31-975e-aaeaa7a40b57', '01a1ea87-8ff8-7cd2-9934-baf2da96874f', 'receipt', 1, 1, '2f89d93e2b4fa17b', '\x9a81933fec678ed5ce192e865e2c0e88265a2cfc4a5cff7a26dbd404df7d25d8', '2026-11-17 17:21:56.132728+00');
INSERT INTO public.ledger_entries_202611 VALUES ('01a1ea87-82a5-7b31-975e-aaeaa7a40b57', '01a1ea87-9220-74b4-8dc0-f22b45763cbb', 'receipt', 2, 2, '2f89d93e2b4fa17b', '\xcd4c73af03ce57d252960c1d7d93f035104d67ca0278c35eba18571c621132d5', '2026-11-17 17:21:56.132728+00');
INSERT INTO public.ledger_head VALUES (true, 'countersign/2f89d93e2b4fa17b', 3, 2, 'countersign/2f89d93e2b4fa17b
3
hl1JP7P/xY/a6rrUjssXD7/IqUC5gbdMe1GyMpifkuQ=
time 2026-11-17T17:21:56.132728Z
— countersign/2f89d93e2b4fa17b flMypgat65P8GbVwGyWF8UL+RfDLM68HgPyynjk7gIslExTF1tecYkGtx91C28wC1ZuHSJFZBaTix8BSIwgrZwI/Mw8=
', '2026-11-17 17:21:56.132728+00');
INSERT INTO public.ledger_keys VALUES ('2f89d93e2b4fa17b', 0, '2026-11-17 17:21:52.094238+00', NULL, NULL);
INSERT INTO public.ledger_orgs VALUES ('01a1ea87-82a5-7b31-975e-aaeaa7a40b57', 2);
INSERT INTO public.ledger_tiles VALUES (0, 0, '\x8c92385d39ba4fcfcad6a66fd017760ebd07972d3b18514465691b6d9e35c7a12906a37cac58cfdaf7c8295b6bd7e29579c89bfafc7fcc6e7e35aba9a1ac1a65922d8a9fed1579cedeb3cb612afef8a40a4b703677c22246696a3ace3d7f0adc');
INSERT INTO public.memberships VALUES ('01a1ea87-82a5-7b31-975e-aaeaa7a40b57', '01a1ea87-82ae-74df-8d2e-bf2f23d9fc70', 'Ada', 'owner', '2026-11-17 17:21:51.790904+00');
INSERT INTO public.orgs VALUES ('01a1ea87-82a5-7b31-975e-aaeaa7a40b57', 'acme', 'Acme Inc.', 4, '2026-11-17 17:21:51.781908+00', 1, false, 1, 1, 180, false);
INSERT INTO public.receipts_202611 VALUES ('01a1ea87-82a5-7b31-975e-aaeaa7a40b57', '01a1ea87-8ff8-7cd2-9934-baf2da96874f', '01a1ea87-8fee-728d-8aba-794a1756c174', '01a1ea87-8f50-7dd1-8a35-4e5430c135ee', 'linear', 'list_issues', 'succeeded', '\x7b22616374696f6e223a226c696e6561722e6c6973745f697373756573222c226167656e74223a227472696167652d626f74222c22617070726f76616c73223a5b5d2c22617274696661637473223a5b5d2c22617474656d707473223a312c22636f7374223a6e756c6c2c226465636973696f6e223a7b226761746573223a5b7b2267617465223a226361706162696c697479222c22726561736f6e223a22222c2276657264696374223a2270617373227d2c7b2267617465223a22736166657479222c22726561736f6e223a22222c2276657264696374223a2270617373227d5d2c2267756172647261696c73223a5b5d2c226d6f6465223a22616c6c6f77222c226d6f64655f736f75726365223a22696e666572726564222c22726561736f6e223a226e6f2072756c653b20616c6c6f77206973207468652064656661756c7420666f72205231227d2c22646566696e6974696f6e5f68617368223a227368613235363a65313961333333336637383264663931653063313632323436353737663832633931623732376431616533313066653362656131646435623566353537393233222c226472795f72756e223a66616c73652c22656666656374223a2272656164222c226572726f72223a6e756c6c2c226964223a227263705f3031613165613837386666383763643239393334626166326461393638373466222c226964656d706f74656e63795f6b6579223a6e756c6c2c22696e70757473223a7b7d2c22696e766f636174696f6e223a22696e765f3031613165613837386665653732386438616261373934613137353663313734222c226f7267223a226f72675f3031613165613837383261353762333139373565616165616137613430623537222c226f757470757473223a7b22697373756573223a5b7b2261726368697665644174223a6e756c6c2c2261737369676e6565223a6e756c6c2c22636f6d6d656e7473223a7b226e6f646573223a5b5d7d2c22637265617465644174223a22323032362d30312d30315430303a30303a30302e3030305a222c226465736372697074696f6e223a6e756c6c2c226964223a2231313131313131312d313131312d343131312d383131312d313131313131313131313131222c226964656e746966696572223a22454e472d31222c226c6162656c73223a7b226e6f646573223a5b5d7d2c227072696f72697479223a302c227374617465223a7b226964223a2273746174652d746f646f222c226e616d65223a22546f646f222c2274797065223a22756e73746172746564227d2c227465616d223a7b226964223a227465616d2d31222c226b6579223a22454e47222c226e616d65223a22456e67696e656572696e67227d2c227469746c65223a22416e206973737565207468617420776173207468657265206265666f7265222c22757064617465644174223a22323032362d30312d30315430303a30303a30302e3030305a222c2275726c223a2268747470733a2f2f6c696e6561722e6170702f61636d652f69737375652f454e472d31227d5d2c226e6578745f637572736f72223a6e756c6c7d2c227265666572735f746f223a5b5d2c22726570616972223a6e756c6c2c22726577617264223a7b22636f7374223a302c226c6174656e6379223a302c227175616c697479223a302c2273756363657373223a313030302c22746f74616c223a3630307d2c227269736b223a225231222c22726f6c6c6261636b223a6e756c6c2c2273657373696f6e223a227365735f3031613165613837386635303764643138613335346535343330633133356565222c2273686f776e5f646967657374223a227368613235363a35636635623863313466333064356631633334386536633435316137643866663534623731383130353238363534623638303966313635386336333963623461222c227370616365223a227370635f3031613165613837383261353762333139373565616165616236616537333263222c22737461747573223a22737563636565646564222c2274696d696e67223a7b226475726174696f6e5f6d73223a31302c2266696e69736865645f6174223a22323032362d31312d31375431373a32313a35352e3139323533335a222c227265717565737465645f6174223a22323032362d31312d31375431373a32313a35352e3138323239365a222c22737461727465645f6174223a22323032362d31312d31375431373a32313a35352e3138323239365a227d2c2274726163655f6964223a6e756c6c2c22766572696669636174696f6e223a6e756c6c2c2276657273696f6e223a22636f756e7465727369676e2f726563656970742f7631227d', '2f89d93e2b4fa17b', '\x473fd3bef05d03624f7d4df18f9846afff560e43f8fba9e08bb6e330992cb5f5f24566e2b640dba4981c4e3f213e7d8b2e935cdd8f53aece7a116b0f943a950e', '2026-11-17 17:21:55.192533+00', 1, '\x9a81933fec678ed5ce192e865e2c0e88265a2cfc4a5cff7a26dbd404df7d25d8', '\xf92b23ed9f75d4d60fd5ca37d81d5a476d0a8c1a0335799993416bcf4e933c6a', NULL);
INSERT INTO public.receipts_202611 VALUES ('01a1ea87-82a5-7b31-975e-aaeaa7a40b57', '01a1ea87-9220-74b4-8dc0-f22b45763cbb', '01a1ea87-9147-7978-90cb-19cb4edd4677', '01a1ea87-8f50-7dd1-8a35-4e5430c135ee', 'linear', 'create_issue', 'denied', '\x7b22616374696f6e223a226c696e6561722e6372656174655f6973737565222c226167656e74223a227472696167652d626f74222c22617070726f76616c73223a5b7b22617373657274696f6e223a6e756c6c2c226174223a22323032362d31312d31375431373a32313a35352e3734303638335a222c226368616e6e656c223a22636c69222c2273686f776e5f646967657374223a227368613235363a64616239633365633038303339623638613739623364653339323732323534316537306264343937653232626366653665343063393239323834386537366164222c2275736572223a227573725f3031613165613837383261653734646638643265626632663233643966633730222c2276657264696374223a2264656e696564227d5d2c22617274696661637473223a5b5d2c22617474656d707473223a302c22636f7374223a6e756c6c2c226465636973696f6e223a7b226761746573223a5b7b2267617465223a226361706162696c697479222c22726561736f6e223a22222c2276657264696374223a2270617373227d2c7b2267617465223a22736166657479222c22726561736f6e223a22222c2276657264696374223a2270617373227d5d2c2267756172647261696c73223a5b5d2c226d6f6465223a22726571756972655f617070726f76616c222c226d6f64655f736f75726365223a22696e666572726564222c22726561736f6e223a226e6f2072756c653b20726571756972655f617070726f76616c206973207468652064656661756c7420666f72205232227d2c22646566696e6974696f6e5f68617368223a227368613235363a33363130366566326262353065613837613465396464663964613136616335346262383730363138633966373665396531323036393338393066633665396132222c226472795f72756e223a66616c73652c22656666656374223a22636865636b61626c65222c226572726f72223a7b22636c617373223a2264656e696564222c226d657373616765223a2264656e696564206279206120706572736f6e3a206e6f74206e6565646564222c2273656e74223a66616c73657d2c226964223a227263705f3031613165613837393232303734623438646330663232623435373633636262222c226964656d706f74656e63795f6b6579223a6e756c6c2c22696e70757473223a7b227465616d5f6964223a2231313131313131312d313131312d343131312d383131312d313131313131313131313131222c227469746c65223a2244656e6965642062792076657273696f6e20302e31227d2c22696e766f636174696f6e223a22696e765f3031613165613837393134373739373839306362313963623465646434363737222c226f7267223a226f72675f3031613165613837383261353762333139373565616165616137613430623537222c226f757470757473223a6e756c6c2c227265666572735f746f223a5b5d2c22726570616972223a6e756c6c2c22726577617264223a7b22636f7374223a302c226c6174656e6379223a302c227175616c697479223a302c2273756363657373223a302c22746f74616c223a307d2c227269736b223a225232222c22726f6c6c6261636b223a6e756c6c2c2273657373696f6e223a227365735f3031613165613837386635303764643138613335346535343330633133356565222c2273686f776e5f646967657374223a227368613235363a64616239633365633038303339623638613739623364653339323732323534316537306264343937653232626366653665343063393239323834386537366164222c227370616365223a227370635f3031613165613837383261353762333139373565616165616236616537333263222c22737461747573223a2264656e696564222c2274696d696e67223a7b226475726174696f6e5f6d73223a302c2266696e69736865645f6174223a22323032362d31312d31375431373a32313a35352e3734343231375a222c227265717565737465645f6174223a22323032362d31312d31375431373a32313a35352e3532373833325a222c22737461727465645f6174223a6e756c6c7d2c2274726163655f6964223a6e756c6c2c22766572696669636174696f6e223a6e756c6c2c2276657273696f6e223a22636f756e7465727369676e2f726563656970742f7631227d', '2f89d93e2b4fa17b', '\x202f63c260906f60a0227566017719613c2187a1bb321f2a7fba5f8a17b86808a49e48619449378d7314f371ca391801d77c6b08bb7cecf954681c7c09d86d03', '2026-11-17 17:21:55.744217+00', 2, '\xcd4c73af03ce57d252960c1d7d93f035104d67ca0278c35eba18571c621132d5', '\x56c31ddacb4af1aaef7378ce465dfb6e5b06fa94cceee33619b1380c6a50f04b', NULL);
INSERT INTO public.rules VALUES ('01a1ea87-82a5-7b31-975e-aaeaa7a40b57', '01a1ea87-8faa-76ea-9788-dbdfbd7149f9', 'org', NULL, 'linear', 'add_comment', 'deny', 'agents do not comment', '01a1ea87-82ae-74df-8d2e-bf2f23d9fc70', '2026-11-17 17:21:55.114915+00', '2026-11-17 17:21:55.114915+00');
INSERT INTO public.sessions VALUES ('01a1ea87-82a5-7b31-975e-aaeaa7a40b57', '01a1ea87-8f50-7dd1-8a35-4e5430c135ee', '01a1ea87-82a5-7b31-975e-aaeab6ae732c', 'unattended', 'triage-bot', '', '{*}', '\x8d40e1acaa8a56032bc455b8b35edf87a91a6e1bf8adbab0da9653e5becb9ac3', '01a1ea87-82ae-74df-8d2e-bf2f23d9fc70', '2026-11-17 17:21:55.015123+00', '2026-11-18 17:21:55.015123+00', NULL, 1, NULL, NULL, 0, '{}');
INSERT INTO public.signing_keys VALUES ('2f89d93e2b4fa17b', '\x1d4ec437c51f06f782906bb1807ea8caf503621ca5b5b1d19abafc94656fc8fa', 'k1', '\x5ecb5f3393f24936291d51e4dc362547783789032dbacbf3f70a62e43def7919d2e061f2bd2e3f23ccea844b9f869ad0872e35ac50da36785c92f37065717439', '2026-11-17 17:16:51.818084+00', NULL, '2026-11-17 17:21:51.818084+00');
INSERT INTO public.spaces VALUES ('01a1ea87-82a5-7b31-975e-aaeaa7a40b57', '01a1ea87-82a5-7b31-975e-aaeab6ae732c', 'main', 'Main', 'green', false, '2026-11-17 17:21:51.781908+00');
INSERT INTO public.users VALUES ('01a1ea87-82ae-74df-8d2e-bf2f23d9fc70', 'ada@acme.example', '2026-11-17 17:21:51.790904+00');
SELECT pg_catalog.setval('public.event_positions', 6, true);
SELECT pg_catalog.setval('public.ledger_positions', 2, true);
ALTER TABLE ONLY public._sqlx_migrations
    ADD CONSTRAINT _sqlx_migrations_pkey PRIMARY KEY (version);
ALTER TABLE ONLY public.api_tokens
    ADD CONSTRAINT api_tokens_pkey PRIMARY KEY (org_id, id);
ALTER TABLE ONLY public.approvals
    ADD CONSTRAINT approvals_pkey PRIMARY KEY (org_id, id);
ALTER TABLE ONLY public.approvals
    ADD CONSTRAINT approvals_vote_key UNIQUE (org_id, invocation_id, user_id);
ALTER TABLE ONLY public.artifacts
    ADD CONSTRAINT artifacts_pkey PRIMARY KEY (org_id, digest, invocation_id);
ALTER TABLE ONLY public.attempts
    ADD CONSTRAINT attempts_pkey PRIMARY KEY (org_id, invocation_id, number);
ALTER TABLE ONLY public.attempts_202611
    ADD CONSTRAINT attempts_202611_pkey PRIMARY KEY (org_id, invocation_id, number);
ALTER TABLE ONLY public.attempts_202612
    ADD CONSTRAINT attempts_202612_pkey PRIMARY KEY (org_id, invocation_id, number);
ALTER TABLE ONLY public.attempts_202701
    ADD CONSTRAINT attempts_202701_pkey PRIMARY KEY (org_id, invocation_id, number);
ALTER TABLE ONLY public.attempts_default
    ADD CONSTRAINT attempts_default_pkey PRIMARY KEY (org_id, invocation_id, number);
ALTER TABLE ONLY public.automation_versions
    ADD CONSTRAINT automation_versions_pkey PRIMARY KEY (org_id, automation_id, version);
ALTER TABLE ONLY public.automations
    ADD CONSTRAINT automations_pkey PRIMARY KEY (org_id, id);
ALTER TABLE ONLY public.connections
    ADD CONSTRAINT connections_pkey PRIMARY KEY (org_id, id);
ALTER TABLE ONLY public.connections
    ADD CONSTRAINT connections_provider_key UNIQUE (org_id, provider);
ALTER TABLE ONLY public.connector_authorizations
    ADD CONSTRAINT connector_authorizations_pkey PRIMARY KEY (org_id, id);
ALTER TABLE ONLY public.connector_tools
    ADD CONSTRAINT connector_tools_action_key UNIQUE (org_id, connector_id, action);
ALTER TABLE ONLY public.connector_tools
    ADD CONSTRAINT connector_tools_pkey PRIMARY KEY (org_id, connector_id, name);
ALTER TABLE ONLY public.connectors
    ADD CONSTRAINT connectors_pkey PRIMARY KEY (org_id, id);
ALTER TABLE ONLY public.connectors
    ADD CONSTRAINT connectors_slug_key UNIQUE (org_id, slug);
ALTER TABLE ONLY public.data_keys
    ADD CONSTRAINT data_keys_pkey PRIMARY KEY (org_id, id);
ALTER TABLE ONLY public.erasures
    ADD CONSTRAINT erasures_pkey PRIMARY KEY (org_id, receipt_id);
ALTER TABLE ONLY public.erasures_202611
    ADD CONSTRAINT erasures_202611_pkey PRIMARY KEY (org_id, receipt_id);
ALTER TABLE ONLY public.erasures_202612
    ADD CONSTRAINT erasures_202612_pkey PRIMARY KEY (org_id, receipt_id);
ALTER TABLE ONLY public.erasures_202701
    ADD CONSTRAINT erasures_202701_pkey PRIMARY KEY (org_id, receipt_id);
ALTER TABLE ONLY public.erasures_default
    ADD CONSTRAINT erasures_default_pkey PRIMARY KEY (org_id, receipt_id);
ALTER TABLE ONLY public.event_followers
    ADD CONSTRAINT event_followers_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.event_groups
    ADD CONSTRAINT event_groups_pkey PRIMARY KEY (org_id, name);
ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_pkey PRIMARY KEY (org_id, id);
ALTER TABLE ONLY public.events_20261117
    ADD CONSTRAINT events_20261117_pkey PRIMARY KEY (org_id, id);
ALTER TABLE ONLY public.events_20261118
    ADD CONSTRAINT events_20261118_pkey PRIMARY KEY (org_id, id);
ALTER TABLE ONLY public.events_20261119
    ADD CONSTRAINT events_20261119_pkey PRIMARY KEY (org_id, id);
ALTER TABLE ONLY public.events_20261120
    ADD CONSTRAINT events_20261120_pkey PRIMARY KEY (org_id, id);
ALTER TABLE ONLY public.events_20261121
    ADD CONSTRAINT events_20261121_pkey PRIMARY KEY (org_id, id);
ALTER TABLE ONLY public.events_20261122
    ADD CONSTRAINT events_20261122_pkey PRIMARY KEY (org_id, id);
ALTER TABLE ONLY public.events_20261123
    ADD CONSTRAINT events_20261123_pkey PRIMARY KEY (org_id, id);
ALTER TABLE ONLY public.events_20261124
    ADD CONSTRAINT events_20261124_pkey PRIMARY KEY (org_id, id);
ALTER TABLE ONLY public.events_20261125
    ADD CONSTRAINT events_20261125_pkey PRIMARY KEY (org_id, id);
ALTER TABLE ONLY public.events_20261126
    ADD CONSTRAINT events_20261126_pkey PRIMARY KEY (org_id, id);
ALTER TABLE ONLY public.events_20261127
    ADD CONSTRAINT events_20261127_pkey PRIMARY KEY (org_id, id);
ALTER TABLE ONLY public.events_20261128
    ADD CONSTRAINT events_20261128_pkey PRIMARY KEY (org_id, id);
ALTER TABLE ONLY public.events_20261129
    ADD CONSTRAINT events_20261129_pkey PRIMARY KEY (org_id, id);
ALTER TABLE ONLY public.events_20261130
    ADD CONSTRAINT events_20261130_pkey PRIMARY KEY (org_id, id);
ALTER TABLE ONLY public.events_20261201
    ADD CONSTRAINT events_20261201_pkey PRIMARY KEY (org_id, id);
ALTER TABLE ONLY public.events_default
    ADD CONSTRAINT events_default_pkey PRIMARY KEY (org_id, id);
ALTER TABLE ONLY public.grant_requests
    ADD CONSTRAINT grant_requests_pkey PRIMARY KEY (org_id, id);
ALTER TABLE ONLY public.grants
    ADD CONSTRAINT grants_pkey PRIMARY KEY (org_id, id);
ALTER TABLE ONLY public.group_entries
    ADD CONSTRAINT group_entries_pkey PRIMARY KEY (org_id, group_name, "position");
ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT idempotency_keys_pkey PRIMARY KEY (org_id, key);
ALTER TABLE ONLY public.identities
    ADD CONSTRAINT identities_pkey PRIMARY KEY (issuer, subject);
ALTER TABLE ONLY public.identities
    ADD CONSTRAINT identities_user_key UNIQUE (issuer, user_id);
ALTER TABLE ONLY public.invocations
    ADD CONSTRAINT invocations_pkey PRIMARY KEY (org_id, id);
ALTER TABLE ONLY public.invocations_202611
    ADD CONSTRAINT invocations_202611_pkey PRIMARY KEY (org_id, id);
ALTER TABLE ONLY public.invocations_202612
    ADD CONSTRAINT invocations_202612_pkey PRIMARY KEY (org_id, id);
ALTER TABLE ONLY public.invocations_202701
    ADD CONSTRAINT invocations_202701_pkey PRIMARY KEY (org_id, id);
ALTER TABLE ONLY public.invocations_default
    ADD CONSTRAINT invocations_default_pkey PRIMARY KEY (org_id, id);
ALTER TABLE ONLY public.ledger_checkpoints
    ADD CONSTRAINT ledger_checkpoints_pkey PRIMARY KEY (signed_at);
ALTER TABLE ONLY public.ledger_entries
    ADD CONSTRAINT ledger_entries_pkey PRIMARY KEY (org_id, receipt_id, kind);
ALTER TABLE ONLY public.ledger_entries_202611
    ADD CONSTRAINT ledger_entries_202611_pkey PRIMARY KEY (org_id, receipt_id, kind);
ALTER TABLE ONLY public.ledger_entries_202612
    ADD CONSTRAINT ledger_entries_202612_pkey PRIMARY KEY (org_id, receipt_id, kind);
ALTER TABLE ONLY public.ledger_entries_202701
    ADD CONSTRAINT ledger_entries_202701_pkey PRIMARY KEY (org_id, receipt_id, kind);
ALTER TABLE ONLY public.ledger_entries_default
    ADD CONSTRAINT ledger_entries_default_pkey PRIMARY KEY (org_id, receipt_id, kind);
ALTER TABLE ONLY public.ledger_head
    ADD CONSTRAINT ledger_head_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.ledger_keys
    ADD CONSTRAINT ledger_keys_pkey PRIMARY KEY (keyid);
ALTER TABLE ONLY public.ledger_orgs
    ADD CONSTRAINT ledger_orgs_pkey PRIMARY KEY (org_id);
ALTER TABLE ONLY public.ledger_tiles
    ADD CONSTRAINT ledger_tiles_pkey PRIMARY KEY (level, index);
ALTER TABLE ONLY public.memberships
    ADD CONSTRAINT memberships_pkey PRIMARY KEY (org_id, user_id);
ALTER TABLE ONLY public.notices
    ADD CONSTRAINT notices_pkey PRIMARY KEY (org_id, id);
ALTER TABLE ONLY public.notices
    ADD CONSTRAINT notices_subject_key UNIQUE (org_id, notifier_id, subject);
ALTER TABLE ONLY public.notifiers
    ADD CONSTRAINT notifiers_pkey PRIMARY KEY (org_id, id);
ALTER TABLE ONLY public.orgs
    ADD CONSTRAINT orgs_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.orgs
    ADD CONSTRAINT orgs_slug_key UNIQUE (slug);
ALTER TABLE ONLY public.passkeys
    ADD CONSTRAINT passkeys_credential_key UNIQUE (org_id, credential);
ALTER TABLE ONLY public.passkeys
    ADD CONSTRAINT passkeys_pkey PRIMARY KEY (org_id, id);
ALTER TABLE ONLY public.published_events
    ADD CONSTRAINT published_events_pkey PRIMARY KEY (org_id, source, source_id);
ALTER TABLE ONLY public.receipts
    ADD CONSTRAINT receipts_pkey PRIMARY KEY (org_id, id);
ALTER TABLE ONLY public.receipts_202611
    ADD CONSTRAINT receipts_202611_pkey PRIMARY KEY (org_id, id);
ALTER TABLE ONLY public.receipts_202612
    ADD CONSTRAINT receipts_202612_pkey PRIMARY KEY (org_id, id);
ALTER TABLE ONLY public.receipts_202701
    ADD CONSTRAINT receipts_202701_pkey PRIMARY KEY (org_id, id);
ALTER TABLE ONLY public.receipts_default
    ADD CONSTRAINT receipts_default_pkey PRIMARY KEY (org_id, id);
ALTER TABLE ONLY public.rules
    ADD CONSTRAINT rules_key UNIQUE NULLS NOT DISTINCT (org_id, scope, automation_id, source, action);
ALTER TABLE ONLY public.rules
    ADD CONSTRAINT rules_pkey PRIMARY KEY (org_id, id);
ALTER TABLE ONLY public.run_steps
    ADD CONSTRAINT run_steps_pkey PRIMARY KEY (org_id, run_id, ordinal, attempt);
ALTER TABLE ONLY public.run_traces
    ADD CONSTRAINT run_traces_pkey PRIMARY KEY (org_id, hash);
ALTER TABLE ONLY public.runs
    ADD CONSTRAINT runs_cause_key UNIQUE (org_id, automation_id, cause);
ALTER TABLE ONLY public.runs
    ADD CONSTRAINT runs_number_key UNIQUE (org_id, automation_id, number);
ALTER TABLE ONLY public.runs
    ADD CONSTRAINT runs_pkey PRIMARY KEY (org_id, id);
ALTER TABLE ONLY public.secrets
    ADD CONSTRAINT secrets_name_key UNIQUE (org_id, name);
ALTER TABLE ONLY public.secrets
    ADD CONSTRAINT secrets_pkey PRIMARY KEY (org_id, id);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (org_id, id);
ALTER TABLE ONLY public.signing_keys
    ADD CONSTRAINT signing_keys_pkey PRIMARY KEY (keyid);
ALTER TABLE ONLY public.slack_clicks
    ADD CONSTRAINT slack_clicks_pkey PRIMARY KEY (org_id, signature_sha256);
ALTER TABLE ONLY public.slack_people
    ADD CONSTRAINT slack_people_pkey PRIMARY KEY (org_id, slack_user);
ALTER TABLE ONLY public.spaces
    ADD CONSTRAINT spaces_pkey PRIMARY KEY (org_id, id);
ALTER TABLE ONLY public.spaces
    ADD CONSTRAINT spaces_slug_key UNIQUE (org_id, slug);
ALTER TABLE ONLY public.triggers
    ADD CONSTRAINT triggers_pkey PRIMARY KEY (org_id, id);
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_event_key UNIQUE (org_id, webhook_id, event_id);
ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (org_id, id);
ALTER TABLE ONLY public.webhooks
    ADD CONSTRAINT webhooks_pkey PRIMARY KEY (org_id, id);
CREATE UNIQUE INDEX api_tokens_token_key ON public.api_tokens USING btree (token_sha256);
CREATE INDEX approvals_history_idx ON public.approvals USING btree (org_id, source, action, id DESC);
CREATE INDEX artifacts_receipt_idx ON public.artifacts USING btree (org_id, receipt_id);
CREATE UNIQUE INDEX automations_name_key ON public.automations USING btree (org_id, name) WHERE (status <> 'archived'::text);
CREATE UNIQUE INDEX connector_authorizations_state_key ON public.connector_authorizations USING btree (state_sha256);
CREATE INDEX erasures_position_idx ON ONLY public.erasures USING btree ("position");
CREATE INDEX erasures_202611_position_idx ON public.erasures_202611 USING btree ("position");
CREATE INDEX erasures_202612_position_idx ON public.erasures_202612 USING btree ("position");
CREATE INDEX erasures_202701_position_idx ON public.erasures_202701 USING btree ("position");
CREATE INDEX erasures_default_position_idx ON public.erasures_default USING btree ("position");
CREATE INDEX events_drifted_idx ON ONLY public.events USING btree (org_id, id) WHERE (type = 'connector.tool_drifted'::text);
CREATE INDEX events_20261117_org_id_id_idx ON public.events_20261117 USING btree (org_id, id) WHERE (type = 'connector.tool_drifted'::text);
CREATE INDEX events_org_position_idx ON ONLY public.events USING btree (org_id, "position");
CREATE INDEX events_20261117_org_id_position_idx ON public.events_20261117 USING btree (org_id, "position");
CREATE INDEX events_position_idx ON ONLY public.events USING btree ("position");
CREATE INDEX events_20261117_position_idx ON public.events_20261117 USING btree ("position");
CREATE INDEX events_20261118_org_id_id_idx ON public.events_20261118 USING btree (org_id, id) WHERE (type = 'connector.tool_drifted'::text);
CREATE INDEX events_20261118_org_id_position_idx ON public.events_20261118 USING btree (org_id, "position");
CREATE INDEX events_20261118_position_idx ON public.events_20261118 USING btree ("position");
CREATE INDEX events_20261119_org_id_id_idx ON public.events_20261119 USING btree (org_id, id) WHERE (type = 'connector.tool_drifted'::text);
CREATE INDEX events_20261119_org_id_position_idx ON public.events_20261119 USING btree (org_id, "position");
CREATE INDEX events_20261119_position_idx ON public.events_20261119 USING btree ("position");
CREATE INDEX events_20261120_org_id_id_idx ON public.events_20261120 USING btree (org_id, id) WHERE (type = 'connector.tool_drifted'::text);
CREATE INDEX events_20261120_org_id_position_idx ON public.events_20261120 USING btree (org_id, "position");
CREATE INDEX events_20261120_position_idx ON public.events_20261120 USING btree ("position");
CREATE INDEX events_20261121_org_id_id_idx ON public.events_20261121 USING btree (org_id, id) WHERE (type = 'connector.tool_drifted'::text);
CREATE INDEX events_20261121_org_id_position_idx ON public.events_20261121 USING btree (org_id, "position");
CREATE INDEX events_20261121_position_idx ON public.events_20261121 USING btree ("position");
CREATE INDEX events_20261122_org_id_id_idx ON public.events_20261122 USING btree (org_id, id) WHERE (type = 'connector.tool_drifted'::text);
CREATE INDEX events_20261122_org_id_position_idx ON public.events_20261122 USING btree (org_id, "position");
CREATE INDEX events_20261122_position_idx ON public.events_20261122 USING btree ("position");
CREATE INDEX events_20261123_org_id_id_idx ON public.events_20261123 USING btree (org_id, id) WHERE (type = 'connector.tool_drifted'::text);
CREATE INDEX events_20261123_org_id_position_idx ON public.events_20261123 USING btree (org_id, "position");
CREATE INDEX events_20261123_position_idx ON public.events_20261123 USING btree ("position");
CREATE INDEX events_20261124_org_id_id_idx ON public.events_20261124 USING btree (org_id, id) WHERE (type = 'connector.tool_drifted'::text);
CREATE INDEX events_20261124_org_id_position_idx ON public.events_20261124 USING btree (org_id, "position");
CREATE INDEX events_20261124_position_idx ON public.events_20261124 USING btree ("position");
CREATE INDEX events_20261125_org_id_id_idx ON public.events_20261125 USING btree (org_id, id) WHERE (type = 'connector.tool_drifted'::text);
CREATE INDEX events_20261125_org_id_position_idx ON public.events_20261125 USING btree (org_id, "position");
CREATE INDEX events_20261125_position_idx ON public.events_20261125 USING btree ("position");
CREATE INDEX events_20261126_org_id_id_idx ON public.events_20261126 USING btree (org_id, id) WHERE (type = 'connector.tool_drifted'::text);
CREATE INDEX events_20261126_org_id_position_idx ON public.events_20261126 USING btree (org_id, "position");
CREATE INDEX events_20261126_position_idx ON public.events_20261126 USING btree ("position");
CREATE INDEX events_20261127_org_id_id_idx ON public.events_20261127 USING btree (org_id, id) WHERE (type = 'connector.tool_drifted'::text);
CREATE INDEX events_20261127_org_id_position_idx ON public.events_20261127 USING btree (org_id, "position");
CREATE INDEX events_20261127_position_idx ON public.events_20261127 USING btree ("position");
CREATE INDEX events_20261128_org_id_id_idx ON public.events_20261128 USING btree (org_id, id) WHERE (type = 'connector.tool_drifted'::text);
CREATE INDEX events_20261128_org_id_position_idx ON public.events_20261128 USING btree (org_id, "position");
CREATE INDEX events_20261128_position_idx ON public.events_20261128 USING btree ("position");
CREATE INDEX events_20261129_org_id_id_idx ON public.events_20261129 USING btree (org_id, id) WHERE (type = 'connector.tool_drifted'::text);
CREATE INDEX events_20261129_org_id_position_idx ON public.events_20261129 USING btree (org_id, "position");
CREATE INDEX events_20261129_position_idx ON public.events_20261129 USING btree ("position");
CREATE INDEX events_20261130_org_id_id_idx ON public.events_20261130 USING btree (org_id, id) WHERE (type = 'connector.tool_drifted'::text);
CREATE INDEX events_20261130_org_id_position_idx ON public.events_20261130 USING btree (org_id, "position");
CREATE INDEX events_20261130_position_idx ON public.events_20261130 USING btree ("position");
CREATE INDEX events_20261201_org_id_id_idx ON public.events_20261201 USING btree (org_id, id) WHERE (type = 'connector.tool_drifted'::text);
CREATE INDEX events_20261201_org_id_position_idx ON public.events_20261201 USING btree (org_id, "position");
CREATE INDEX events_20261201_position_idx ON public.events_20261201 USING btree ("position");
CREATE INDEX events_default_org_id_id_idx ON public.events_default USING btree (org_id, id) WHERE (type = 'connector.tool_drifted'::text);
CREATE INDEX events_default_org_id_position_idx ON public.events_default USING btree (org_id, "position");
CREATE INDEX events_default_position_idx ON public.events_default USING btree ("position");
CREATE INDEX grant_requests_pending_idx ON public.grant_requests USING btree (org_id, id) WHERE (status = 'pending'::text);
CREATE INDEX grants_expires_idx ON public.grants USING btree (expires_at);
CREATE INDEX group_entries_due_idx ON public.group_entries USING btree (org_id, group_name, due_at) WHERE (dead_at IS NULL);
CREATE INDEX group_entries_event_idx ON public.group_entries USING btree (org_id, group_name, event_id);
CREATE INDEX idempotency_keys_expires_idx ON public.idempotency_keys USING btree (expires_at);
CREATE INDEX invocations_approved_idx ON ONLY public.invocations USING btree (approved_at) WHERE (status = 'approved'::text);
CREATE INDEX invocations_202611_approved_at_idx ON public.invocations_202611 USING btree (approved_at) WHERE (status = 'approved'::text);
CREATE INDEX invocations_expiry_idx ON ONLY public.invocations USING btree (expires_at) WHERE (status = 'pending'::text);
CREATE INDEX invocations_202611_expires_at_idx ON public.invocations_202611 USING btree (expires_at) WHERE (status = 'pending'::text);
CREATE INDEX invocations_lease_idx ON ONLY public.invocations USING btree (lease_until) WHERE (status = 'executing'::text);
CREATE INDEX invocations_202611_lease_until_idx ON public.invocations_202611 USING btree (lease_until) WHERE (status = 'executing'::text);
CREATE INDEX invocations_pending_idx ON ONLY public.invocations USING btree (org_id, id) WHERE (status = 'pending'::text);
CREATE INDEX invocations_202611_org_id_id_idx ON public.invocations_202611 USING btree (org_id, id) WHERE (status = 'pending'::text);
CREATE INDEX invocations_unknown_idx ON ONLY public.invocations USING btree (org_id, id) WHERE (status = 'unknown'::text);
CREATE INDEX invocations_202611_org_id_id_idx1 ON public.invocations_202611 USING btree (org_id, id) WHERE (status = 'unknown'::text);
CREATE INDEX invocations_session_idx ON ONLY public.invocations USING btree (session_id, id DESC);
CREATE INDEX invocations_202611_session_id_id_idx ON public.invocations_202611 USING btree (session_id, id DESC);
CREATE INDEX invocations_202612_approved_at_idx ON public.invocations_202612 USING btree (approved_at) WHERE (status = 'approved'::text);
CREATE INDEX invocations_202612_expires_at_idx ON public.invocations_202612 USING btree (expires_at) WHERE (status = 'pending'::text);
CREATE INDEX invocations_202612_lease_until_idx ON public.invocations_202612 USING btree (lease_until) WHERE (status = 'executing'::text);
CREATE INDEX invocations_202612_org_id_id_idx ON public.invocations_202612 USING btree (org_id, id) WHERE (status = 'pending'::text);
CREATE INDEX invocations_202612_org_id_id_idx1 ON public.invocations_202612 USING btree (org_id, id) WHERE (status = 'unknown'::text);
CREATE INDEX invocations_202612_session_id_id_idx ON public.invocations_202612 USING btree (session_id, id DESC);
CREATE INDEX invocations_202701_approved_at_idx ON public.invocations_202701 USING btree (approved_at) WHERE (status = 'approved'::text);
CREATE INDEX invocations_202701_expires_at_idx ON public.invocations_202701 USING btree (expires_at) WHERE (status = 'pending'::text);
CREATE INDEX invocations_202701_lease_until_idx ON public.invocations_202701 USING btree (lease_until) WHERE (status = 'executing'::text);
CREATE INDEX invocations_202701_org_id_id_idx ON public.invocations_202701 USING btree (org_id, id) WHERE (status = 'pending'::text);
CREATE INDEX invocations_202701_org_id_id_idx1 ON public.invocations_202701 USING btree (org_id, id) WHERE (status = 'unknown'::text);
CREATE INDEX invocations_202701_session_id_id_idx ON public.invocations_202701 USING btree (session_id, id DESC);
CREATE INDEX invocations_default_approved_at_idx ON public.invocations_default USING btree (approved_at) WHERE (status = 'approved'::text);
CREATE INDEX invocations_default_expires_at_idx ON public.invocations_default USING btree (expires_at) WHERE (status = 'pending'::text);
CREATE INDEX invocations_default_lease_until_idx ON public.invocations_default USING btree (lease_until) WHERE (status = 'executing'::text);
CREATE INDEX invocations_default_org_id_id_idx ON public.invocations_default USING btree (org_id, id) WHERE (status = 'pending'::text);
CREATE INDEX invocations_default_org_id_id_idx1 ON public.invocations_default USING btree (org_id, id) WHERE (status = 'unknown'::text);
CREATE INDEX invocations_default_session_id_id_idx ON public.invocations_default USING btree (session_id, id DESC);
CREATE INDEX ledger_entries_number_idx ON ONLY public.ledger_entries USING btree (org_id, number);
CREATE INDEX ledger_entries_202611_org_id_number_idx ON public.ledger_entries_202611 USING btree (org_id, number);
CREATE INDEX ledger_entries_202612_org_id_number_idx ON public.ledger_entries_202612 USING btree (org_id, number);
CREATE INDEX ledger_entries_202701_org_id_number_idx ON public.ledger_entries_202701 USING btree (org_id, number);
CREATE INDEX ledger_entries_default_org_id_number_idx ON public.ledger_entries_default USING btree (org_id, number);
CREATE INDEX memberships_user_idx ON public.memberships USING btree (user_id);
CREATE INDEX notices_due_idx ON public.notices USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX notices_subject_idx ON public.notices USING btree (org_id, subject);
CREATE UNIQUE INDEX notifiers_target_key ON public.notifiers USING btree (org_id, kind, target, space_id) NULLS NOT DISTINCT;
CREATE INDEX passkeys_user_idx ON public.passkeys USING btree (org_id, user_id);
CREATE INDEX published_events_at_idx ON public.published_events USING btree (published_at);
CREATE INDEX receipts_position_idx ON ONLY public.receipts USING btree ("position");
CREATE INDEX receipts_202611_position_idx ON public.receipts_202611 USING btree ("position");
CREATE INDEX receipts_202612_position_idx ON public.receipts_202612 USING btree ("position");
CREATE INDEX receipts_202701_position_idx ON public.receipts_202701 USING btree ("position");
CREATE INDEX receipts_default_position_idx ON public.receipts_default USING btree ("position");
CREATE INDEX run_traces_expires_idx ON public.run_traces USING btree (expires_at);
CREATE INDEX runs_active_idx ON public.runs USING btree (org_id, automation_id, number) WHERE (finished_at IS NULL);
CREATE INDEX runs_automation_idx ON public.runs USING btree (org_id, automation_id, id DESC);
CREATE INDEX runs_awaits_idx ON public.runs USING btree (org_id, awaits) WHERE (awaits IS NOT NULL);
CREATE INDEX runs_due_idx ON public.runs USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX runs_finished_idx ON public.runs USING btree (finished_at) WHERE (finished_at IS NOT NULL);
CREATE INDEX runs_list_idx ON public.runs USING btree (org_id, id DESC);
CREATE UNIQUE INDEX sessions_token_key ON public.sessions USING btree (token_sha256);
CREATE INDEX slack_clicks_at_idx ON public.slack_clicks USING btree (at);
CREATE INDEX triggers_automation_idx ON public.triggers USING btree (org_id, automation_id, ordinal);
CREATE INDEX triggers_event_idx ON public.triggers USING btree (org_id) WHERE ((type = 'event'::text) AND enabled);
CREATE INDEX triggers_next_idx ON public.triggers USING btree (next_at) WHERE (next_at IS NOT NULL);
CREATE UNIQUE INDEX triggers_token_key ON public.triggers USING btree (token_sha256) WHERE (token_sha256 IS NOT NULL);
CREATE UNIQUE INDEX users_email_key ON public.users USING btree (email);
CREATE INDEX webhook_deliveries_created_idx ON public.webhook_deliveries USING btree (created_at);
CREATE INDEX webhook_deliveries_due_idx ON public.webhook_deliveries USING btree (next_at) WHERE (status = 'pending'::text);
CREATE INDEX webhook_deliveries_webhook_idx ON public.webhook_deliveries USING btree (org_id, webhook_id, id);
ALTER INDEX public.attempts_pkey ATTACH PARTITION public.attempts_202611_pkey;
ALTER INDEX public.attempts_pkey ATTACH PARTITION public.attempts_202612_pkey;
ALTER INDEX public.attempts_pkey ATTACH PARTITION public.attempts_202701_pkey;
ALTER INDEX public.attempts_pkey ATTACH PARTITION public.attempts_default_pkey;
ALTER INDEX public.erasures_pkey ATTACH PARTITION public.erasures_202611_pkey;
ALTER INDEX public.erasures_position_idx ATTACH PARTITION public.erasures_202611_position_idx;
ALTER INDEX public.erasures_pkey ATTACH PARTITION public.erasures_202612_pkey;
ALTER INDEX public.erasures_position_idx ATTACH PARTITION public.erasures_202612_position_idx;
ALTER INDEX public.erasures_pkey ATTACH PARTITION public.erasures_202701_pkey;
ALTER INDEX public.erasures_position_idx ATTACH PARTITION public.erasures_202701_position_idx;
ALTER INDEX public.erasures_pkey ATTACH PARTITION public.erasures_default_pkey;
ALTER INDEX public.erasures_position_idx ATTACH PARTITION public.erasures_default_position_idx;
ALTER INDEX public.events_drifted_idx ATTACH PARTITION public.events_20261117_org_id_id_idx;
ALTER INDEX public.events_org_position_idx ATTACH PARTITION public.events_20261117_org_id_position_idx;
ALTER INDEX public.events_pkey ATTACH PARTITION public.events_20261117_pkey;
ALTER INDEX public.events_position_idx ATTACH PARTITION public.events_20261117_position_idx;
ALTER INDEX public.events_drifted_idx ATTACH PARTITION public.events_20261118_org_id_id_idx;
ALTER INDEX public.events_org_position_idx ATTACH PARTITION public.events_20261118_org_id_position_idx;
ALTER INDEX public.events_pkey ATTACH PARTITION public.events_20261118_pkey;
ALTER INDEX public.events_position_idx ATTACH PARTITION public.events_20261118_position_idx;
ALTER INDEX public.events_drifted_idx ATTACH PARTITION public.events_20261119_org_id_id_idx;
ALTER INDEX public.events_org_position_idx ATTACH PARTITION public.events_20261119_org_id_position_idx;
ALTER INDEX public.events_pkey ATTACH PARTITION public.events_20261119_pkey;
ALTER INDEX public.events_position_idx ATTACH PARTITION public.events_20261119_position_idx;
ALTER INDEX public.events_drifted_idx ATTACH PARTITION public.events_20261120_org_id_id_idx;
ALTER INDEX public.events_org_position_idx ATTACH PARTITION public.events_20261120_org_id_position_idx;
ALTER INDEX public.events_pkey ATTACH PARTITION public.events_20261120_pkey;
ALTER INDEX public.events_position_idx ATTACH PARTITION public.events_20261120_position_idx;
ALTER INDEX public.events_drifted_idx ATTACH PARTITION public.events_20261121_org_id_id_idx;
ALTER INDEX public.events_org_position_idx ATTACH PARTITION public.events_20261121_org_id_position_idx;
ALTER INDEX public.events_pkey ATTACH PARTITION public.events_20261121_pkey;
ALTER INDEX public.events_position_idx ATTACH PARTITION public.events_20261121_position_idx;
ALTER INDEX public.events_drifted_idx ATTACH PARTITION public.events_20261122_org_id_id_idx;
ALTER INDEX public.events_org_position_idx ATTACH PARTITION public.events_20261122_org_id_position_idx;
ALTER INDEX public.events_pkey ATTACH PARTITION public.events_20261122_pkey;
ALTER INDEX public.events_position_idx ATTACH PARTITION public.events_20261122_position_idx;
ALTER INDEX public.events_drifted_idx ATTACH PARTITION public.events_20261123_org_id_id_idx;
ALTER INDEX public.events_org_position_idx ATTACH PARTITION public.events_20261123_org_id_position_idx;
ALTER INDEX public.events_pkey ATTACH PARTITION public.events_20261123_pkey;
ALTER INDEX public.events_position_idx ATTACH PARTITION public.events_20261123_position_idx;
ALTER INDEX public.events_drifted_idx ATTACH PARTITION public.events_20261124_org_id_id_idx;
ALTER INDEX public.events_org_position_idx ATTACH PARTITION public.events_20261124_org_id_position_idx;
ALTER INDEX public.events_pkey ATTACH PARTITION public.events_20261124_pkey;
ALTER INDEX public.events_position_idx ATTACH PARTITION public.events_20261124_position_idx;
ALTER INDEX public.events_drifted_idx ATTACH PARTITION public.events_20261125_org_id_id_idx;
ALTER INDEX public.events_org_position_idx ATTACH PARTITION public.events_20261125_org_id_position_idx;
ALTER INDEX public.events_pkey ATTACH PARTITION public.events_20261125_pkey;
ALTER INDEX public.events_position_idx ATTACH PARTITION public.events_20261125_position_idx;
ALTER INDEX public.events_drifted_idx ATTACH PARTITION public.events_20261126_org_id_id_idx;
ALTER INDEX public.events_org_position_idx ATTACH PARTITION public.events_20261126_org_id_position_idx;
ALTER INDEX public.events_pkey ATTACH PARTITION public.events_20261126_pkey;
ALTER INDEX public.events_position_idx ATTACH PARTITION public.events_20261126_position_idx;
ALTER INDEX public.events_drifted_idx ATTACH PARTITION public.events_20261127_org_id_id_idx;
ALTER INDEX public.events_org_position_idx ATTACH PARTITION public.events_20261127_org_id_position_idx;
ALTER INDEX public.events_pkey ATTACH PARTITION public.events_20261127_pkey;
ALTER INDEX public.events_position_idx ATTACH PARTITION public.events_20261127_position_idx;
ALTER INDEX public.events_drifted_idx ATTACH PARTITION public.events_20261128_org_id_id_idx;
ALTER INDEX public.events_org_position_idx ATTACH PARTITION public.events_20261128_org_id_position_idx;
ALTER INDEX public.events_pkey ATTACH PARTITION public.events_20261128_pkey;
ALTER INDEX public.events_position_idx ATTACH PARTITION public.events_20261128_position_idx;
ALTER INDEX public.events_drifted_idx ATTACH PARTITION public.events_20261129_org_id_id_idx;
ALTER INDEX public.events_org_position_idx ATTACH PARTITION public.events_20261129_org_id_position_idx;
ALTER INDEX public.events_pkey ATTACH PARTITION public.events_20261129_pkey;
ALTER INDEX public.events_position_idx ATTACH PARTITION public.events_20261129_position_idx;
ALTER INDEX public.events_drifted_idx ATTACH PARTITION public.events_20261130_org_id_id_idx;
ALTER INDEX public.events_org_position_idx ATTACH PARTITION public.events_20261130_org_id_position_idx;
ALTER INDEX public.events_pkey ATTACH PARTITION public.events_20261130_pkey;
ALTER INDEX public.events_position_idx ATTACH PARTITION public.events_20261130_position_idx;
ALTER INDEX public.events_drifted_idx ATTACH PARTITION public.events_20261201_org_id_id_idx;
ALTER INDEX public.events_org_position_idx ATTACH PARTITION public.events_20261201_org_id_position_idx;
ALTER INDEX public.events_pkey ATTACH PARTITION public.events_20261201_pkey;
ALTER INDEX public.events_position_idx ATTACH PARTITION public.events_20261201_position_idx;
ALTER INDEX public.events_drifted_idx ATTACH PARTITION public.events_default_org_id_id_idx;
ALTER INDEX public.events_org_position_idx ATTACH PARTITION public.events_default_org_id_position_idx;
ALTER INDEX public.events_pkey ATTACH PARTITION public.events_default_pkey;
ALTER INDEX public.events_position_idx ATTACH PARTITION public.events_default_position_idx;
ALTER INDEX public.invocations_approved_idx ATTACH PARTITION public.invocations_202611_approved_at_idx;
ALTER INDEX public.invocations_expiry_idx ATTACH PARTITION public.invocations_202611_expires_at_idx;
ALTER INDEX public.invocations_lease_idx ATTACH PARTITION public.invocations_202611_lease_until_idx;
ALTER INDEX public.invocations_pending_idx ATTACH PARTITION public.invocations_202611_org_id_id_idx;
ALTER INDEX public.invocations_unknown_idx ATTACH PARTITION public.invocations_202611_org_id_id_idx1;
ALTER INDEX public.invocations_pkey ATTACH PARTITION public.invocations_202611_pkey;
ALTER INDEX public.invocations_session_idx ATTACH PARTITION public.invocations_202611_session_id_id_idx;
ALTER INDEX public.invocations_approved_idx ATTACH PARTITION public.invocations_202612_approved_at_idx;
ALTER INDEX public.invocations_expiry_idx ATTACH PARTITION public.invocations_202612_expires_at_idx;
ALTER INDEX public.invocations_lease_idx ATTACH PARTITION public.invocations_202612_lease_until_idx;
ALTER INDEX public.invocations_pending_idx ATTACH PARTITION public.invocations_202612_org_id_id_idx;
ALTER INDEX public.invocations_unknown_idx ATTACH PARTITION public.invocations_202612_org_id_id_idx1;
ALTER INDEX public.invocations_pkey ATTACH PARTITION public.invocations_202612_pkey;
ALTER INDEX public.invocations_session_idx ATTACH PARTITION public.invocations_202612_session_id_id_idx;
ALTER INDEX public.invocations_approved_idx ATTACH PARTITION public.invocations_202701_approved_at_idx;
ALTER INDEX public.invocations_expiry_idx ATTACH PARTITION public.invocations_202701_expires_at_idx;
ALTER INDEX public.invocations_lease_idx ATTACH PARTITION public.invocations_202701_lease_until_idx;
ALTER INDEX public.invocations_pending_idx ATTACH PARTITION public.invocations_202701_org_id_id_idx;
ALTER INDEX public.invocations_unknown_idx ATTACH PARTITION public.invocations_202701_org_id_id_idx1;
ALTER INDEX public.invocations_pkey ATTACH PARTITION public.invocations_202701_pkey;
ALTER INDEX public.invocations_session_idx ATTACH PARTITION public.invocations_202701_session_id_id_idx;
ALTER INDEX public.invocations_approved_idx ATTACH PARTITION public.invocations_default_approved_at_idx;
ALTER INDEX public.invocations_expiry_idx ATTACH PARTITION public.invocations_default_expires_at_idx;
ALTER INDEX public.invocations_lease_idx ATTACH PARTITION public.invocations_default_lease_until_idx;
ALTER INDEX public.invocations_pending_idx ATTACH PARTITION public.invocations_default_org_id_id_idx;
ALTER INDEX public.invocations_unknown_idx ATTACH PARTITION public.invocations_default_org_id_id_idx1;
ALTER INDEX public.invocations_pkey ATTACH PARTITION public.invocations_default_pkey;
ALTER INDEX public.invocations_session_idx ATTACH PARTITION public.invocations_default_session_id_id_idx;
ALTER INDEX public.ledger_entries_number_idx ATTACH PARTITION public.ledger_entries_202611_org_id_number_idx;
ALTER INDEX public.ledger_entries_pkey ATTACH PARTITION public.ledger_entries_202611_pkey;
ALTER INDEX public.ledger_entries_number_idx ATTACH PARTITION public.ledger_entries_202612_org_id_number_idx;
ALTER INDEX public.ledger_entries_pkey ATTACH PARTITION public.ledger_entries_202612_pkey;
ALTER INDEX public.ledger_entries_number_idx ATTACH PARTITION public.ledger_entries_202701_org_id_number_idx;
ALTER INDEX public.ledger_entries_pkey ATTACH PARTITION public.ledger_entries_202701_pkey;
ALTER INDEX public.ledger_entries_number_idx ATTACH PARTITION public.ledger_entries_default_org_id_number_idx;
ALTER INDEX public.ledger_entries_pkey ATTACH PARTITION public.ledger_entries_default_pkey;
ALTER INDEX public.receipts_pkey ATTACH PARTITION public.receipts_202611_pkey;
ALTER INDEX public.receipts_position_idx ATTACH PARTITION public.receipts_202611_position_idx;
ALTER INDEX public.receipts_pkey ATTACH PARTITION public.receipts_202612_pkey;
ALTER INDEX public.receipts_position_idx ATTACH PARTITION public.receipts_202612_position_idx;
ALTER INDEX public.receipts_pkey ATTACH PARTITION public.receipts_202701_pkey;
ALTER INDEX public.receipts_position_idx ATTACH PARTITION public.receipts_202701_position_idx;
ALTER INDEX public.receipts_pkey ATTACH PARTITION public.receipts_default_pkey;
ALTER INDEX public.receipts_position_idx ATTACH PARTITION public.receipts_default_position_idx;
CREATE TRIGGER connections_policy_version AFTER INSERT OR DELETE OR UPDATE ON public.connections FOR EACH ROW EXECUTE FUNCTION public.raise_policy_version();
CREATE TRIGGER connector_tools_catalog_version AFTER INSERT OR DELETE ON public.connector_tools FOR EACH ROW EXECUTE FUNCTION public.raise_catalog_version();
CREATE TRIGGER connector_tools_catalog_version_changed AFTER UPDATE ON public.connector_tools FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION public.raise_catalog_version();
CREATE TRIGGER connectors_catalog_version AFTER INSERT OR DELETE ON public.connectors FOR EACH ROW EXECUTE FUNCTION public.raise_catalog_version();
CREATE TRIGGER connectors_catalog_version_changed AFTER UPDATE ON public.connectors FOR EACH ROW WHEN ((((((((old.place IS DISTINCT FROM new.place) OR (old.base_url IS DISTINCT FROM new.base_url)) OR (old.auth IS DISTINCT FROM new.auth)) OR (old.auth_header IS DISTINCT FROM new.auth_header)) OR (old.auth_secret IS DISTINCT FROM new.auth_secret)) OR (old.enabled IS DISTINCT FROM new.enabled)) OR (old.last_error IS DISTINCT FROM new.last_error))) EXECUTE FUNCTION public.raise_catalog_version();
CREATE TRIGGER grants_policy_version AFTER INSERT OR UPDATE OF revoked_at ON public.grants FOR EACH ROW EXECUTE FUNCTION public.raise_policy_version();
CREATE TRIGGER ledger_head_grows BEFORE UPDATE ON public.ledger_head FOR EACH ROW EXECUTE FUNCTION public.ledger_only_grows();
CREATE TRIGGER ledger_tiles_grow BEFORE UPDATE ON public.ledger_tiles FOR EACH ROW EXECUTE FUNCTION public.tile_only_grows();
CREATE TRIGGER rules_policy_version AFTER INSERT OR DELETE OR UPDATE ON public.rules FOR EACH ROW EXECUTE FUNCTION public.raise_policy_version();
CREATE TRIGGER secrets_policy_version AFTER INSERT OR DELETE OR UPDATE OF version ON public.secrets FOR EACH ROW EXECUTE FUNCTION public.raise_policy_version();
CREATE TRIGGER spaces_policy_version AFTER DELETE OR UPDATE ON public.spaces FOR EACH ROW EXECUTE FUNCTION public.raise_policy_version();
CREATE TRIGGER triggers_version_changed AFTER UPDATE OF config, enabled ON public.triggers FOR EACH ROW WHEN ((new.type = 'event'::text)) EXECUTE FUNCTION public.raise_triggers_version();
CREATE TRIGGER triggers_version_gone AFTER DELETE ON public.triggers FOR EACH ROW WHEN ((old.type = 'event'::text)) EXECUTE FUNCTION public.raise_triggers_version();
CREATE TRIGGER triggers_version_new AFTER INSERT ON public.triggers FOR EACH ROW WHEN ((new.type = 'event'::text)) EXECUTE FUNCTION public.raise_triggers_version();
ALTER TABLE ONLY public.api_tokens
    ADD CONSTRAINT api_tokens_from_fkey FOREIGN KEY (org_id, from_token) REFERENCES public.api_tokens(org_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.api_tokens
    ADD CONSTRAINT api_tokens_member_fkey FOREIGN KEY (org_id, user_id) REFERENCES public.memberships(org_id, user_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.approvals
    ADD CONSTRAINT approvals_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);
ALTER TABLE ONLY public.automation_versions
    ADD CONSTRAINT automation_versions_automation_fkey FOREIGN KEY (org_id, automation_id) REFERENCES public.automations(org_id, id);
ALTER TABLE ONLY public.automation_versions
    ADD CONSTRAINT automation_versions_saved_by_fkey FOREIGN KEY (saved_by) REFERENCES public.users(id);
ALTER TABLE ONLY public.automations
    ADD CONSTRAINT automations_created_by_fkey FOREIGN KEY (created_by) REFERENCES public.users(id);
ALTER TABLE ONLY public.automations
    ADD CONSTRAINT automations_space_fkey FOREIGN KEY (org_id, space_id) REFERENCES public.spaces(org_id, id);
ALTER TABLE ONLY public.connections
    ADD CONSTRAINT connections_org_id_fkey FOREIGN KEY (org_id) REFERENCES public.orgs(id);
ALTER TABLE ONLY public.connections
    ADD CONSTRAINT connections_set_by_fkey FOREIGN KEY (set_by) REFERENCES public.users(id);
ALTER TABLE ONLY public.connector_authorizations
    ADD CONSTRAINT connector_authorizations_begun_by_fkey FOREIGN KEY (begun_by) REFERENCES public.users(id);
ALTER TABLE ONLY public.connector_authorizations
    ADD CONSTRAINT connector_authorizations_connector_fkey FOREIGN KEY (org_id, connector_id) REFERENCES public.connectors(org_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.connector_tools
    ADD CONSTRAINT connector_tools_connector_fkey FOREIGN KEY (org_id, connector_id) REFERENCES public.connectors(org_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.connector_tools
    ADD CONSTRAINT connector_tools_reviewed_by_fkey FOREIGN KEY (reviewed_by) REFERENCES public.users(id);
ALTER TABLE ONLY public.connectors
    ADD CONSTRAINT connectors_created_by_fkey FOREIGN KEY (created_by) REFERENCES public.users(id);
ALTER TABLE ONLY public.connectors
    ADD CONSTRAINT connectors_org_id_fkey FOREIGN KEY (org_id) REFERENCES public.orgs(id);
ALTER TABLE ONLY public.data_keys
    ADD CONSTRAINT data_keys_org_id_fkey FOREIGN KEY (org_id) REFERENCES public.orgs(id);
ALTER TABLE ONLY public.event_groups
    ADD CONSTRAINT event_groups_org_id_fkey FOREIGN KEY (org_id) REFERENCES public.orgs(id);
ALTER TABLE ONLY public.grant_requests
    ADD CONSTRAINT grant_requests_answered_by_fkey FOREIGN KEY (answered_by) REFERENCES public.users(id);
ALTER TABLE ONLY public.grant_requests
    ADD CONSTRAINT grant_requests_session_fkey FOREIGN KEY (org_id, session_id) REFERENCES public.sessions(org_id, id);
ALTER TABLE ONLY public.grants
    ADD CONSTRAINT grants_created_by_fkey FOREIGN KEY (created_by) REFERENCES public.users(id);
ALTER TABLE ONLY public.grants
    ADD CONSTRAINT grants_org_id_fkey FOREIGN KEY (org_id) REFERENCES public.orgs(id);
ALTER TABLE ONLY public.grants
    ADD CONSTRAINT grants_revoked_by_fkey FOREIGN KEY (revoked_by) REFERENCES public.users(id);
ALTER TABLE ONLY public.group_entries
    ADD CONSTRAINT group_entries_group_fkey FOREIGN KEY (org_id, group_name) REFERENCES public.event_groups(org_id, name) ON DELETE CASCADE;
ALTER TABLE ONLY public.identities
    ADD CONSTRAINT identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);
ALTER TABLE ONLY public.ledger_keys
    ADD CONSTRAINT ledger_keys_keyid_fkey FOREIGN KEY (keyid) REFERENCES public.signing_keys(keyid);
ALTER TABLE ONLY public.ledger_orgs
    ADD CONSTRAINT ledger_orgs_org_id_fkey FOREIGN KEY (org_id) REFERENCES public.orgs(id);
ALTER TABLE ONLY public.memberships
    ADD CONSTRAINT memberships_org_id_fkey FOREIGN KEY (org_id) REFERENCES public.orgs(id);
ALTER TABLE ONLY public.memberships
    ADD CONSTRAINT memberships_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);
ALTER TABLE ONLY public.notices
    ADD CONSTRAINT notices_notifier_fkey FOREIGN KEY (org_id, notifier_id) REFERENCES public.notifiers(org_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.notifiers
    ADD CONSTRAINT notifiers_org_id_fkey FOREIGN KEY (org_id) REFERENCES public.orgs(id);
ALTER TABLE ONLY public.notifiers
    ADD CONSTRAINT notifiers_space_fkey FOREIGN KEY (org_id, space_id) REFERENCES public.spaces(org_id, id);
ALTER TABLE ONLY public.passkeys
    ADD CONSTRAINT passkeys_org_id_fkey FOREIGN KEY (org_id) REFERENCES public.orgs(id);
ALTER TABLE ONLY public.passkeys
    ADD CONSTRAINT passkeys_user_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);
ALTER TABLE ONLY public.rules
    ADD CONSTRAINT rules_org_id_fkey FOREIGN KEY (org_id) REFERENCES public.orgs(id);
ALTER TABLE ONLY public.rules
    ADD CONSTRAINT rules_set_by_fkey FOREIGN KEY (set_by) REFERENCES public.users(id);
ALTER TABLE ONLY public.run_steps
    ADD CONSTRAINT run_steps_run_fkey FOREIGN KEY (org_id, run_id) REFERENCES public.runs(org_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.runs
    ADD CONSTRAINT runs_automation_fkey FOREIGN KEY (org_id, automation_id) REFERENCES public.automations(org_id, id);
ALTER TABLE ONLY public.runs
    ADD CONSTRAINT runs_started_by_fkey FOREIGN KEY (started_by) REFERENCES public.users(id);
ALTER TABLE ONLY public.secrets
    ADD CONSTRAINT secrets_org_id_fkey FOREIGN KEY (org_id) REFERENCES public.orgs(id);
ALTER TABLE ONLY public.secrets
    ADD CONSTRAINT secrets_set_by_fkey FOREIGN KEY (set_by) REFERENCES public.users(id);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_created_by_fkey FOREIGN KEY (created_by) REFERENCES public.users(id);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_space_fkey FOREIGN KEY (org_id, space_id) REFERENCES public.spaces(org_id, id);
ALTER TABLE ONLY public.slack_people
    ADD CONSTRAINT slack_people_org_id_fkey FOREIGN KEY (org_id) REFERENCES public.orgs(id);
ALTER TABLE ONLY public.slack_people
    ADD CONSTRAINT slack_people_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);
ALTER TABLE ONLY public.spaces
    ADD CONSTRAINT spaces_org_id_fkey FOREIGN KEY (org_id) REFERENCES public.orgs(id);
ALTER TABLE ONLY public.triggers
    ADD CONSTRAINT triggers_automation_fkey FOREIGN KEY (org_id, automation_id) REFERENCES public.automations(org_id, id);
ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_webhook_fkey FOREIGN KEY (org_id, webhook_id) REFERENCES public.webhooks(org_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.webhooks
    ADD CONSTRAINT webhooks_created_by_fkey FOREIGN KEY (created_by) REFERENCES public.users(id);
ALTER TABLE ONLY public.webhooks
    ADD CONSTRAINT webhooks_org_id_fkey FOREIGN KEY (org_id) REFERENCES public.orgs(id);
ALTER TABLE public.api_tokens ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.approvals ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.artifacts ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.attempts ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.automation_versions ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.automations ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.connections ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.connector_authorizations ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.connector_tools ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.connectors ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.data_keys ENABLE ROW LEVEL SECURITY;
CREATE POLICY erase ON public.erasures FOR INSERT TO countersign_lookup WITH CHECK (true);
CREATE POLICY erase ON public.receipts FOR UPDATE TO countersign_lookup USING (true) WITH CHECK (true);
ALTER TABLE public.erasures ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.event_groups ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.events ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.grant_requests ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.grants ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.group_entries ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.idempotency_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.invocations ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.ledger_entries ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.ledger_orgs ENABLE ROW LEVEL SECURITY;
CREATE POLICY lookup ON public.api_tokens FOR SELECT TO countersign_lookup USING (true);
CREATE POLICY lookup ON public.connector_authorizations FOR SELECT TO countersign_lookup USING (true);
CREATE POLICY lookup ON public.connectors FOR SELECT TO countersign_lookup USING (true);
CREATE POLICY lookup ON public.erasures FOR SELECT TO countersign_lookup USING (true);
CREATE POLICY lookup ON public.events FOR SELECT TO countersign_lookup USING (true);
CREATE POLICY lookup ON public.invocations FOR SELECT TO countersign_lookup USING (true);
CREATE POLICY lookup ON public.ledger_entries TO countersign_lookup USING (true) WITH CHECK (true);
CREATE POLICY lookup ON public.ledger_orgs TO countersign_lookup USING (true) WITH CHECK (true);
CREATE POLICY lookup ON public.memberships FOR SELECT TO countersign_lookup USING (true);
CREATE POLICY lookup ON public.notices FOR SELECT TO countersign_lookup USING (true);
CREATE POLICY lookup ON public.orgs FOR SELECT TO countersign_lookup USING (true);
CREATE POLICY lookup ON public.receipts FOR SELECT TO countersign_lookup USING (true);
CREATE POLICY lookup ON public.runs FOR SELECT TO countersign_lookup USING (true);
CREATE POLICY lookup ON public.sessions FOR SELECT TO countersign_lookup USING (true);
CREATE POLICY lookup ON public.triggers FOR SELECT TO countersign_lookup USING (true);
CREATE POLICY lookup ON public.webhook_deliveries FOR SELECT TO countersign_lookup USING (true);
ALTER TABLE public.memberships ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.notices ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.notifiers ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.orgs ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.passkeys ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.published_events ENABLE ROW LEVEL SECURITY;
CREATE POLICY purge ON public.grants TO countersign_lookup USING (true);
CREATE POLICY purge ON public.idempotency_keys TO countersign_lookup USING (true);
CREATE POLICY purge ON public.published_events TO countersign_lookup USING (true);
CREATE POLICY purge ON public.run_traces TO countersign_lookup USING (true);
CREATE POLICY purge ON public.runs FOR DELETE TO countersign_lookup USING (true);
CREATE POLICY purge ON public.slack_clicks TO countersign_lookup USING (true);
CREATE POLICY purge ON public.webhook_deliveries FOR DELETE TO countersign_lookup USING (true);
ALTER TABLE public.receipts ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.rules ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.run_steps ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.run_traces ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.runs ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.secrets ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.sessions ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.slack_clicks ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.slack_people ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.spaces ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON public.api_tokens TO countersign_service USING ((org_id = public.current_org())) WITH CHECK ((org_id = public.current_org()));
CREATE POLICY tenant ON public.approvals TO countersign_service USING ((org_id = public.current_org())) WITH CHECK ((org_id = public.current_org()));
CREATE POLICY tenant ON public.artifacts TO countersign_service USING ((org_id = public.current_org())) WITH CHECK ((org_id = public.current_org()));
CREATE POLICY tenant ON public.attempts TO countersign_service USING ((org_id = public.current_org())) WITH CHECK ((org_id = public.current_org()));
CREATE POLICY tenant ON public.automation_versions TO countersign_service USING ((org_id = public.current_org())) WITH CHECK ((org_id = public.current_org()));
CREATE POLICY tenant ON public.automations TO countersign_service USING ((org_id = public.current_org())) WITH CHECK ((org_id = public.current_org()));
CREATE POLICY tenant ON public.connections TO countersign_service USING ((org_id = public.current_org())) WITH CHECK ((org_id = public.current_org()));
CREATE POLICY tenant ON public.connector_authorizations TO countersign_service USING ((org_id = public.current_org())) WITH CHECK ((org_id = public.current_org()));
CREATE POLICY tenant ON public.connector_tools TO countersign_service USING ((org_id = public.current_org())) WITH CHECK ((org_id = public.current_org()));
CREATE POLICY tenant ON public.connectors TO countersign_service USING ((org_id = public.current_org())) WITH CHECK ((org_id = public.current_org()));
CREATE POLICY tenant ON public.data_keys TO countersign_service USING ((org_id = public.current_org())) WITH CHECK ((org_id = public.current_org()));
CREATE POLICY tenant ON public.erasures TO countersign_service USING ((org_id = public.current_org())) WITH CHECK ((org_id = public.current_org()));
CREATE POLICY tenant ON public.event_groups TO countersign_service USING ((org_id = public.current_org())) WITH CHECK ((org_id = public.current_org()));
CREATE POLICY tenant ON public.events TO countersign_service USING ((org_id = public.current_org())) WITH CHECK ((org_id = public.current_org()));
CREATE POLICY tenant ON public.grant_requests TO countersign_service USING ((org_id = public.current_org())) WITH CHECK ((org_id = public.current_org()));
CREATE POLICY tenant ON public.grants TO countersign_service USING ((org_id = public.current_org())) WITH CHECK ((org_id = public.current_org()));
CREATE POLICY tenant ON public.group_entries TO countersign_service USING ((org_id = public.current_org())) WITH CHECK ((org_id = public.current_org()));
CREATE POLICY tenant ON public.idempotency_keys TO countersign_service USING ((org_id = public.current_org())) WITH CHECK ((org_id = public.current_org()));
CREATE POLICY tenant ON public.invocations TO countersign_service USING ((org_id = public.current_org())) WITH CHECK ((org_id = public.current_org()));
CREATE POLICY tenant ON public.ledger_entries TO countersign_service USING ((org_id = public.current_org())) WITH CHECK ((org_id = public.current_org()));
CREATE POLICY tenant ON public.ledger_orgs TO countersign_service USING ((org_id = public.current_org())) WITH CHECK ((org_id = public.current_org()));
CREATE POLICY tenant ON public.memberships TO countersign_service USING ((org_id = public.current_org())) WITH CHECK ((org_id = public.current_org()));
CREATE POLICY tenant ON public.notices TO countersign_service USING ((org_id = public.current_org())) WITH CHECK ((org_id = public.current_org()));
CREATE POLICY tenant ON public.notifiers TO countersign_service USING ((org_id = public.current_org())) WITH CHECK ((org_id = public.current_org()));
CREATE POLICY tenant ON public.orgs TO countersign_service USING ((id = public.current_org())) WITH CHECK ((id = public.current_org()));
CREATE POLICY tenant ON public.passkeys TO countersign_service USING ((org_id = public.current_org())) WITH CHECK ((org_id = public.current_org()));
CREATE POLICY tenant ON public.published_events TO countersign_service USING ((org_id = public.current_org())) WITH CHECK ((org_id = public.current_org()));
CREATE POLICY tenant ON public.receipts TO countersign_service USING ((org_id = public.current_org())) WITH CHECK ((org_id = public.current_org()));
CREATE POLICY tenant ON public.rules TO countersign_service USING ((org_id = public.current_org())) WITH CHECK ((org_id = public.current_org()));
CREATE POLICY tenant ON public.run_steps TO countersign_service USING ((org_id = public.current_org())) WITH CHECK ((org_id = public.current_org()));
CREATE POLICY tenant ON public.run_traces TO countersign_service USING ((org_id = public.current_org())) WITH CHECK ((org_id = public.current_org()));
CREATE POLICY tenant ON public.runs TO countersign_service USING ((org_id = public.current_org())) WITH CHECK ((org_id = public.current_org()));
CREATE POLICY tenant ON public.secrets TO countersign_service USING ((org_id = public.current_org())) WITH CHECK ((org_id = public.current_org()));
CREATE POLICY tenant ON public.sessions TO countersign_service USING ((org_id = public.current_org())) WITH CHECK ((org_id = public.current_org()));
CREATE POLICY tenant ON public.slack_clicks TO countersign_service USING ((org_id = public.current_org())) WITH CHECK ((org_id = public.current_org()));
CREATE POLICY tenant ON public.slack_people TO countersign_service USING ((org_id = public.current_org())) WITH CHECK ((org_id = public.current_org()));
CREATE POLICY tenant ON public.spaces TO countersign_service USING ((org_id = public.current_org())) WITH CHECK ((org_id = public.current_org()));
CREATE POLICY tenant ON public.triggers TO countersign_service USING ((org_id = public.current_org())) WITH CHECK ((org_id = public.current_org()));
CREATE POLICY tenant ON public.webhook_deliveries TO countersign_service USING ((org_id = public.current_org())) WITH CHECK ((org_id = public.current_org()));
CREATE POLICY tenant ON public.webhooks TO countersign_service USING ((org_id = public.current_org())) WITH CHECK ((org_id = public.current_org()));
ALTER TABLE public.triggers ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.webhook_deliveries ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.webhooks ENABLE ROW LEVEL SECURITY;
GRANT USAGE ON SCHEMA public TO countersign_service;
GRANT USAGE ON SCHEMA public TO countersign_lookup;
REVOKE ALL ON FUNCTION public.drop_events(before timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.drop_events(before timestamp with time zone) TO countersign_service;
REVOKE ALL ON FUNCTION public.due_notices(now timestamp with time zone, most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.due_notices(now timestamp with time zone, most integer) TO countersign_service;
REVOKE ALL ON FUNCTION public.ensure_partitions(around timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.ensure_partitions(around timestamp with time zone) TO countersign_service;
REVOKE ALL ON FUNCTION public.erase_receipt(org uuid, receipt uuid, left_over jsonb, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.erase_receipt(org uuid, receipt uuid, left_over jsonb, at timestamp with time zone) TO countersign_service;
REVOKE ALL ON FUNCTION public.events_after(after bigint, upto bigint, most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.events_after(after bigint, upto bigint, most integer) TO countersign_service;
REVOKE ALL ON FUNCTION public.expired_leases(at timestamp with time zone, most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.expired_leases(at timestamp with time zone, most integer) TO countersign_service;
REVOKE ALL ON FUNCTION public.find_api_token(hash bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION public.find_api_token(hash bytea) TO countersign_service;
REVOKE ALL ON FUNCTION public.find_authorization(hash bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION public.find_authorization(hash bytea) TO countersign_service;
REVOKE ALL ON FUNCTION public.find_hook_token(hash bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION public.find_hook_token(hash bytea) TO countersign_service;
REVOKE ALL ON FUNCTION public.find_session_token(hash bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION public.find_session_token(hash bytea) TO countersign_service;
REVOKE ALL ON FUNCTION public.ledger_after(after bigint, upto bigint, most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.ledger_after(after bigint, upto bigint, most integer) TO countersign_service;
REVOKE ALL ON FUNCTION public.ledger_sizes(orgs uuid[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.ledger_sizes(orgs uuid[]) TO countersign_service;
REVOKE ALL ON FUNCTION public.ledger_write(orgs uuid[], receipts uuid[], numbers bigint[], indexes bigint[], keyids text[], commitments bytea[], at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.ledger_write(orgs uuid[], receipts uuid[], numbers bigint[], indexes bigint[], keyids text[], commitments bytea[], at timestamp with time zone) TO countersign_service;
REVOKE ALL ON FUNCTION public.orgs_of(person uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.orgs_of(person uuid) TO countersign_service;
REVOKE ALL ON FUNCTION public.overdue_deliveries(before timestamp with time zone, most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.overdue_deliveries(before timestamp with time zone, most integer) TO countersign_service;
REVOKE ALL ON FUNCTION public.overdue_harvests(before timestamp with time zone, most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.overdue_harvests(before timestamp with time zone, most integer) TO countersign_service;
REVOKE ALL ON FUNCTION public.overdue_invocations(at timestamp with time zone, approved_before timestamp with time zone, most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.overdue_invocations(at timestamp with time zone, approved_before timestamp with time zone, most integer) TO countersign_service;
REVOKE ALL ON FUNCTION public.overdue_runs(at timestamp with time zone, most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.overdue_runs(at timestamp with time zone, most integer) TO countersign_service;
REVOKE ALL ON FUNCTION public.overdue_triggers(before timestamp with time zone, most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.overdue_triggers(before timestamp with time zone, most integer) TO countersign_service;
REVOKE ALL ON FUNCTION public.purge_deliveries(before timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.purge_deliveries(before timestamp with time zone) TO countersign_service;
REVOKE ALL ON FUNCTION public.purge_grants(before timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.purge_grants(before timestamp with time zone) TO countersign_service;
REVOKE ALL ON FUNCTION public.purge_idempotency_keys(before timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.purge_idempotency_keys(before timestamp with time zone) TO countersign_service;
REVOKE ALL ON FUNCTION public.purge_published_events(before timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.purge_published_events(before timestamp with time zone) TO countersign_service;
REVOKE ALL ON FUNCTION public.purge_runs(before timestamp with time zone, now timestamp with time zone, most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.purge_runs(before timestamp with time zone, now timestamp with time zone, most integer) TO countersign_service;
REVOKE ALL ON FUNCTION public.purge_slack_clicks(before timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.purge_slack_clicks(before timestamp with time zone) TO countersign_service;
REVOKE ALL ON FUNCTION public.receipt_periods() FROM PUBLIC;
GRANT ALL ON FUNCTION public.receipt_periods() TO countersign_service;
GRANT SELECT,INSERT ON TABLE public.api_tokens TO countersign_service;
GRANT SELECT(org_id) ON TABLE public.api_tokens TO countersign_lookup;
GRANT SELECT(id) ON TABLE public.api_tokens TO countersign_lookup;
GRANT SELECT(token_sha256) ON TABLE public.api_tokens TO countersign_lookup;
GRANT UPDATE(revoked_at) ON TABLE public.api_tokens TO countersign_service;
GRANT UPDATE(last_used_at) ON TABLE public.api_tokens TO countersign_service;
GRANT SELECT,INSERT ON TABLE public.approvals TO countersign_service;
GRANT SELECT,INSERT,DELETE ON TABLE public.artifacts TO countersign_service;
GRANT SELECT,INSERT ON TABLE public.attempts TO countersign_service;
GRANT SELECT,INSERT ON TABLE public.automation_versions TO countersign_service;
GRANT SELECT,INSERT ON TABLE public.automations TO countersign_service;
GRANT UPDATE(name) ON TABLE public.automations TO countersign_service;
GRANT UPDATE(status) ON TABLE public.automations TO countersign_service;
GRANT UPDATE(version) ON TABLE public.automations TO countersign_service;
GRANT UPDATE(runs) ON TABLE public.automations TO countersign_service;
GRANT UPDATE(updated_at) ON TABLE public.automations TO countersign_service;
GRANT SELECT,INSERT,DELETE ON TABLE public.connections TO countersign_service;
GRANT UPDATE(name) ON TABLE public.connections TO countersign_service;
GRANT UPDATE(sealed) ON TABLE public.connections TO countersign_service;
GRANT UPDATE(version) ON TABLE public.connections TO countersign_service;
GRANT UPDATE(set_by) ON TABLE public.connections TO countersign_service;
GRANT UPDATE(updated_at) ON TABLE public.connections TO countersign_service;
GRANT SELECT,INSERT,DELETE ON TABLE public.connector_authorizations TO countersign_service;
GRANT SELECT(org_id) ON TABLE public.connector_authorizations TO countersign_lookup;
GRANT SELECT(id) ON TABLE public.connector_authorizations TO countersign_lookup;
GRANT SELECT(state_sha256) ON TABLE public.connector_authorizations TO countersign_lookup;
GRANT SELECT,INSERT,DELETE ON TABLE public.connector_tools TO countersign_service;
GRANT UPDATE(action) ON TABLE public.connector_tools TO countersign_service;
GRANT UPDATE(unusable) ON TABLE public.connector_tools TO countersign_service;
GRANT UPDATE(offer) ON TABLE public.connector_tools TO countersign_service;
GRANT UPDATE(shape_hash) ON TABLE public.connector_tools TO countersign_service;
GRANT UPDATE(text_hash) ON TABLE public.connector_tools TO countersign_service;
GRANT UPDATE(gone_at) ON TABLE public.connector_tools TO countersign_service;
GRANT UPDATE(reviewed) ON TABLE public.connector_tools TO countersign_service;
GRANT UPDATE(reviewed_shape) ON TABLE public.connector_tools TO countersign_service;
GRANT UPDATE(reviewed_text) ON TABLE public.connector_tools TO countersign_service;
GRANT UPDATE(reviewed_by) ON TABLE public.connector_tools TO countersign_service;
GRANT UPDATE(reviewed_at) ON TABLE public.connector_tools TO countersign_service;
GRANT UPDATE(risk) ON TABLE public.connector_tools TO countersign_service;
GRANT UPDATE(effect) ON TABLE public.connector_tools TO countersign_service;
GRANT UPDATE(note) ON TABLE public.connector_tools TO countersign_service;
GRANT SELECT,INSERT,DELETE ON TABLE public.connectors TO countersign_service;
GRANT SELECT(org_id) ON TABLE public.connectors TO countersign_lookup;
GRANT SELECT(id) ON TABLE public.connectors TO countersign_lookup;
GRANT UPDATE(place) ON TABLE public.connectors TO countersign_service;
GRANT UPDATE(base_url) ON TABLE public.connectors TO countersign_service;
GRANT UPDATE(auth) ON TABLE public.connectors TO countersign_service;
GRANT UPDATE(auth_header) ON TABLE public.connectors TO countersign_service;
GRANT UPDATE(auth_secret) ON TABLE public.connectors TO countersign_service;
GRANT UPDATE(enabled) ON TABLE public.connectors TO countersign_service;
GRANT SELECT(enabled) ON TABLE public.connectors TO countersign_lookup;
GRANT UPDATE(server) ON TABLE public.connectors TO countersign_service;
GRANT UPDATE(last_harvested_at) ON TABLE public.connectors TO countersign_service;
GRANT SELECT(last_harvested_at) ON TABLE public.connectors TO countersign_lookup;
GRANT UPDATE(last_error) ON TABLE public.connectors TO countersign_service;
GRANT SELECT,INSERT ON TABLE public.data_keys TO countersign_service;
GRANT UPDATE(master_key) ON TABLE public.data_keys TO countersign_service;
GRANT UPDATE(wrapped) ON TABLE public.data_keys TO countersign_service;
GRANT SELECT,USAGE ON SEQUENCE public.ledger_positions TO countersign_service;
GRANT USAGE ON SEQUENCE public.ledger_positions TO countersign_lookup;
GRANT SELECT ON TABLE public.erasures TO countersign_service;
GRANT SELECT(org_id),INSERT(org_id) ON TABLE public.erasures TO countersign_lookup;
GRANT SELECT(receipt_id),INSERT(receipt_id) ON TABLE public.erasures TO countersign_lookup;
GRANT SELECT("position") ON TABLE public.erasures TO countersign_lookup;
GRANT INSERT(erased_at) ON TABLE public.erasures TO countersign_lookup;
GRANT SELECT ON TABLE public.event_followers TO countersign_service;
GRANT UPDATE("position") ON TABLE public.event_followers TO countersign_service;
GRANT UPDATE(holder) ON TABLE public.event_followers TO countersign_service;
GRANT UPDATE(lease_until) ON TABLE public.event_followers TO countersign_service;
GRANT SELECT,INSERT,DELETE ON TABLE public.event_groups TO countersign_service;
GRANT UPDATE("position") ON TABLE public.event_groups TO countersign_service;
GRANT UPDATE(filter) ON TABLE public.event_groups TO countersign_service;
GRANT UPDATE(ack_timeout_s) ON TABLE public.event_groups TO countersign_service;
GRANT UPDATE(max_attempts) ON TABLE public.event_groups TO countersign_service;
GRANT SELECT,USAGE ON SEQUENCE public.event_positions TO countersign_service;
GRANT SELECT,INSERT ON TABLE public.events TO countersign_service;
GRANT SELECT(org_id) ON TABLE public.events TO countersign_lookup;
GRANT SELECT(id) ON TABLE public.events TO countersign_lookup;
GRANT SELECT("position") ON TABLE public.events TO countersign_lookup;
GRANT SELECT,INSERT ON TABLE public.grant_requests TO countersign_service;
GRANT UPDATE(status) ON TABLE public.grant_requests TO countersign_service;
GRANT UPDATE(answered_by) ON TABLE public.grant_requests TO countersign_service;
GRANT UPDATE(answered_at) ON TABLE public.grant_requests TO countersign_service;
GRANT UPDATE(note) ON TABLE public.grant_requests TO countersign_service;
GRANT UPDATE(grant_id) ON TABLE public.grant_requests TO countersign_service;
GRANT SELECT,INSERT ON TABLE public.grants TO countersign_service;
GRANT DELETE ON TABLE public.grants TO countersign_lookup;
GRANT UPDATE(used_calls) ON TABLE public.grants TO countersign_service;
GRANT SELECT(expires_at) ON TABLE public.grants TO countersign_lookup;
GRANT UPDATE(revoked_at) ON TABLE public.grants TO countersign_service;
GRANT UPDATE(revoked_by) ON TABLE public.grants TO countersign_service;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.group_entries TO countersign_service;
GRANT SELECT,INSERT ON TABLE public.idempotency_keys TO countersign_service;
GRANT DELETE ON TABLE public.idempotency_keys TO countersign_lookup;
GRANT UPDATE(invocation_id) ON TABLE public.idempotency_keys TO countersign_service;
GRANT UPDATE(request_digest) ON TABLE public.idempotency_keys TO countersign_service;
GRANT UPDATE(expires_at) ON TABLE public.idempotency_keys TO countersign_service;
GRANT SELECT(expires_at) ON TABLE public.idempotency_keys TO countersign_lookup;
GRANT SELECT,INSERT ON TABLE public.identities TO countersign_service;
GRANT SELECT,INSERT ON TABLE public.invocations TO countersign_service;
GRANT SELECT(org_id) ON TABLE public.invocations TO countersign_lookup;
GRANT SELECT(id) ON TABLE public.invocations TO countersign_lookup;
GRANT UPDATE(status) ON TABLE public.invocations TO countersign_service;
GRANT SELECT(status) ON TABLE public.invocations TO countersign_lookup;
GRANT UPDATE(params_sealed) ON TABLE public.invocations TO countersign_service;
GRANT UPDATE(result) ON TABLE public.invocations TO countersign_service;
GRANT UPDATE(error) ON TABLE public.invocations TO countersign_service;
GRANT UPDATE(attempts) ON TABLE public.invocations TO countersign_service;
GRANT UPDATE(receipt_id) ON TABLE public.invocations TO countersign_service;
GRANT UPDATE(started_at) ON TABLE public.invocations TO countersign_service;
GRANT UPDATE(finished_at) ON TABLE public.invocations TO countersign_service;
GRANT UPDATE(lease_until) ON TABLE public.invocations TO countersign_service;
GRANT SELECT(lease_until) ON TABLE public.invocations TO countersign_lookup;
GRANT UPDATE(lease_epoch) ON TABLE public.invocations TO countersign_service;
GRANT SELECT(expires_at) ON TABLE public.invocations TO countersign_lookup;
GRANT UPDATE(approved_at) ON TABLE public.invocations TO countersign_service;
GRANT SELECT(approved_at) ON TABLE public.invocations TO countersign_lookup;
GRANT SELECT,INSERT ON TABLE public.ledger_checkpoints TO countersign_service;
GRANT SELECT ON TABLE public.ledger_entries TO countersign_service;
GRANT SELECT(org_id),INSERT(org_id) ON TABLE public.ledger_entries TO countersign_lookup;
GRANT SELECT(receipt_id),INSERT(receipt_id) ON TABLE public.ledger_entries TO countersign_lookup;
GRANT SELECT(kind),INSERT(kind) ON TABLE public.ledger_entries TO countersign_lookup;
GRANT INSERT(number) ON TABLE public.ledger_entries TO countersign_lookup;
GRANT INSERT(index) ON TABLE public.ledger_entries TO countersign_lookup;
GRANT INSERT(keyid) ON TABLE public.ledger_entries TO countersign_lookup;
GRANT INSERT(commitment) ON TABLE public.ledger_entries TO countersign_lookup;
GRANT INSERT(logged_at) ON TABLE public.ledger_entries TO countersign_lookup;
GRANT SELECT ON TABLE public.ledger_head TO countersign_service;
GRANT UPDATE(origin) ON TABLE public.ledger_head TO countersign_service;
GRANT UPDATE(size) ON TABLE public.ledger_head TO countersign_service;
GRANT UPDATE("position") ON TABLE public.ledger_head TO countersign_service;
GRANT UPDATE(checkpoint) ON TABLE public.ledger_head TO countersign_service;
GRANT UPDATE(signed_at) ON TABLE public.ledger_head TO countersign_service;
GRANT SELECT,INSERT ON TABLE public.ledger_keys TO countersign_service;
GRANT UPDATE(ended_index) ON TABLE public.ledger_keys TO countersign_service;
GRANT UPDATE(ended_at) ON TABLE public.ledger_keys TO countersign_service;
GRANT SELECT ON TABLE public.ledger_orgs TO countersign_service;
GRANT SELECT(org_id),INSERT(org_id) ON TABLE public.ledger_orgs TO countersign_lookup;
GRANT SELECT(size),INSERT(size),UPDATE(size) ON TABLE public.ledger_orgs TO countersign_lookup;
GRANT SELECT,INSERT ON TABLE public.ledger_tiles TO countersign_service;
GRANT UPDATE(hashes) ON TABLE public.ledger_tiles TO countersign_service;
GRANT SELECT,INSERT,DELETE ON TABLE public.memberships TO countersign_service;
GRANT SELECT(org_id) ON TABLE public.memberships TO countersign_lookup;
GRANT SELECT(user_id) ON TABLE public.memberships TO countersign_lookup;
GRANT UPDATE(name) ON TABLE public.memberships TO countersign_service;
GRANT UPDATE(role) ON TABLE public.memberships TO countersign_service;
GRANT SELECT(role) ON TABLE public.memberships TO countersign_lookup;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.notices TO countersign_service;
GRANT SELECT(org_id) ON TABLE public.notices TO countersign_lookup;
GRANT SELECT(id) ON TABLE public.notices TO countersign_lookup;
GRANT SELECT(due_at) ON TABLE public.notices TO countersign_lookup;
GRANT SELECT,INSERT,DELETE ON TABLE public.notifiers TO countersign_service;
GRANT SELECT,INSERT ON TABLE public.orgs TO countersign_service;
GRANT SELECT(id) ON TABLE public.orgs TO countersign_lookup;
GRANT SELECT(slug) ON TABLE public.orgs TO countersign_lookup;
GRANT UPDATE(name) ON TABLE public.orgs TO countersign_service;
GRANT SELECT(name) ON TABLE public.orgs TO countersign_lookup;
GRANT UPDATE(policy_version) ON TABLE public.orgs TO countersign_service;
GRANT UPDATE(approval_quorum) ON TABLE public.orgs TO countersign_service;
GRANT UPDATE(approval_four_eyes) ON TABLE public.orgs TO countersign_service;
GRANT UPDATE(catalog_version) ON TABLE public.orgs TO countersign_service;
GRANT UPDATE(triggers_version) ON TABLE public.orgs TO countersign_service;
GRANT UPDATE(receipts_kept_days) ON TABLE public.orgs TO countersign_service;
GRANT SELECT(receipts_kept_days) ON TABLE public.orgs TO countersign_lookup;
GRANT UPDATE(approval_passkey) ON TABLE public.orgs TO countersign_service;
GRANT SELECT,INSERT ON TABLE public.passkeys TO countersign_service;
GRANT UPDATE(signed) ON TABLE public.passkeys TO countersign_service;
GRANT UPDATE(last_used_at) ON TABLE public.passkeys TO countersign_service;
GRANT UPDATE(removed_at) ON TABLE public.passkeys TO countersign_service;
GRANT SELECT,INSERT ON TABLE public.published_events TO countersign_service;
GRANT DELETE ON TABLE public.published_events TO countersign_lookup;
GRANT SELECT(published_at) ON TABLE public.published_events TO countersign_lookup;
GRANT SELECT,INSERT ON TABLE public.receipts TO countersign_service;
GRANT SELECT(org_id) ON TABLE public.receipts TO countersign_lookup;
GRANT SELECT(id) ON TABLE public.receipts TO countersign_lookup;
GRANT UPDATE(payload) ON TABLE public.receipts TO countersign_lookup;
GRANT SELECT(keyid) ON TABLE public.receipts TO countersign_lookup;
GRANT UPDATE(signature) ON TABLE public.receipts TO countersign_lookup;
GRANT SELECT(finished_at) ON TABLE public.receipts TO countersign_lookup;
GRANT SELECT("position") ON TABLE public.receipts TO countersign_lookup;
GRANT SELECT(commitment) ON TABLE public.receipts TO countersign_lookup;
GRANT UPDATE(seed) ON TABLE public.receipts TO countersign_lookup;
GRANT UPDATE(kept) ON TABLE public.receipts TO countersign_lookup;
GRANT SELECT,INSERT,DELETE ON TABLE public.rules TO countersign_service;
GRANT UPDATE(mode) ON TABLE public.rules TO countersign_service;
GRANT UPDATE(reason) ON TABLE public.rules TO countersign_service;
GRANT UPDATE(set_by) ON TABLE public.rules TO countersign_service;
GRANT UPDATE(updated_at) ON TABLE public.rules TO countersign_service;
GRANT SELECT,INSERT ON TABLE public.run_steps TO countersign_service;
GRANT UPDATE(status) ON TABLE public.run_steps TO countersign_service;
GRANT UPDATE(invocation_id) ON TABLE public.run_steps TO countersign_service;
GRANT UPDATE(error) ON TABLE public.run_steps TO countersign_service;
GRANT UPDATE(finished_at) ON TABLE public.run_steps TO countersign_service;
GRANT SELECT,INSERT ON TABLE public.run_traces TO countersign_service;
GRANT DELETE ON TABLE public.run_traces TO countersign_lookup;
GRANT UPDATE(run_id) ON TABLE public.run_traces TO countersign_service;
GRANT UPDATE(carried) ON TABLE public.run_traces TO countersign_service;
GRANT UPDATE(expires_at) ON TABLE public.run_traces TO countersign_service;
GRANT SELECT(expires_at) ON TABLE public.run_traces TO countersign_lookup;
GRANT SELECT,INSERT ON TABLE public.runs TO countersign_service;
GRANT DELETE ON TABLE public.runs TO countersign_lookup;
GRANT SELECT(org_id) ON TABLE public.runs TO countersign_lookup;
GRANT SELECT(id) ON TABLE public.runs TO countersign_lookup;
GRANT UPDATE(status) ON TABLE public.runs TO countersign_service;
GRANT UPDATE(awaits) ON TABLE public.runs TO countersign_service;
GRANT UPDATE(waiting_since) ON TABLE public.runs TO countersign_service;
GRANT UPDATE(waited_ms) ON TABLE public.runs TO countersign_service;
GRANT UPDATE(cancel_requested_at) ON TABLE public.runs TO countersign_service;
GRANT UPDATE(error) ON TABLE public.runs TO countersign_service;
GRANT UPDATE(cost_usd) ON TABLE public.runs TO countersign_service;
GRANT UPDATE(revision) ON TABLE public.runs TO countersign_service;
GRANT UPDATE(due_at) ON TABLE public.runs TO countersign_service;
GRANT SELECT(due_at) ON TABLE public.runs TO countersign_lookup;
GRANT UPDATE(started_at) ON TABLE public.runs TO countersign_service;
GRANT UPDATE(finished_at) ON TABLE public.runs TO countersign_service;
GRANT SELECT(finished_at) ON TABLE public.runs TO countersign_lookup;
GRANT SELECT,INSERT,DELETE ON TABLE public.secrets TO countersign_service;
GRANT UPDATE(sealed) ON TABLE public.secrets TO countersign_service;
GRANT UPDATE(version) ON TABLE public.secrets TO countersign_service;
GRANT UPDATE(set_by) ON TABLE public.secrets TO countersign_service;
GRANT UPDATE(updated_at) ON TABLE public.secrets TO countersign_service;
GRANT SELECT,INSERT ON TABLE public.sessions TO countersign_service;
GRANT SELECT(org_id) ON TABLE public.sessions TO countersign_lookup;
GRANT SELECT(id) ON TABLE public.sessions TO countersign_lookup;
GRANT SELECT(token_sha256) ON TABLE public.sessions TO countersign_lookup;
GRANT UPDATE(ended_at) ON TABLE public.sessions TO countersign_service;
GRANT UPDATE(pending_count) ON TABLE public.sessions TO countersign_service;
GRANT SELECT,INSERT ON TABLE public.signing_keys TO countersign_service;
GRANT UPDATE(master_key) ON TABLE public.signing_keys TO countersign_service;
GRANT UPDATE(wrapped) ON TABLE public.signing_keys TO countersign_service;
GRANT UPDATE(not_after) ON TABLE public.signing_keys TO countersign_service;
GRANT SELECT,INSERT ON TABLE public.slack_clicks TO countersign_service;
GRANT DELETE ON TABLE public.slack_clicks TO countersign_lookup;
GRANT SELECT(at) ON TABLE public.slack_clicks TO countersign_lookup;
GRANT SELECT,INSERT,DELETE ON TABLE public.slack_people TO countersign_service;
GRANT UPDATE(user_id) ON TABLE public.slack_people TO countersign_service;
GRANT SELECT,INSERT ON TABLE public.spaces TO countersign_service;
GRANT UPDATE(name) ON TABLE public.spaces TO countersign_service;
GRANT UPDATE(risk_band) ON TABLE public.spaces TO countersign_service;
GRANT UPDATE(outbound_redaction) ON TABLE public.spaces TO countersign_service;
GRANT SELECT ON TABLE public.standings TO countersign_service;
GRANT SELECT,INSERT,DELETE ON TABLE public.triggers TO countersign_service;
GRANT SELECT(org_id) ON TABLE public.triggers TO countersign_lookup;
GRANT SELECT(id) ON TABLE public.triggers TO countersign_lookup;
GRANT UPDATE(ordinal) ON TABLE public.triggers TO countersign_service;
GRANT UPDATE(config) ON TABLE public.triggers TO countersign_service;
GRANT UPDATE(enabled) ON TABLE public.triggers TO countersign_service;
GRANT SELECT(enabled) ON TABLE public.triggers TO countersign_lookup;
GRANT UPDATE(token_sha256) ON TABLE public.triggers TO countersign_service;
GRANT SELECT(token_sha256) ON TABLE public.triggers TO countersign_lookup;
GRANT UPDATE(sealed) ON TABLE public.triggers TO countersign_service;
GRANT UPDATE(next_at) ON TABLE public.triggers TO countersign_service;
GRANT SELECT(next_at) ON TABLE public.triggers TO countersign_lookup;
GRANT UPDATE(last_fired_at) ON TABLE public.triggers TO countersign_service;
GRANT SELECT,INSERT ON TABLE public.users TO countersign_service;
GRANT SELECT,INSERT ON TABLE public.webhook_deliveries TO countersign_service;
GRANT DELETE ON TABLE public.webhook_deliveries TO countersign_lookup;
GRANT SELECT(org_id) ON TABLE public.webhook_deliveries TO countersign_lookup;
GRANT SELECT(id) ON TABLE public.webhook_deliveries TO countersign_lookup;
GRANT UPDATE(status) ON TABLE public.webhook_deliveries TO countersign_service;
GRANT SELECT(status) ON TABLE public.webhook_deliveries TO countersign_lookup;
GRANT UPDATE(round) ON TABLE public.webhook_deliveries TO countersign_service;
GRANT UPDATE(attempts) ON TABLE public.webhook_deliveries TO countersign_service;
GRANT UPDATE(last_status) ON TABLE public.webhook_deliveries TO countersign_service;
GRANT UPDATE(last_error) ON TABLE public.webhook_deliveries TO countersign_service;
GRANT UPDATE(next_at) ON TABLE public.webhook_deliveries TO countersign_service;
GRANT SELECT(next_at) ON TABLE public.webhook_deliveries TO countersign_lookup;
GRANT SELECT(created_at) ON TABLE public.webhook_deliveries TO countersign_lookup;
GRANT UPDATE(delivered_at) ON TABLE public.webhook_deliveries TO countersign_service;
GRANT SELECT,INSERT,DELETE ON TABLE public.webhooks TO countersign_service;
GRANT UPDATE(url) ON TABLE public.webhooks TO countersign_service;
GRANT UPDATE(types) ON TABLE public.webhooks TO countersign_service;
GRANT UPDATE(filter) ON TABLE public.webhooks TO countersign_service;
GRANT UPDATE(sealed) ON TABLE public.webhooks TO countersign_service;
GRANT UPDATE(previous_sealed) ON TABLE public.webhooks TO countersign_service;
GRANT UPDATE(previous_until) ON TABLE public.webhooks TO countersign_service;
GRANT UPDATE(enabled) ON TABLE public.webhooks TO countersign_service;
GRANT UPDATE(failing_since) ON TABLE public.webhooks TO countersign_service;
GRANT UPDATE(disabled_reason) ON TABLE public.webhooks TO countersign_service;
