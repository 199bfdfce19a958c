-- Checkpoints are signed a second time, with ML-DSA-65 (FIPS 204). What the log says of a key names the public key of these
-- signatures too; keys that began before this have none, and are replaced within a minute.
ALTER TABLE ledger_keys ADD COLUMN ml_dsa_65 bytea,
    ADD CONSTRAINT ledger_keys_ml_dsa_65 CHECK (octet_length(ml_dsa_65) = 1952);
