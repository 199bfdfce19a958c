-- What is too large for a receipt: which receipt names it. The bytes are kept elsewhere, sealed, under org and digest.
CREATE TABLE artifacts (
    org_id        uuid NOT NULL,
    -- SHA-256 of the plain bytes.
    digest        bytea NOT NULL,
    invocation_id uuid NOT NULL,
    -- Whose it is: a session sees its own.
    session_id    uuid NOT NULL,
    -- With the body of this receipt it goes.
    receipt_id    uuid NOT NULL,
    size          bigint NOT NULL,
    media_type    text NOT NULL,
    created_at    timestamptz NOT NULL,
    PRIMARY KEY (org_id, digest, invocation_id),
    CONSTRAINT artifacts_digest_length CHECK (length(digest) = 32),
    CONSTRAINT artifacts_size CHECK (size > 0)
);
CALL fence('artifacts');
GRANT SELECT, INSERT, DELETE ON artifacts TO countersign_service;
-- Serves the removal of what erased receipts named.
CREATE INDEX artifacts_receipt_idx ON artifacts (org_id, receipt_id);
