-- The list of a session's invocations, without the org in front. With it, the index answered `org_id = … AND id = …` as
-- well, by walking every row of the org, and on an empty partition it looked as cheap as the primary key: a connection
-- that made its plans on the first day of a month kept settling executions by that walk.
DROP INDEX invocations_session_idx;
CREATE INDEX invocations_session_idx ON invocations (session_id, id DESC);
