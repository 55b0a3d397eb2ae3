-- Casting votes, and quorums for a second call (decision 95). A question's or meeting's quorum for a second call stands in its
-- column quorum, as secondCall. Rounds freeze the one that applies.
SET LOCAL lock_timeout = '10s';

ALTER TABLE meetings
    -- Whether the meeting was called a second time, so that the quorum for a second call applies.
    ADD COLUMN is_second_call BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE attendance
    ADD COLUMN is_second_call BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE rounds
    -- The vote with which the chair decided a tie. It is never changed.
    ADD COLUMN casting_vote JSONB,
    ADD CONSTRAINT rounds_casting_vote_check
        CHECK (casting_vote IS NULL OR jsonb_typeof(casting_vote) = 'object' AND counted_at IS NOT NULL);

-- The audit log tells casting votes and second calls.
CREATE OR REPLACE FUNCTION audit_round(before JSONB, after JSONB) RETURNS VOID LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    shown CONSTANT TEXT[] := string_to_array(
        'number status question_text question_type rating_max max_choices opened_at ended_at closes_at register_heads '
        'register_weight decision_rule quorum secrecy counts_heads connected_heads connected_weight reason counted_at '
        'declared_at declared_by presence record_hash tie_decisions casting_vote', ' ');
BEGIN
    PERFORM audit_lines('round', ARRAY[before], ARRAY[after], shown, '{id,client_id,meeting_id,question_id,is_test}');
END $$;

DO $$
DECLARE
    arguments CONSTANT TEXT := format(
        'audit_rows(%L, %L, %L, %L)', 'meeting',
        'title description status scheduled_start_time scheduled_end_time started_at ended_at max_participants is_recurring '
        'recurring_pattern has_participant_list quorum quorum_at_opening is_second_call counts_surveys_at_end closing_hash',
        'id client_id created_at is_test step current_question_id', 'id');
BEGIN
    DROP TRIGGER meetings_audit_insert ON meetings;
    DROP TRIGGER meetings_audit_update ON meetings;
    DROP TRIGGER meetings_audit_delete ON meetings;
    EXECUTE 'CREATE TRIGGER meetings_audit_insert AFTER INSERT ON meetings REFERENCING NEW TABLE AS new_rows '
            'FOR EACH STATEMENT EXECUTE FUNCTION ' || arguments;
    EXECUTE 'CREATE TRIGGER meetings_audit_update AFTER UPDATE ON meetings REFERENCING OLD TABLE AS old_rows NEW TABLE AS '
            'new_rows FOR EACH STATEMENT EXECUTE FUNCTION ' || arguments;
    EXECUTE 'CREATE TRIGGER meetings_audit_delete AFTER DELETE ON meetings REFERENCING OLD TABLE AS old_rows '
            'FOR EACH STATEMENT EXECUTE FUNCTION ' || arguments;
END $$;
