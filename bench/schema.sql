-- The tables of the bare side.
CREATE TABLE bare_claims (id bigint PRIMARY KEY, status text NOT NULL, body text NOT NULL);
CREATE TABLE bare_receipts (id bigint PRIMARY KEY, body text NOT NULL);
CREATE TABLE bare_events (id bigint PRIMARY KEY, body text NOT NULL);
