-- The least that could durably record one invocation: a claim before the effect, and one statement after it that settles
-- the claim and adds the receipt and the event. Two commits, no checks, no rows of anything else, one index each.
-- The values are as large as those the gateway writes.
\set id random(1, 9223372036854775807)
INSERT INTO bare_claims (id, status, body) VALUES (:id, 'executing', repeat('c', 1100));
WITH settled AS (UPDATE bare_claims SET status = 'succeeded' WHERE id = :id RETURNING id),
     receipt AS (INSERT INTO bare_receipts (id, body) SELECT id, repeat('r', 1500) FROM settled)
INSERT INTO bare_events (id, body) SELECT id, repeat('e', 200) FROM settled;
