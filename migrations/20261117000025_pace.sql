-- How long people look at what they approve: when each of them opened a document, and how long it is.
CREATE TABLE seen_documents (
    org_id        uuid NOT NULL,
    invocation_id uuid NOT NULL,
    user_id       uuid NOT NULL REFERENCES users (id),
    digest        bytea NOT NULL,
    seen_at       timestamptz NOT NULL,
    PRIMARY KEY (org_id, invocation_id, user_id, digest)
);
CALL fence('seen_documents');
GRANT SELECT, INSERT ON seen_documents TO countersign_service;
ALTER TABLE shown_documents ADD COLUMN characters integer NOT NULL DEFAULT 0;
-- Of a vote: the time since the person opened the document, and the document's length. Absent where it was not opened
-- here, as in Slack.
ALTER TABLE approvals ADD COLUMN read_ms bigint, ADD COLUMN characters integer;
-- Serves the pace of a person, and the answers of a period.
CREATE INDEX approvals_user_idx ON approvals (org_id, user_id, id DESC);

-- They go with the documents.
CREATE POLICY purge ON seen_documents TO countersign_lookup USING (true);
GRANT SELECT (org_id, invocation_id, seen_at), DELETE ON seen_documents TO countersign_lookup;
-- For the purge.
CREATE INDEX seen_documents_seen_at ON seen_documents (seen_at);
CREATE OR REPLACE FUNCTION purge_shown_documents(before timestamptz) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
        WITH gone AS (
            DELETE FROM shown_documents d
            WHERE d.shown_at < before AND NOT EXISTS (
                SELECT 1 FROM invocations i
                WHERE i.org_id = d.org_id AND i.id = d.invocation_id
                    AND i.status IN ('pending', 'approved', 'executing', 'unknown')
            )
            RETURNING 1
        ), revealed AS (
            DELETE FROM revealed_values v
            WHERE v.revealed_at < before AND NOT EXISTS (
                SELECT 1 FROM invocations i
                WHERE i.org_id = v.org_id AND i.id = v.invocation_id
                    AND i.status IN ('pending', 'approved', 'executing', 'unknown')
            )
        ), seen AS (
            DELETE FROM seen_documents s
            WHERE s.seen_at < before AND NOT EXISTS (
                SELECT 1 FROM invocations i
                WHERE i.org_id = s.org_id AND i.id = s.invocation_id
                    AND i.status IN ('pending', 'approved', 'executing', 'unknown')
            )
        )
        SELECT count(*) FROM gone
    $$;
