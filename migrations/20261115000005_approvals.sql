-- What a person answers: votes, standing permissions, and what an agent may ask for.

-- How many people must say yes to what is hard to undo (R3, R4), and whether the one who opened the session counts.
ALTER TABLE orgs
    ADD COLUMN approval_quorum    integer NOT NULL DEFAULT 1,
    ADD COLUMN approval_four_eyes boolean NOT NULL DEFAULT false,
    ADD CONSTRAINT orgs_approval_quorum CHECK (approval_quorum BETWEEN 1 AND 10);
GRANT UPDATE (approval_quorum, approval_four_eyes) ON orgs TO countersign_service;

ALTER TABLE invocations ADD COLUMN approved_at timestamptz;
GRANT UPDATE (approved_at) ON invocations TO countersign_service;
-- Serves overdue_invocations: what nobody answered in time.
CREATE INDEX invocations_expiry_idx ON invocations (expires_at) WHERE status = 'pending';
-- Serves overdue_invocations: what was approved and not begun.
CREATE INDEX invocations_approved_idx ON invocations (approved_at) WHERE status = 'approved';
-- Serves the inbox: what a person must find out about.
CREATE INDEX invocations_unknown_idx ON invocations (org_id, id) WHERE status = 'unknown';

-- One row per vote. The service adds votes and reads them; no privilege lets it change or remove one.
CREATE TABLE approvals (
    org_id        uuid NOT NULL,
    id            uuid NOT NULL,
    invocation_id uuid NOT NULL,
    user_id       uuid NOT NULL REFERENCES users (id),
    verdict       text NOT NULL,
    -- How far a yes goes: this once, a grant for more, or a rule for always.
    extent        text NOT NULL,
    -- Where it was said: `api`, `cli`, `web`, `slack`.
    channel       text NOT NULL,
    -- What was shown to them.
    shown_digest  bytea NOT NULL,
    note          text NOT NULL,
    -- Of the invocation, for the history of an action.
    source        text NOT NULL,
    action        text NOT NULL,
    at            timestamptz NOT NULL,
    PRIMARY KEY (org_id, id),
    -- A person votes once: a quorum is a number of people.
    CONSTRAINT approvals_vote_key UNIQUE (org_id, invocation_id, user_id),
    CONSTRAINT approvals_verdict CHECK (verdict IN ('approved', 'denied')),
    CONSTRAINT approvals_extent CHECK (extent IN ('once', 'grant', 'always'))
);
-- Serves the history of an action in the inbox.
CREATE INDEX approvals_history_idx ON approvals (org_id, source, action, id DESC);
CALL fence('approvals');
GRANT SELECT, INSERT ON approvals TO countersign_service;

-- A bounded standing permission.
CREATE TABLE grants (
    org_id          uuid NOT NULL REFERENCES orgs (id),
    id              uuid NOT NULL,
    -- For one session or one automation; for the whole org when both are absent.
    session_id      uuid,
    automation_id   uuid,
    source          text NOT NULL,
    action          text NOT NULL,
    max_calls       integer NOT NULL,
    used_calls      integer NOT NULL DEFAULT 0,
    expires_at      timestamptz NOT NULL,
    revoked_at      timestamptz,
    revoked_by      uuid REFERENCES users (id),
    created_by      uuid NOT NULL REFERENCES users (id),
    created_at      timestamptz NOT NULL,
    -- What it came from: an approval, or an agent's request.
    from_invocation uuid,
    from_request    uuid,
    reason          text NOT NULL,
    PRIMARY KEY (org_id, id),
    CONSTRAINT grants_calls CHECK (max_calls > 0 AND used_calls BETWEEN 0 AND max_calls),
    CONSTRAINT grants_scope CHECK (session_id IS NULL OR automation_id IS NULL),
    CONSTRAINT grants_wildcard CHECK (source <> '*' OR action = '*')
);
-- Serves purge_grants.
CREATE INDEX grants_expires_idx ON grants (expires_at);
CALL fence('grants');
GRANT SELECT, INSERT, UPDATE (used_calls, revoked_at, revoked_by) ON grants TO countersign_service;
-- A new grant and a revoked one change what is decided; a used call does not, as the statement that uses it looks itself.
CREATE TRIGGER grants_policy_version AFTER INSERT OR UPDATE OF revoked_at ON grants
    FOR EACH ROW EXECUTE FUNCTION raise_policy_version();

-- What an agent asked to be granted. A person answers.
CREATE TABLE grant_requests (
    org_id       uuid NOT NULL,
    id           uuid NOT NULL,
    session_id   uuid NOT NULL,
    source       text NOT NULL,
    action       text NOT NULL,
    max_calls    integer NOT NULL,
    lifetime_s   bigint NOT NULL,
    reason       text NOT NULL,
    status       text NOT NULL DEFAULT 'pending',
    requested_at timestamptz NOT NULL,
    expires_at   timestamptz NOT NULL,
    answered_by  uuid REFERENCES users (id),
    answered_at  timestamptz,
    note         text,
    grant_id     uuid,
    PRIMARY KEY (org_id, id),
    CONSTRAINT grant_requests_session_fkey FOREIGN KEY (org_id, session_id) REFERENCES sessions (org_id, id),
    CONSTRAINT grant_requests_status CHECK (status IN ('pending', 'granted', 'denied')),
    CONSTRAINT grant_requests_answered CHECK ((status = 'pending') = (answered_at IS NULL))
);
-- Serves the inbox; holds only what waits.
CREATE INDEX grant_requests_pending_idx ON grant_requests (org_id, id) WHERE status = 'pending';
CALL fence('grant_requests');
GRANT SELECT, INSERT, UPDATE (status, answered_by, answered_at, note, grant_id) ON grant_requests TO countersign_service;

-- Across orgs, for the sweep: what expired unanswered, and what was approved and is not under way.
GRANT SELECT (expires_at, approved_at) ON invocations TO countersign_lookup;
CREATE FUNCTION overdue_invocations(at timestamptz, approved_before timestamptz, most integer)
    RETURNS TABLE (org_id uuid, id uuid, status text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
        (SELECT i.org_id, i.id, i.status FROM invocations i
         WHERE i.status = 'pending' AND i.expires_at <= at ORDER BY i.expires_at LIMIT most)
        UNION ALL
        (SELECT i.org_id, i.id, i.status FROM invocations i
         WHERE i.status = 'approved' AND i.approved_at <= approved_before ORDER BY i.approved_at LIMIT most)
    $$;

CREATE POLICY purge ON grants TO countersign_lookup USING (true);
GRANT SELECT (expires_at), DELETE ON grants TO countersign_lookup;
CREATE FUNCTION purge_grants(before timestamptz) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
        WITH gone AS (DELETE FROM grants WHERE expires_at < before RETURNING 1)
        SELECT count(*) FROM gone
    $$;

GRANT CREATE ON SCHEMA public TO countersign_lookup;
ALTER FUNCTION overdue_invocations(timestamptz, timestamptz, integer) OWNER TO countersign_lookup;
ALTER FUNCTION purge_grants(timestamptz) OWNER TO countersign_lookup;
REVOKE CREATE ON SCHEMA public FROM countersign_lookup;
REVOKE ALL ON FUNCTION overdue_invocations(timestamptz, timestamptz, integer), purge_grants(timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION overdue_invocations(timestamptz, timestamptz, integer), purge_grants(timestamptz)
    TO countersign_service;
