-- Change records: who changed what anyone may do. Signed and in the ledger like receipts, never changed, never deleted.
CREATE TABLE changes (
    org_id     uuid NOT NULL,
    id         uuid NOT NULL,
    -- What a list filters by; all of it is also in the payload.
    change     text NOT NULL,
    subject    text NOT NULL,
    user_id    uuid,
    -- The canonical bytes that were signed, the key that signed them, and the signature.
    payload    bytea NOT NULL,
    keyid      text NOT NULL,
    signature  bytea NOT NULL,
    -- What the log will hold of it, and what that is made with.
    seed       bytea NOT NULL,
    commitment bytea NOT NULL,
    position   bigint NOT NULL
        DEFAULT CASE WHEN pg_current_xact_id() IS NOT NULL THEN nextval('ledger_positions') END,
    at         timestamptz NOT NULL,
    PRIMARY KEY (org_id, id)
);
CALL fence('changes');
GRANT SELECT, INSERT ON changes TO countersign_service;
-- Serves ledger_waiting, for the sequencer.
CREATE INDEX changes_position_idx ON changes (position);
-- Serves the history of one thing: of a rule, of a member.
CREATE INDEX changes_subject_idx ON changes (org_id, subject, id);

ALTER TABLE ledger_entries DROP CONSTRAINT ledger_entries_kind;
ALTER TABLE ledger_entries ADD CONSTRAINT ledger_entries_kind CHECK (
    (kind IN ('receipt', 'change') AND keyid IS NOT NULL AND commitment IS NOT NULL)
    OR (kind = 'erasure' AND keyid IS NULL AND commitment IS NULL)
);

CREATE POLICY lookup ON changes FOR SELECT TO countersign_lookup USING (true);
GRANT SELECT (org_id, id, position, keyid, commitment) ON changes TO countersign_lookup;

-- As ledger_after and ledger_write, with the kind of each record. The old ones are gone: a gateway of an older version
-- must not continue the log, because it would pass over change records.
DROP FUNCTION ledger_after(bigint, bigint, integer);
DROP FUNCTION ledger_write(uuid[], uuid[], bigint[], bigint[], text[], bytea[], timestamptz);
CREATE FUNCTION ledger_waiting(after bigint, upto bigint, most integer)
    RETURNS TABLE (org_id uuid, record_id uuid, kind text, "position" bigint, keyid text, commitment bytea)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
        SELECT * FROM (
            (SELECT r.org_id, r.id, 'receipt', r.position, r.keyid, r.commitment FROM receipts r
             WHERE r.position > after AND r.position <= upto AND r.commitment IS NOT NULL
             ORDER BY r.position LIMIT most)
            UNION ALL
            (SELECT c.org_id, c.id, 'change', c.position, c.keyid, c.commitment FROM changes c
             WHERE c.position > after AND c.position <= upto
             ORDER BY c.position LIMIT most)
            UNION ALL
            (SELECT e.org_id, e.receipt_id, 'erasure', e.position, NULL, NULL FROM erasures e
             WHERE e.position > after AND e.position <= upto
             ORDER BY e.position LIMIT most)
        ) AS waiting (org_id, record_id, kind, "position", keyid, commitment)
        ORDER BY 4 LIMIT most
    $$;
CREATE FUNCTION ledger_put(
    orgs uuid[], records uuid[], kinds text[], numbers bigint[], indexes bigint[], keyids text[], commitments bytea[],
    at timestamptz
) RETURNS void
    LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
        INSERT INTO ledger_entries (org_id, receipt_id, kind, number, index, keyid, commitment, logged_at)
        SELECT e.org_id, e.record_id, e.kind, e.number, e.index, e.keyid, e.commitment, at
        FROM unnest(orgs, records, kinds, numbers, indexes, keyids, commitments)
            AS e (org_id, record_id, kind, number, index, keyid, commitment);
        INSERT INTO ledger_orgs AS o (org_id, size)
        SELECT e.org_id, max(e.number) FROM unnest(orgs, numbers) AS e (org_id, number) GROUP BY 1
        ON CONFLICT (org_id) DO UPDATE SET size = excluded.size WHERE excluded.size > o.size;
    $$;
GRANT CREATE ON SCHEMA public TO countersign_lookup;
ALTER FUNCTION ledger_waiting(bigint, bigint, integer) OWNER TO countersign_lookup;
ALTER FUNCTION ledger_put(uuid[], uuid[], text[], bigint[], bigint[], text[], bytea[], timestamptz)
    OWNER TO countersign_lookup;
REVOKE CREATE ON SCHEMA public FROM countersign_lookup;
REVOKE ALL ON FUNCTION ledger_waiting(bigint, bigint, integer),
    ledger_put(uuid[], uuid[], text[], bigint[], bigint[], text[], bytea[], timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger_waiting(bigint, bigint, integer),
    ledger_put(uuid[], uuid[], text[], bigint[], bigint[], text[], bytea[], timestamptz) TO countersign_service;
