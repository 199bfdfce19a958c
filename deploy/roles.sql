-- The roles of Countersign, and its database. Run once per PostgreSQL cluster as a superuser:
--
--     psql -d postgres -f deploy/roles.sql
--     psql -d postgres -c '\password countersign_owner'
--     psql -d postgres -c '\password countersign_service'
--
-- It can be run again at any time: existing roles stay, and their attributes are reset to the values here.
-- This file contains no passwords. Set them as shown, or use another authentication method of the cluster.
--
-- Why three roles: row-level security does not apply to the owner of a table, nor to a role that may bypass
-- it. So the process that serves requests connects as a role that owns nothing, and `countersign migrate`
-- connects as another one.

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

-- Owns the schema and runs the migrations (`countersign migrate`). CREATEDB is needed for tests and for
-- checking SQL at build time; a production cluster can revoke it.
ALTER ROLE countersign_owner WITH LOGIN CREATEDB NOCREATEROLE NOSUPERUSER NOREPLICATION NOBYPASSRLS;

-- Serves requests (`countersign serve`, `countersign worker`). It owns nothing and inherits nothing, so every
-- row it sees has passed a policy, and every permission it has was granted by name in a migration.
ALTER ROLE countersign_service
    WITH LOGIN NOINHERIT NOCREATEDB NOCREATEROLE NOSUPERUSER NOREPLICATION NOBYPASSRLS;

-- Owns the few functions that must read before the organization is known (which session has this token).
-- Nobody can log in as it; it can read only the columns that migrations grant to it.
ALTER ROLE countersign_lookup WITH NOLOGIN NOCREATEDB NOCREATEROLE NOSUPERUSER NOREPLICATION NOBYPASSRLS;

-- `ALTER FUNCTION … OWNER TO countersign_lookup` in a migration requires this membership.
GRANT countersign_lookup TO countersign_owner;

SELECT 'CREATE DATABASE countersign OWNER countersign_owner'
WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = 'countersign')
\gexec

-- No other role of the cluster can connect to the database.
REVOKE CONNECT, TEMPORARY ON DATABASE countersign FROM PUBLIC;
GRANT CONNECT ON DATABASE countersign TO countersign_service;
