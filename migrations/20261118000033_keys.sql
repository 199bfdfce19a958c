-- Rotation of the master key while gateways and workers run.

-- Which master key encrypts new keys, by its name. Rotation sets it after every process has the key; until then, and for
-- a deployment that never rotated, it is the oldest one that is configured: all processes have that one.
ALTER TABLE deployment ADD COLUMN master_key text;
ALTER TABLE deployment ADD CONSTRAINT deployment_master_key CHECK (length(master_key) <= 200);

-- The key of an organization's pseudonyms in receipts. It has a life of its own, so that equal values stay comparable
-- whatever happens to the master key and the data keys.
CREATE TABLE pseudonym_keys (
    org_id     uuid PRIMARY KEY REFERENCES orgs (id),
    sealed     bytea NOT NULL,
    created_at timestamptz NOT NULL
);
CALL fence('pseudonym_keys');
GRANT SELECT, INSERT, UPDATE (sealed) ON pseudonym_keys TO countersign_service;

-- Values that nothing changed so far are encrypted again with a new data key.
GRANT UPDATE (params_sealed) ON quarantined TO countersign_service;
GRANT UPDATE (sealed) ON connector_authorizations TO countersign_service;
GRANT UPDATE (inputs_sealed) ON runs TO countersign_service;

-- A credential that is encrypted again is the same credential: decisions made before stay valid. A new one raises its
-- version.
DROP TRIGGER connections_policy_version ON connections;
CREATE TRIGGER connections_policy_version AFTER INSERT OR UPDATE OF name, version OR DELETE ON connections
    FOR EACH ROW EXECUTE FUNCTION raise_policy_version();
