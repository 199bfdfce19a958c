// What no route does: the database of the gateway under test, changed as its owner. Needs psql.
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { dir } from "./kit.mjs";

const run = promisify(execFile);

async function asOwner(statement) {
  const { owner_database_url } = JSON.parse(await readFile(`${dir}/settings.json`, "utf8"));
  await run("psql", ["-X", "-q", "-v", "ON_ERROR_STOP=1", owner_database_url, "-c", statement]);
}

/** Ends the week in which loosening needs two people because one of two owners left. */
export const endTwoPeople = () =>
  asOwner(`DO $$ BEGIN
    IF EXISTS (
      SELECT FROM information_schema.columns
      WHERE table_schema = 'public' AND table_name = 'orgs' AND column_name = 'two_people_until'
    ) THEN
      -- Rows are hidden from the owner, too.
      ALTER TABLE orgs NO FORCE ROW LEVEL SECURITY;
      UPDATE orgs SET two_people_until = NULL WHERE two_people_until IS NOT NULL;
      ALTER TABLE orgs FORCE ROW LEVEL SECURITY;
    END IF;
  END $$`);
