-- Serves events' drift: how often tools drifted over time. Holds little, so that the overview need not walk all events.
CREATE INDEX events_drifted_idx ON events (org_id, id) WHERE type = 'connector.tool_drifted';
