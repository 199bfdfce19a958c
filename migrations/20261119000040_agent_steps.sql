-- Steps of runs that a model performs: what they began with, each question to the model, and each call that a reply wanted.
-- What was said is in `payloads`, by digest.

CREATE TABLE agent_steps (
    org_id     uuid NOT NULL,
    run_id     uuid NOT NULL,
    ordinal    smallint NOT NULL,
    attempt    smallint NOT NULL,
    -- The first prompt by its digest, and the tools by name and address.
    beginning  jsonb NOT NULL,
    -- The result, by digest, once it has succeeded.
    output     bytea,
    PRIMARY KEY (org_id, run_id, ordinal, attempt),
    CONSTRAINT agent_steps_run_fkey FOREIGN KEY (org_id, run_id) REFERENCES runs (org_id, id) ON DELETE CASCADE,
    CONSTRAINT agent_steps_output CHECK (octet_length(output) = 32)
);
CALL fence('agent_steps');
GRANT SELECT, INSERT, UPDATE (output) ON agent_steps TO countersign_service;

CREATE TABLE agent_turns (
    org_id            uuid NOT NULL,
    run_id            uuid NOT NULL,
    ordinal           smallint NOT NULL,
    attempt           smallint NOT NULL,
    turn              smallint NOT NULL,
    -- A turn is asked again if no reply came, or if it was cut off.
    ask               smallint NOT NULL,
    prompt            bytea NOT NULL,
    max_output_tokens integer NOT NULL,
    invocation_id     uuid,
    reply             bytea,
    stop              text,
    -- Of an answer: why it does not fit; an empty list if it fits.
    problems          jsonb,
    error             jsonb,
    retry_at          timestamptz,
    input_tokens      bigint NOT NULL,
    output_tokens     bigint NOT NULL,
    -- NULL if nobody knows the price.
    nano_usd          bigint,
    started_at        timestamptz NOT NULL,
    finished_at       timestamptz,
    PRIMARY KEY (org_id, run_id, ordinal, attempt, turn, ask),
    CONSTRAINT agent_turns_run_fkey FOREIGN KEY (org_id, run_id) REFERENCES runs (org_id, id) ON DELETE CASCADE,
    CONSTRAINT agent_turns_digests CHECK (octet_length(prompt) = 32 AND octet_length(reply) = 32)
);
CALL fence('agent_turns');
GRANT SELECT, INSERT, UPDATE (invocation_id, reply, stop, problems, error, retry_at, input_tokens, output_tokens, nano_usd,
    finished_at) ON agent_turns TO countersign_service;

CREATE TABLE agent_calls (
    org_id        uuid NOT NULL,
    run_id        uuid NOT NULL,
    ordinal       smallint NOT NULL,
    attempt       smallint NOT NULL,
    turn          smallint NOT NULL,
    -- Its place among the calls of the turn.
    call          smallint NOT NULL,
    -- As the provider and the model wrote them.
    provider_id   text NOT NULL,
    name          text NOT NULL,
    action        text,
    params        bytea,
    status        text NOT NULL,
    invocation_id uuid,
    -- What the model was told, by digest.
    result        bytea,
    -- Why it failed.
    class         text,
    started_at    timestamptz NOT NULL,
    finished_at   timestamptz,
    PRIMARY KEY (org_id, run_id, ordinal, attempt, turn, call),
    CONSTRAINT agent_calls_run_fkey FOREIGN KEY (org_id, run_id) REFERENCES runs (org_id, id) ON DELETE CASCADE,
    CONSTRAINT agent_calls_status CHECK (status IN ('wanted', 'waiting', 'succeeded', 'failed')),
    CONSTRAINT agent_calls_digests CHECK (octet_length(params) = 32 AND octet_length(result) = 32),
    CONSTRAINT agent_calls_size CHECK (octet_length(name) <= 1024 AND octet_length(provider_id) <= 1024)
);
CALL fence('agent_calls');
GRANT SELECT, INSERT, UPDATE (status, invocation_id, result, class, finished_at) ON agent_calls TO countersign_service;

-- With the inputs of a run goes everything that is known of what its models said and wanted.
CREATE POLICY erase ON agent_steps TO countersign_lookup USING (true);
CREATE POLICY erase ON agent_turns TO countersign_lookup USING (true);
CREATE POLICY erase ON agent_calls TO countersign_lookup USING (true);
GRANT SELECT (org_id, run_id), DELETE ON agent_steps, agent_turns, agent_calls TO countersign_lookup;
CREATE FUNCTION erase_agent_steps() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM agent_calls c WHERE c.org_id = NEW.org_id AND c.run_id = NEW.id;
    DELETE FROM agent_turns t WHERE t.org_id = NEW.org_id AND t.run_id = NEW.id;
    DELETE FROM agent_steps s WHERE s.org_id = NEW.org_id AND s.run_id = NEW.id;
    RETURN NULL;
END $$;
CREATE TRIGGER runs_erased AFTER UPDATE OF erased_at ON runs
    FOR EACH ROW WHEN (OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL)
    EXECUTE FUNCTION erase_agent_steps();

-- What the models of a run cost.
GRANT UPDATE (cost_usd) ON runs TO countersign_service;

-- What an unfinished run of an organization has said, or will read, is not deleted before it is over.
GRANT SELECT (created_at) ON runs TO countersign_lookup;
CREATE OR REPLACE FUNCTION purge_payloads(at timestamptz) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
        WITH kept AS (
            SELECT o.id, least(
                at - least(kept_days(o.id), 31) * interval '1 day',
                (SELECT min(r.created_at) FROM runs r JOIN agent_steps s ON s.org_id = r.org_id AND s.run_id = r.id
                 WHERE r.org_id = o.id AND r.finished_at IS NULL)
            ) AS before
            FROM orgs o WHERE kept_days(o.id) IS NOT NULL
        ), gone AS (
            DELETE FROM payloads p USING kept k WHERE p.org_id = k.id AND p.used_at < k.before RETURNING 1
        ), old AS (
            DELETE FROM spending s WHERE s.day < (at - interval '400 days')::date
        )
        SELECT count(*) FROM gone
    $$;
