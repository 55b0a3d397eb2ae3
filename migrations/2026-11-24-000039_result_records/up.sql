-- The record of a declared result (decision 65): the whole round as a canonical JSON document, with its hash and the signature
-- of a key that is not in the database. The product shows declared results from here and counts them never again.
--
-- No foreign keys: a record outlives its round, its meeting and its client.
CREATE TABLE result_records (
    round_id UUID PRIMARY KEY,
    client_id UUID NOT NULL,
    meeting_id UUID NOT NULL,
    number INTEGER NOT NULL CHECK (number > 0),
    hash TEXT NOT NULL CHECK (hash ~ '^[0-9a-f]{64}$'),
    signing_key TEXT NOT NULL,
    signature BYTEA NOT NULL,
    recorded_at TIMESTAMPTZ NOT NULL,
    document TEXT NOT NULL,
    is_test BOOLEAN NOT NULL,
    UNIQUE (meeting_id, number)
);
CREATE INDEX result_records_client_id_idx ON result_records (client_id, recorded_at);
CREATE INDEX result_records_hash_idx ON result_records (hash);
-- A document of a large register is written during the declaration: it is not worth the time to compress it.
ALTER TABLE result_records ALTER COLUMN document SET STORAGE EXTERNAL;

-- Test data is no evidence: its records go with their meeting.
CREATE FUNCTION refuse_change_of_record() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND OLD.is_test THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'a record of a declared result never changes'
        USING ERRCODE = 'restrict_violation';
END $$;

CREATE TRIGGER result_records_keep BEFORE UPDATE OR DELETE ON result_records
    FOR EACH ROW EXECUTE FUNCTION refuse_change_of_record();
CREATE TRIGGER result_records_keep_all BEFORE TRUNCATE ON result_records
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_record();
REVOKE UPDATE, TRUNCATE ON result_records FROM CURRENT_USER;

CREATE FUNCTION remove_test_records() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    DELETE FROM result_records WHERE is_test AND meeting_id IN (SELECT id FROM old_rows);
    RETURN NULL;
END $$;
CREATE TRIGGER meetings_test_records_delete AFTER DELETE ON meetings REFERENCING OLD TABLE AS old_rows
    FOR EACH STATEMENT EXECUTE FUNCTION remove_test_records();

SELECT keep_apart('result_records', 'client_id = tenant()');

-- The hash of the record, so that the audit log tells it with the declaration.
ALTER TABLE rounds ADD COLUMN record_hash TEXT;

CREATE OR REPLACE FUNCTION audit_round(before JSONB, after JSONB) RETURNS VOID LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    shown CONSTANT TEXT[] := string_to_array(
        'number status question_text question_type rating_max max_choices opened_at ended_at closes_at register_heads '
        'register_weight decision_rule quorum is_named connected_heads connected_weight reason counted_at declared_at '
        'declared_by presence record_hash', ' ');
BEGIN
    PERFORM audit_lines('round', ARRAY[before], ARRAY[after], shown, '{id,client_id,meeting_id,question_id,is_test}');
END $$;

-- The keys with which this database is used, by their fingerprints: a start with another key, or without one, is refused. The
-- keys themselves are never in the database.
CREATE TABLE installation_keys (
    purpose TEXT PRIMARY KEY CHECK (purpose IN ('evidence')),
    fingerprint TEXT NOT NULL
);
SELECT keep_apart('installation_keys', 'false');
