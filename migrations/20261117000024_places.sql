-- Few questions: how many may wait, in which order people see them, and when an agent must stop asking.

-- Whoever is behind a question: the automation of a run, otherwise the person who opened the session. Absent for rows of
-- earlier versions. Questions are counted by it, and when many wait the inbox takes turns between openers.
ALTER TABLE invocations ADD COLUMN opener uuid, ADD COLUMN turn smallint NOT NULL DEFAULT 0;
ALTER TABLE grant_requests ADD COLUMN opener uuid, ADD COLUMN turn smallint NOT NULL DEFAULT 0;
-- `sessions.pending_count` is no longer used: waiting rows are counted, under a lock of the org. Version 0.1 still writes
-- it, so it stays until no gateway of that version can run.

-- Who was answered: the automation of a run, otherwise the session. Three denials of one action, and it must wait.
ALTER TABLE approvals ADD COLUMN proposer uuid;
CREATE INDEX approvals_proposer_idx ON approvals (org_id, proposer, id DESC) WHERE proposer IS NOT NULL;
