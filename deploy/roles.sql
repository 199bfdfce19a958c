-- The roles of Countersign, and its database. Run once per PostgreSQL cluster as a superuser:
--
--     psql -d postgres -f deploy/roles.sql
--     psql -d postgres -c '\password countersign_owner'
--     psql -d postgres -c '\password countersign_service'
--
-- It may be run again at any time: what exists stays, and attributes are set back to what is written here.
-- No password is in this file. Set them as shown, or let the cluster authenticate in its own way.
--
-- Why three roles: row-level security does not hold against the owner of a table, nor against a role that
-- may bypass it. So the process that serves requests connects as a role that owns nothing, and what changes
-- the schema connects as another one, only while it does so.

DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'countersign_owner') THEN
        CREATE ROLE countersign_owner;
    END IF;
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'countersign_service') THEN
        CREATE ROLE countersign_service;
    END IF;
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'countersign_lookup') THEN
        CREATE ROLE countersign_lookup;
    END IF;
END
$$;

-- Owns the schema and runs the migrations (`countersign migrate`). CREATEDB is for tests and for checking
-- SQL at build time; a production cluster may take it away.
ALTER ROLE countersign_owner WITH LOGIN CREATEDB NOCREATEROLE NOSUPERUSER NOREPLICATION NOBYPASSRLS;

-- Serves requests (`countersign serve`). It owns nothing and inherits nothing, so every row it sees has
-- passed a policy, and every right it has was granted by name in a migration.
ALTER ROLE countersign_service
    WITH LOGIN NOINHERIT NOCREATEDB NOCREATEROLE NOSUPERUSER NOREPLICATION NOBYPASSRLS;

-- Owns the few functions that must look before the org is known (whose token is this?). Nobody can log in
-- as it; it reaches only the columns that migrations grant to it.
ALTER ROLE countersign_lookup WITH NOLOGIN NOCREATEDB NOCREATEROLE NOSUPERUSER NOREPLICATION NOBYPASSRLS;

-- `ALTER FUNCTION … OWNER TO countersign_lookup` in a migration needs this membership.
GRANT countersign_lookup TO countersign_owner;

SELECT 'CREATE DATABASE countersign OWNER countersign_owner'
WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = 'countersign')
\gexec

-- Nobody else on the cluster connects to it.
REVOKE CONNECT, TEMPORARY ON DATABASE countersign FROM PUBLIC;
GRANT CONNECT ON DATABASE countersign TO countersign_service;
