-- What sessions of agents were given: their later requests may be made of it. Requests of runs tell it themselves.

CREATE TABLE session_reads (
    org_id     uuid NOT NULL,
    session_id uuid NOT NULL,
    source     text NOT NULL,
    action     text NOT NULL,
    -- Whether more came back than the labels of the action tell: an error of the target, or a preview.
    anything   boolean NOT NULL,
    -- When it came back, at least: exact while a question waits, and after an endorsement.
    read_at    timestamptz NOT NULL,
    -- No key of `sessions`: it would be locked by each settlement.
    PRIMARY KEY (org_id, session_id, source, action, anything)
);
CALL fence('session_reads');
GRANT SELECT, INSERT, UPDATE (read_at) ON session_reads TO countersign_service;

-- A person looked at what a session had read before it asked, and trusts it for the rest of the session.
CREATE TABLE flow_endorsements (
    org_id        uuid NOT NULL,
    session_id    uuid NOT NULL,
    -- The question beside which they said so.
    invocation_id uuid NOT NULL,
    -- When it was asked: what came back later is not covered.
    covers_until  timestamptz NOT NULL,
    -- What they looked at.
    origins       jsonb NOT NULL,
    note          text NOT NULL,
    endorsed_by   uuid NOT NULL REFERENCES users (id),
    created_at    timestamptz NOT NULL,
    PRIMARY KEY (org_id, session_id, invocation_id),
    CONSTRAINT flow_endorsements_session_fkey FOREIGN KEY (org_id, session_id) REFERENCES sessions (org_id, id)
        ON DELETE CASCADE,
    CONSTRAINT flow_endorsements_note CHECK (char_length(note) <= 500)
);
CALL fence('flow_endorsements');
GRANT SELECT, INSERT ON flow_endorsements TO countersign_service;
