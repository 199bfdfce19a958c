-- Checkpoints are signed a second time, with ML-DSA-65 (FIPS 204): the public key of these signatures, and what the log says
-- of it. Keys that were made before this have none, and are replaced within a minute.
ALTER TABLE signing_keys ADD COLUMN ml_dsa_65 bytea,
    ADD CONSTRAINT signing_keys_ml_dsa_65 CHECK (octet_length(ml_dsa_65) = 1952);
ALTER TABLE ledger_keys ADD COLUMN ml_dsa_65 bytea,
    ADD CONSTRAINT ledger_keys_ml_dsa_65 CHECK (octet_length(ml_dsa_65) = 1952);
