-- Nobody approves what they did not see: a person reveals hidden values before they approve, and that is recorded.

CREATE TABLE revealed_values (
    org_id         uuid NOT NULL,
    invocation_id  uuid NOT NULL,
    user_id        uuid NOT NULL REFERENCES users (id),
    -- The subject of the question: when it is asked again, values are revealed again.
    subject_digest bytea NOT NULL,
    -- Where the value is in the parameters, as a JSON pointer.
    pointer        text NOT NULL,
    revealed_at    timestamptz NOT NULL,
    PRIMARY KEY (org_id, invocation_id, user_id, subject_digest, pointer)
);
CALL fence('revealed_values');
GRANT SELECT, INSERT ON revealed_values TO countersign_service;
