-- The timestamps of records (decision 70): the statement of an authority that it has seen a record hash, by RFC 3161. The records
-- of declared results and of ended meetings without one are the queue.
--
-- No foreign keys: as the records, they outlive their meeting and its client.
CREATE TABLE record_timestamps (
    hash TEXT PRIMARY KEY CHECK (hash ~ '^[0-9a-f]{64}$'),
    client_id UUID NOT NULL,
    meeting_id UUID NOT NULL,
    token BYTEA NOT NULL,
    authority TEXT NOT NULL,
    -- The time in the token.
    stamped_at TIMESTAMPTZ NOT NULL,
    requested_at TIMESTAMPTZ NOT NULL,
    received_at TIMESTAMPTZ NOT NULL,
    is_test BOOLEAN NOT NULL
);
CREATE INDEX record_timestamps_client_id_idx ON record_timestamps (client_id, meeting_id);

CREATE TRIGGER record_timestamps_keep BEFORE UPDATE OR DELETE ON record_timestamps
    FOR EACH ROW EXECUTE FUNCTION refuse_change_of_record();
CREATE TRIGGER record_timestamps_keep_all BEFORE TRUNCATE ON record_timestamps
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_record();
REVOKE UPDATE, TRUNCATE ON record_timestamps FROM CURRENT_USER;
SELECT keep_apart('record_timestamps', 'client_id = tenant()');

-- Test data is no evidence: it goes with its meeting.
CREATE FUNCTION remove_test_timestamps() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    DELETE FROM record_timestamps WHERE is_test AND meeting_id IN (SELECT id FROM old_rows);
    RETURN NULL;
END $$;
CREATE TRIGGER meetings_test_timestamps_delete AFTER DELETE ON meetings REFERENCING OLD TABLE AS old_rows
    FOR EACH STATEMENT EXECUTE FUNCTION remove_test_timestamps();
