-- One bare commit: one row, one index.
\set id random(1, 9223372036854775807)
INSERT INTO bare_events (id, body) VALUES (:id, repeat('e', 200));
