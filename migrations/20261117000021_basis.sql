-- What a shown document relies on about the target: a salted digest over it, before redaction. It is compared before
-- anything is sent. NULL where the preview relied on nothing.
ALTER TABLE shown_documents ADD COLUMN basis_digest bytea
    CONSTRAINT shown_documents_basis_digest CHECK (octet_length(basis_digest) = 32);

-- Who saw which hidden value matters while the invocation waits; the record of it is the event. So these rows go
-- with the documents.
CREATE POLICY purge ON revealed_values TO countersign_lookup USING (true);
GRANT SELECT (org_id, invocation_id, revealed_at), DELETE ON revealed_values TO countersign_lookup;
-- For the purge.
CREATE INDEX revealed_values_revealed_at ON revealed_values (revealed_at);
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
        ), seen AS (
            DELETE FROM revealed_values v
            WHERE v.revealed_at < before AND NOT EXISTS (
                SELECT 1 FROM invocations i
                WHERE i.org_id = v.org_id AND i.id = v.invocation_id
                    AND i.status IN ('pending', 'approved', 'executing', 'unknown')
            )
        )
        SELECT count(*) FROM gone
    $$;
