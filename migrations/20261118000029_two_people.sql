-- Two people to loosen: a change after which something can happen that could not happen before waits for a second owner.
ALTER TABLE orgs ADD COLUMN loosening text;
ALTER TABLE orgs ADD CONSTRAINT orgs_loosening CHECK (loosening IN ('one', 'two_people'));
GRANT UPDATE (loosening) ON orgs TO countersign_service;

-- Whether one person may loosen. Unless the org says so, that ends when there are two owners.
CREATE FUNCTION needs_two_people(org uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT coalesce(
        (SELECT loosening = 'two_people' FROM orgs WHERE id = org AND loosening IS NOT NULL),
        (SELECT count(*) >= 2 FROM memberships WHERE org_id = org AND role = 'owner')
    )
$$;

-- Changes that wait for a second owner, and what became of them. The request is kept sealed, because it may hold a
-- secret, and is made again when the second owner agrees.
CREATE TABLE proposed_changes (
    org_id      uuid NOT NULL REFERENCES orgs (id),
    id          uuid NOT NULL,
    change      text NOT NULL,
    subject     text NOT NULL,
    name        text NOT NULL,
    before      jsonb,
    after       jsonb,
    -- What it loosens, in words.
    loosens     text NOT NULL,
    -- Over the change as it would be made; one that would be made differently by now is not what was agreed to.
    digest      bytea NOT NULL,
    method      text NOT NULL,
    path        text NOT NULL,
    body_sealed bytea NOT NULL,
    reason      text,
    address     text,
    proposed_by uuid NOT NULL REFERENCES users (id),
    token_id    uuid NOT NULL,
    proposed_at timestamptz NOT NULL,
    expires_at  timestamptz NOT NULL,
    status      text NOT NULL DEFAULT 'waiting',
    answered_by uuid REFERENCES users (id),
    answered_at timestamptz,
    note        text,
    PRIMARY KEY (org_id, id),
    CONSTRAINT proposed_changes_status
        CHECK (status IN ('waiting', 'approved', 'denied', 'withdrawn', 'expired', 'failed'))
);
CALL fence('proposed_changes');
GRANT SELECT, INSERT, UPDATE (status, answered_by, answered_at, note, body_sealed) ON proposed_changes
    TO countersign_service;
