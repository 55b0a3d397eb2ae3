-- The queue of hashes without a timestamp (decision 70). Triggers write it with the record, whether or not a timestamp service is
-- set, so that one which is set later finds the records from before. No foreign keys, as for the timestamps.
CREATE TABLE unstamped_records (
    hash TEXT PRIMARY KEY,
    client_id UUID NOT NULL,
    meeting_id UUID NOT NULL,
    recorded_at TIMESTAMPTZ NOT NULL
);
CREATE INDEX unstamped_records_recorded_at_idx ON unstamped_records (recorded_at, hash);
CREATE INDEX unstamped_records_client_id_idx ON unstamped_records (client_id);

CREATE FUNCTION queue_for_timestamp() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    INSERT INTO unstamped_records (hash, client_id, meeting_id, recorded_at)
        VALUES (NEW.hash, NEW.client_id, NEW.meeting_id, NEW.recorded_at) ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;
CREATE TRIGGER result_records_queue_insert AFTER INSERT ON result_records FOR EACH ROW EXECUTE FUNCTION queue_for_timestamp();
CREATE TRIGGER closing_records_queue_insert AFTER INSERT ON closing_records FOR EACH ROW EXECUTE FUNCTION queue_for_timestamp();

-- A hash waits until it has a timestamp or its record is gone.
CREATE FUNCTION unqueue_for_timestamp() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    DELETE FROM unstamped_records WHERE hash = coalesce(NEW.hash, OLD.hash);
    RETURN NULL;
END $$;
CREATE TRIGGER record_timestamps_queue_insert AFTER INSERT ON record_timestamps FOR EACH ROW EXECUTE FUNCTION unqueue_for_timestamp();
CREATE TRIGGER result_records_queue_delete AFTER DELETE ON result_records FOR EACH ROW EXECUTE FUNCTION unqueue_for_timestamp();
CREATE TRIGGER closing_records_queue_delete AFTER DELETE ON closing_records FOR EACH ROW EXECUTE FUNCTION unqueue_for_timestamp();

-- A row that is taken out of the queue, or postponed, would keep a record from its timestamp.
CREATE FUNCTION keep_queued() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        IF EXISTS (SELECT FROM record_timestamps t WHERE t.hash = OLD.hash)
            OR NOT EXISTS (SELECT FROM result_records r WHERE r.hash = OLD.hash)
            AND NOT EXISTS (SELECT FROM closing_records c WHERE c.hash = OLD.hash) THEN
            RETURN OLD;
        END IF;
    END IF;
    RAISE EXCEPTION 'a record waits for its timestamp'
        USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER unstamped_records_keep BEFORE UPDATE OR DELETE ON unstamped_records
    FOR EACH ROW EXECUTE FUNCTION keep_queued();
CREATE TRIGGER unstamped_records_keep_all BEFORE TRUNCATE ON unstamped_records
    FOR EACH STATEMENT EXECUTE FUNCTION keep_queued();
REVOKE UPDATE, TRUNCATE ON unstamped_records FROM CURRENT_USER;
SELECT keep_apart('unstamped_records', 'client_id = tenant()');

-- The triggers above lock the tables, so no record comes in between.
INSERT INTO unstamped_records (hash, client_id, meeting_id, recorded_at)
    SELECT r.hash, r.client_id, r.meeting_id, r.recorded_at
    FROM (SELECT hash, client_id, meeting_id, recorded_at FROM result_records
          UNION ALL
          SELECT hash, client_id, meeting_id, recorded_at FROM closing_records) AS r
    WHERE NOT EXISTS (SELECT FROM record_timestamps t WHERE t.hash = r.hash)
    ON CONFLICT DO NOTHING;

-- The daily purge begins with what is old.
CREATE INDEX result_records_recorded_at_idx ON result_records (recorded_at);
CREATE INDEX closing_records_recorded_at_idx ON closing_records (recorded_at);
CREATE INDEX amendments_amended_at_idx ON amendments (amended_at);
CREATE INDEX meetings_ended_at_scheduled_end_time_idx ON meetings ((coalesce(ended_at, scheduled_end_time))) WHERE status = 'COMPLETED';
