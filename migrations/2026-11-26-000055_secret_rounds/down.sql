-- Two levels cannot tell of secret rounds.
DO $$
BEGIN
    IF EXISTS (SELECT FROM questions WHERE secrecy = 'SECRET' OR counts_heads)
       OR EXISTS (SELECT FROM rounds WHERE secrecy = 'SECRET' OR counts_heads) THEN
        RAISE EXCEPTION 'there are secret questions, or ones that count heads' USING HINT = 'Delete their meetings first.';
    END IF;
END $$;

DROP TABLE urn_shares;
DROP TABLE urns;
DROP FUNCTION audit_urn(), refuse_change_of_opened_urn();

ALTER TABLE round_log
    DROP CONSTRAINT round_log_kind_check,
    ADD CONSTRAINT round_log_kind_check CHECK (kind IN (
        'OPENED', 'ENDED', 'REOPENED', 'JOINED', 'COUNTED', 'DECLARED', 'ADMITTED', 'EXCLUDED', 'PASSWORD_SET'));

ALTER TABLE votes
    DROP CONSTRAINT votes_answer_check,
    DROP COLUMN sealed,
    DROP COLUMN is_sealed,
    ALTER COLUMN cast_at SET NOT NULL,
    ADD CONSTRAINT votes_answer_check CHECK (num_nonnulls(option_ids, number, answer_text) = 1);

ALTER TABLE questions DROP CONSTRAINT questions_secrecy_check, DROP COLUMN counts_heads, ALTER COLUMN secrecy DROP DEFAULT;
ALTER TABLE questions ALTER COLUMN secrecy TYPE BOOLEAN USING secrecy = 'NAMED';
ALTER TABLE questions RENAME COLUMN secrecy TO is_named;
ALTER TABLE questions ALTER COLUMN is_named SET DEFAULT false;
ALTER TABLE rounds DROP CONSTRAINT rounds_secrecy_check, DROP COLUMN counts_heads, ALTER COLUMN secrecy DROP DEFAULT;
ALTER TABLE rounds ALTER COLUMN secrecy TYPE BOOLEAN USING secrecy = 'NAMED';
ALTER TABLE rounds RENAME COLUMN secrecy TO is_named;
ALTER TABLE rounds ALTER COLUMN is_named SET DEFAULT false;

CREATE OR REPLACE FUNCTION audit_round(before JSONB, after JSONB) RETURNS VOID LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    shown CONSTANT TEXT[] := string_to_array(
        'number status question_text question_type rating_max max_choices opened_at ended_at closes_at register_heads '
        'register_weight decision_rule quorum is_named connected_heads connected_weight reason counted_at declared_at '
        'declared_by presence record_hash', ' ');
BEGIN
    PERFORM audit_lines('round', ARRAY[before], ARRAY[after], shown, '{id,client_id,meeting_id,question_id,is_test}');
END $$;

DO $$
DECLARE
    arguments CONSTANT TEXT := format('audit_rows(%L, %L, %L, %L)', 'question',
        'position question_text question_type is_required rating_max max_choices decision_rule quorum is_named',
        'id client_id meeting_id created_at', 'id');
BEGIN
    DROP TRIGGER questions_audit_insert ON questions;
    DROP TRIGGER questions_audit_update ON questions;
    DROP TRIGGER questions_audit_delete ON questions;
    EXECUTE 'CREATE TRIGGER questions_audit_insert AFTER INSERT ON questions REFERENCING NEW TABLE AS new_rows '
            'FOR EACH STATEMENT EXECUTE FUNCTION ' || arguments;
    EXECUTE 'CREATE TRIGGER questions_audit_update AFTER UPDATE ON questions REFERENCING OLD TABLE AS old_rows '
            'NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION ' || arguments;
    EXECUTE 'CREATE TRIGGER questions_audit_delete AFTER DELETE ON questions REFERENCING OLD TABLE AS old_rows '
            'FOR EACH STATEMENT EXECUTE FUNCTION ' || arguments;
END $$;
