-- Permissions are bound to what was seen: a rule or a grant may have a condition on the parameters (JSON, empty for none),
-- and one that was given for a run holds for the step that was seen (the hash of its action and configuration).
ALTER TABLE rules
    ADD COLUMN condition text NOT NULL DEFAULT '' CONSTRAINT rules_condition CHECK (octet_length(condition) <= 8192),
    ADD COLUMN step bytea CONSTRAINT rules_step CHECK (octet_length(step) = 32);
ALTER TABLE rules DROP CONSTRAINT rules_key;
-- One rule per scope, key, condition and step.
ALTER TABLE rules ADD CONSTRAINT rules_key
    UNIQUE NULLS NOT DISTINCT (org_id, scope, automation_id, source, action, condition, step);
ALTER TABLE grants
    ADD COLUMN condition text NOT NULL DEFAULT '' CONSTRAINT grants_condition CHECK (octet_length(condition) <= 8192),
    ADD COLUMN step bytea CONSTRAINT grants_step CHECK (octet_length(step) = 32);
