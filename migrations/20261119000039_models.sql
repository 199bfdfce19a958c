-- Language models: the providers of an organization, and the stored bytes of prompts and replies.

CREATE TABLE model_providers (
    org_id          uuid NOT NULL REFERENCES orgs (id),
    id              uuid NOT NULL,
    -- The second part of its address, `model.<slug>`. Never changes.
    slug            text NOT NULL,
    wire            text NOT NULL,
    base_url        text NOT NULL,
    -- How calls are authenticated: by a secret of the org, named here and resolved at each call.
    auth            text NOT NULL,
    auth_header     text,
    auth_secret     text,
    -- Names, sizes and own prices of its models.
    models          jsonb NOT NULL,
    -- How the server differs from others of its wire.
    quirks          jsonb NOT NULL,
    -- Whether data that is not public may be sent to it.
    may_see_private boolean NOT NULL,
    -- Whether its tokens cost nothing.
    is_free         boolean NOT NULL,
    enabled         boolean NOT NULL,
    -- What it could do when it was saved.
    probed          jsonb,
    created_by      uuid NOT NULL REFERENCES users (id),
    created_at      timestamptz NOT NULL,
    PRIMARY KEY (org_id, id),
    CONSTRAINT model_providers_slug_key UNIQUE (org_id, slug),
    CONSTRAINT model_providers_slug_shape CHECK (slug ~ '^[a-z][a-z0-9_-]{0,63}$'),
    CONSTRAINT model_providers_wire CHECK (wire IN ('anthropic_messages', 'openai_chat', 'openai_responses')),
    CONSTRAINT model_providers_auth CHECK (
        auth IN ('none', 'bearer', 'header')
        AND (auth = 'header') = (auth_header IS NOT NULL)
        AND (auth = 'none') = (auth_secret IS NULL)
    ),
    CONSTRAINT model_providers_size CHECK (octet_length(models::text) <= 65536 AND octet_length(base_url) <= 2048)
);
CALL fence('model_providers');
GRANT SELECT, INSERT,
    UPDATE (wire, base_url, auth, auth_header, auth_secret, models, quirks, may_see_private, is_free, enabled, probed), DELETE
    ON model_providers TO countersign_service;
CREATE TRIGGER model_providers_catalog_version AFTER INSERT OR DELETE ON model_providers
    FOR EACH ROW EXECUTE FUNCTION raise_catalog_version();
-- That it was probed again changes nothing that a decision is made from, but the words in which it is asked are kept with it.
CREATE TRIGGER model_providers_catalog_version_changed AFTER UPDATE ON model_providers FOR EACH ROW
    WHEN ((OLD.wire, OLD.base_url, OLD.auth, OLD.auth_header, OLD.auth_secret, OLD.models, OLD.quirks, OLD.may_see_private,
           OLD.is_free, OLD.enabled)
        IS DISTINCT FROM (NEW.wire, NEW.base_url, NEW.auth, NEW.auth_header, NEW.auth_secret, NEW.models, NEW.quirks,
           NEW.may_see_private, NEW.is_free, NEW.enabled))
    EXECUTE FUNCTION raise_catalog_version();

-- Parts of prompts, and replies, each once and encrypted. They are named by the digest of their bytes.
CREATE TABLE payloads (
    org_id     uuid NOT NULL REFERENCES orgs (id),
    id         uuid NOT NULL,
    digest     bytea NOT NULL,
    sealed     bytea NOT NULL,
    -- When a call last named them.
    used_at    timestamptz NOT NULL,
    PRIMARY KEY (org_id, id),
    -- Serves finding and storing them.
    CONSTRAINT payloads_digest_key UNIQUE (org_id, digest),
    CONSTRAINT payloads_digest_size CHECK (octet_length(digest) = 32),
    CONSTRAINT payloads_size CHECK (octet_length(sealed) <= 8 * 1024 * 1024 + 1024)
);
-- Serves purge_payloads.
CREATE INDEX payloads_used_at_idx ON payloads (org_id, used_at);
CALL fence('payloads');
GRANT SELECT, INSERT, UPDATE (sealed, used_at), DELETE ON payloads TO countersign_service;
CREATE POLICY purge ON payloads TO countersign_lookup USING (true);
GRANT SELECT (org_id, used_at), DELETE ON payloads TO countersign_lookup;

-- What was spent on models, and what calls that are under way may still cost, in 10^-9 USD.
CREATE TABLE spending (
    org_id          uuid NOT NULL REFERENCES orgs (id),
    -- `org` and `automation` count a day in UTC; `run` counts a whole run, under the day of its creation.
    scope           text NOT NULL,
    -- The automation or the run; nil for the organization.
    scope_id        uuid NOT NULL,
    day             date NOT NULL,
    spent_nano      bigint NOT NULL DEFAULT 0,
    reserved_nano   bigint NOT NULL DEFAULT 0,
    spent_tokens    bigint NOT NULL DEFAULT 0,
    reserved_tokens bigint NOT NULL DEFAULT 0,
    -- Serves reserving, settling and showing.
    PRIMARY KEY (org_id, scope, scope_id, day),
    CONSTRAINT spending_scope CHECK (scope IN ('org', 'automation', 'run')),
    CONSTRAINT spending_amounts CHECK (spent_nano >= 0 AND reserved_nano >= 0 AND spent_tokens >= 0 AND reserved_tokens >= 0)
);
-- Serves purge_payloads.
CREATE INDEX spending_day_idx ON spending (day);
CALL fence('spending');
GRANT SELECT, INSERT, UPDATE (spent_nano, reserved_nano, spent_tokens, reserved_tokens), DELETE ON spending
    TO countersign_service;
CREATE POLICY purge ON spending TO countersign_lookup USING (true);
GRANT SELECT (day), DELETE ON spending TO countersign_lookup;

-- What a call that has not ended may cost, and the rows of spending that it counts towards, in the order of locking.
CREATE TABLE model_reservations (
    org_id        uuid NOT NULL,
    invocation_id uuid NOT NULL,
    nano          bigint NOT NULL,
    tokens        bigint NOT NULL,
    scopes        text[] NOT NULL,
    scope_ids     uuid[] NOT NULL,
    days          date[] NOT NULL,
    PRIMARY KEY (org_id, invocation_id)
);
CALL fence('model_reservations');
GRANT SELECT, INSERT, DELETE ON model_reservations TO countersign_service;

ALTER TABLE orgs ADD COLUMN model_nano_usd_per_day bigint DEFAULT 10000000000;
ALTER TABLE orgs ADD COLUMN model_tokens_per_day bigint;
ALTER TABLE orgs ADD CONSTRAINT orgs_model_budget CHECK (model_nano_usd_per_day >= 0 AND model_tokens_per_day >= 0);
GRANT UPDATE (model_nano_usd_per_day, model_tokens_per_day) ON orgs TO countersign_service;

-- Whether it has a reservation. With a row that has none, the trigger costs nothing.
ALTER TABLE invocations ADD COLUMN reserved boolean NOT NULL DEFAULT false;
GRANT UPDATE (reserved) ON invocations TO countersign_service;
-- In the database, because there are many ways to an end, and none may forget it. What was lost on its way counts as if all
-- of it had been used; what was not sent, or what a provider refused, costs nothing.
CREATE FUNCTION settle_reservation() RETURNS trigger
    LANGUAGE plpgsql AS $$
DECLARE
    held model_reservations;
    paid numeric := 0;
    used numeric := 0;
    -- What a bigint holds, so that no number of a provider keeps a call from its end.
    most CONSTANT numeric := 9223372036854775807;
BEGIN
    DELETE FROM model_reservations r WHERE r.org_id = NEW.org_id AND r.invocation_id = NEW.id RETURNING * INTO held;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    IF NEW.status = 'succeeded' THEN
        paid := coalesce((NEW.result #>> '{cost,nano_usd}')::numeric, held.nano);
        used := coalesce((
            SELECT sum(value::numeric) FROM jsonb_each_text(
                CASE jsonb_typeof(NEW.result -> 'usage') WHEN 'object' THEN NEW.result -> 'usage' ELSE '{}' END
            )
        ), held.tokens);
    ELSIF NEW.error -> 'sent' = 'true' AND NEW.error ->> 'class' NOT IN (
        'invalid', 'auth', 'not_found', 'conflict', 'rate_limited', 'quota_exhausted', 'context_exceeded'
    ) THEN
        paid := held.nano;
        used := held.tokens;
    END IF;
    -- One after the other: whoever reserves locks them in the same order.
    FOR at IN 1 .. cardinality(held.scopes) LOOP
        UPDATE spending s SET
            reserved_nano = greatest(s.reserved_nano - held.nano, 0), spent_nano = least(s.spent_nano + paid, most),
            reserved_tokens = greatest(s.reserved_tokens - held.tokens, 0), spent_tokens = least(s.spent_tokens + used, most)
        WHERE s.org_id = NEW.org_id AND s.scope = held.scopes[at] AND s.scope_id = held.scope_ids[at] AND s.day = held.days[at];
    END LOOP;
    RETURN NULL;
END $$;
CREATE TRIGGER invocations_reserved AFTER UPDATE OF status ON invocations
    FOR EACH ROW WHEN (NEW.reserved AND NEW.status NOT IN ('pending', 'approved', 'executing', 'quarantined'))
    EXECUTE FUNCTION settle_reservation();

-- Prompts and replies are needed while a step goes on, and no longer than the bodies of receipts. A legal hold keeps them.
CREATE FUNCTION purge_payloads(at timestamptz) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
        WITH kept AS (
            SELECT o.id, least(kept_days(o.id), 31) AS days FROM orgs o WHERE kept_days(o.id) IS NOT NULL
        ), gone AS (
            DELETE FROM payloads p USING kept k
            WHERE p.org_id = k.id AND p.used_at < at - k.days * interval '1 day' RETURNING 1
        ), old AS (
            DELETE FROM spending s WHERE s.day < (at - interval '400 days')::date
        )
        SELECT count(*) FROM gone
    $$;
GRANT CREATE ON SCHEMA public TO countersign_lookup;
ALTER FUNCTION purge_payloads(timestamptz) OWNER TO countersign_lookup;
REVOKE CREATE ON SCHEMA public FROM countersign_lookup;
REVOKE ALL ON FUNCTION purge_payloads(timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION purge_payloads(timestamptz) TO countersign_service;
