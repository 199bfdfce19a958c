-- What a person is shown is one document, and their answer is about that document.

-- Why the proposer wants it, in their own words; empty if they did not say.
ALTER TABLE invocations ADD COLUMN reason text NOT NULL DEFAULT '';

-- The documents that were shown about what waits. An answer names the digest of one of them; the receipt keeps those
-- that were answered.
CREATE TABLE shown_documents (
    org_id         uuid NOT NULL,
    invocation_id  uuid NOT NULL,
    -- SHA-256 of the document.
    digest         bytea NOT NULL,
    -- The subject it is about: an answer counts only while that is the subject of the question.
    subject_digest bytea NOT NULL,
    -- In canonical form.
    document       text NOT NULL,
    shown_at       timestamptz NOT NULL,
    PRIMARY KEY (org_id, invocation_id, digest)
);
CALL fence('shown_documents');
GRANT SELECT, INSERT, DELETE ON shown_documents TO countersign_service;

-- Those of invocations that have ended are in the receipts.
CREATE POLICY purge ON shown_documents TO countersign_lookup USING (true);
GRANT SELECT (org_id, invocation_id, shown_at), DELETE ON shown_documents TO countersign_lookup;
CREATE INDEX shown_documents_shown_at ON shown_documents (shown_at);
CREATE FUNCTION purge_shown_documents(before timestamptz) RETURNS bigint
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
        )
        SELECT count(*) FROM gone
    $$;
GRANT CREATE ON SCHEMA public TO countersign_lookup;
ALTER FUNCTION purge_shown_documents(timestamptz) OWNER TO countersign_lookup;
REVOKE CREATE ON SCHEMA public FROM countersign_lookup;
REVOKE ALL ON FUNCTION purge_shown_documents(timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION purge_shown_documents(timestamptz) TO countersign_service;
