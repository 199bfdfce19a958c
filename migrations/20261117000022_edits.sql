-- A person may correct the parameters of what waits. Each correction is kept with what it changed, for the agent and
-- for whoever votes after it.
ALTER TABLE invocations ADD COLUMN edits jsonb NOT NULL DEFAULT '[]';
GRANT UPDATE (params, edits) ON invocations TO countersign_service;
-- Only while it waits, like everything that was asked.
CREATE TRIGGER invocations_edited
    BEFORE UPDATE OF params, edits ON invocations FOR EACH ROW
    WHEN (OLD.status NOT IN ('pending', 'approved') AND (OLD.params, OLD.edits) IS DISTINCT FROM (NEW.params, NEW.edits))
    EXECUTE FUNCTION refuse_change();
