-- Passkeys: what a person signs their yes with, where the org asks for it.

CREATE TABLE passkeys (
    org_id       uuid NOT NULL REFERENCES orgs (id),
    id           uuid NOT NULL,
    user_id      uuid NOT NULL,
    -- What its person calls it.
    name         text NOT NULL,
    -- What the device calls it.
    credential   bytea NOT NULL,
    -- A point of P-256, uncompressed.
    public_key   bytea NOT NULL,
    -- How often the device says that it has signed; 0 where it does not count.
    signed       bigint NOT NULL,
    created_at   timestamptz NOT NULL,
    last_used_at timestamptz,
    -- Since when it signs nothing more. The row stays: what it signed before must remain checkable.
    removed_at   timestamptz,
    PRIMARY KEY (org_id, id),
    CONSTRAINT passkeys_user_fkey FOREIGN KEY (user_id) REFERENCES users (id),
    CONSTRAINT passkeys_credential_key UNIQUE (org_id, credential),
    CONSTRAINT passkeys_sizes CHECK (
        octet_length(credential) BETWEEN 1 AND 1023 AND octet_length(public_key) = 65 AND length(name) BETWEEN 1 AND 60
    )
);
-- Serves the passkeys of a person.
CREATE INDEX passkeys_user_idx ON passkeys (org_id, user_id);
CALL fence('passkeys');
GRANT SELECT, INSERT, UPDATE (signed, last_used_at, removed_at) ON passkeys TO countersign_service;

-- Whether a yes to what is hard to undo must be signed with one.
ALTER TABLE orgs ADD COLUMN approval_passkey boolean NOT NULL DEFAULT false;
GRANT UPDATE (approval_passkey) ON orgs TO countersign_service;

-- What was signed, with all that is needed to check it: it stands in the receipt, too.
ALTER TABLE approvals ADD COLUMN assertion jsonb;
