-- Who is behind what happens: two allowed steps in a row must not do what one step may not.

-- When one of two owners left: until then loosening needs two people, unless the org says otherwise.
ALTER TABLE orgs ADD COLUMN two_people_until timestamptz;
GRANT UPDATE (two_people_until) ON orgs TO countersign_service;
CREATE OR REPLACE FUNCTION needs_two_people(org uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT coalesce(
        (SELECT loosening = 'two_people' FROM orgs WHERE id = org AND loosening IS NOT NULL),
        (SELECT true FROM orgs WHERE id = org AND two_people_until > now()),
        (SELECT count(*) >= 2 FROM memberships WHERE org_id = org AND role = 'owner')
    )
$$;

-- Who made the token of a webhook, who published an event, and so who is behind a run that nobody started.
ALTER TABLE triggers ADD COLUMN token_by uuid REFERENCES users (id);
GRANT UPDATE (token_by) ON triggers TO countersign_service;
ALTER TABLE published_events ADD COLUMN published_by uuid REFERENCES users (id);
ALTER TABLE runs ADD COLUMN caused_by uuid REFERENCES users (id);
ALTER TABLE sessions ADD COLUMN caused_by uuid REFERENCES users (id);
-- Who made a token: of a program, that person can act as the program.
ALTER TABLE api_tokens ADD COLUMN minted_by uuid REFERENCES users (id);
