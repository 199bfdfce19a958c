-- Spaces have members, and a session gets at most what its opener may do in its space.

-- Who works in the space: `everyone` of the org, or its members. Spaces that exist stay open to everyone.
ALTER TABLE spaces ADD COLUMN open_to text NOT NULL DEFAULT 'everyone';
ALTER TABLE spaces ADD CONSTRAINT spaces_open_to CHECK (open_to IN ('everyone', 'members'));
GRANT UPDATE (open_to) ON spaces TO countersign_service;

CREATE TABLE space_members (
    org_id       uuid NOT NULL,
    space_id     uuid NOT NULL,
    user_id      uuid NOT NULL,
    -- What a session that they open in the space may use at most: `linear:read`, `linear:*`, `*`.
    capabilities text[] NOT NULL,
    added_at     timestamptz NOT NULL,
    PRIMARY KEY (org_id, space_id, user_id),
    CONSTRAINT space_members_space_fkey FOREIGN KEY (org_id, space_id) REFERENCES spaces (org_id, id) ON DELETE CASCADE,
    CONSTRAINT space_members_member_fkey FOREIGN KEY (org_id, user_id) REFERENCES memberships (org_id, user_id)
        ON DELETE CASCADE,
    CONSTRAINT space_members_size CHECK (cardinality(capabilities) BETWEEN 1 AND 100)
);
-- Serves leaving the org.
CREATE INDEX space_members_user_idx ON space_members (org_id, user_id);
CALL fence('space_members');
GRANT SELECT, INSERT, UPDATE (capabilities), DELETE ON space_members TO countersign_service;
