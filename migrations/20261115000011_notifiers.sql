-- Telling people where they are that something waits for them, and taking their answers from there.

-- Where an org's people are told.
CREATE TABLE notifiers (
    org_id     uuid NOT NULL REFERENCES orgs (id),
    id         uuid NOT NULL,
    kind       text NOT NULL,
    -- The one space whose news go there; without it, every space's.
    space_id   uuid,
    -- A Slack channel's id, or an e-mail address.
    target     text NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (org_id, id),
    CONSTRAINT notifiers_kind CHECK (kind IN ('slack', 'email')),
    CONSTRAINT notifiers_space_fkey FOREIGN KEY (org_id, space_id) REFERENCES spaces (org_id, id)
);
-- The same news twice in one place is noise.
CREATE UNIQUE INDEX notifiers_target_key ON notifiers (org_id, kind, target, space_id) NULLS NOT DISTINCT;
CALL fence('notifiers');
GRANT SELECT, INSERT, DELETE ON notifiers TO countersign_service;

-- Which user a user of Slack is. An owner says so; nobody is guessed by an address that Slack tells.
CREATE TABLE slack_people (
    org_id     uuid NOT NULL REFERENCES orgs (id),
    slack_user text NOT NULL,
    user_id    uuid NOT NULL REFERENCES users (id),
    PRIMARY KEY (org_id, slack_user)
);
CALL fence('slack_people');
GRANT SELECT, INSERT, UPDATE (user_id), DELETE ON slack_people TO countersign_service;

-- One thing that one notifier tells, and how far that is.
CREATE TABLE notices (
    org_id      uuid NOT NULL,
    id          uuid NOT NULL,
    notifier_id uuid NOT NULL,
    kind        text NOT NULL,
    -- What it is about: the id of an invocation, or of a request for a grant.
    subject     text NOT NULL,
    status      text NOT NULL DEFAULT 'pending',
    attempts    integer NOT NULL DEFAULT 0,
    -- When somebody looks at it next, or, while somebody sends it, when somebody else may; nothing is left to do without.
    due_at      timestamptz,
    -- Whether its subject changed since somebody began to send it.
    again       boolean NOT NULL DEFAULT false,
    -- Slack's name for the message, once there is one, and the state of the subject that it shows.
    channel     text,
    ts          text,
    shown       text,
    -- Short, and nothing that a target said but the name of its complaint.
    last_error  text,
    created_at  timestamptz NOT NULL,
    PRIMARY KEY (org_id, id),
    -- Noticing twice is harmless.
    CONSTRAINT notices_subject_key UNIQUE (org_id, notifier_id, subject),
    CONSTRAINT notices_notifier_fkey FOREIGN KEY (org_id, notifier_id)
        REFERENCES notifiers (org_id, id) ON DELETE CASCADE,
    CONSTRAINT notices_kind CHECK (kind IN ('asked')),
    -- `moot`: its subject was over before anybody was told.
    CONSTRAINT notices_status CHECK (status IN ('pending', 'sent', 'failed', 'moot'))
);
-- Serves due_notices.
CREATE INDEX notices_due_idx ON notices (due_at) WHERE due_at IS NOT NULL;
-- Serves marking what tells of a subject that changed, and finding the message that was clicked.
CREATE INDEX notices_subject_idx ON notices (org_id, subject);
CALL fence('notices');
GRANT SELECT, INSERT, UPDATE, DELETE ON notices TO countersign_service;

-- Clicks that were taken, by their signatures, until their time is over anyway: each counts once.
CREATE TABLE slack_clicks (
    org_id           uuid NOT NULL,
    signature_sha256 bytea NOT NULL,
    at               timestamptz NOT NULL,
    PRIMARY KEY (org_id, signature_sha256)
);
-- Serves purge_slack_clicks.
CREATE INDEX slack_clicks_at_idx ON slack_clicks (at);
CALL fence('slack_clicks');
GRANT SELECT, INSERT ON slack_clicks TO countersign_service;

-- Which notices are due, across orgs: ids alone. What they say is read inside the fence of their org.
CREATE FUNCTION due_notices(now timestamptz, most integer) RETURNS TABLE (org_id uuid, id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT n.org_id, n.id FROM notices n WHERE n.due_at <= now ORDER BY n.due_at LIMIT most $$;
CREATE POLICY lookup ON notices FOR SELECT TO countersign_lookup USING (true);
GRANT SELECT (org_id, id, due_at) ON notices TO countersign_lookup;

CREATE FUNCTION purge_slack_clicks(before timestamptz) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
        WITH gone AS (DELETE FROM slack_clicks WHERE at < before RETURNING 1)
        SELECT count(*) FROM gone
    $$;
CREATE POLICY purge ON slack_clicks TO countersign_lookup USING (true);
GRANT SELECT (at), DELETE ON slack_clicks TO countersign_lookup;

GRANT CREATE ON SCHEMA public TO countersign_lookup;
ALTER FUNCTION due_notices(timestamptz, integer) OWNER TO countersign_lookup;
ALTER FUNCTION purge_slack_clicks(timestamptz) OWNER TO countersign_lookup;
REVOKE CREATE ON SCHEMA public FROM countersign_lookup;
REVOKE ALL ON FUNCTION due_notices(timestamptz, integer), purge_slack_clicks(timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION due_notices(timestamptz, integer), purge_slack_clicks(timestamptz) TO countersign_service;

-- It begins where the log ends: of what was asked before there was a notifier, nobody is told.
INSERT INTO event_followers (name, position)
    SELECT 'notifier', coalesce(max(position), 0) FROM event_followers WHERE name = 'relay';
