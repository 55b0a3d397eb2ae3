DO $$
DECLARE
    tenant CONSTANT TEXT := coalesce(current_setting('plenum.tenant', true), '');
    is_there BOOLEAN;
BEGIN
    PERFORM set_config('plenum.tenant', 'all', true);
    is_there := EXISTS (SELECT FROM questions
                        WHERE decision_rule @> '{"onTie": "casting_vote"}' OR decision_rule ? 'inEach'
                           OR jsonb_array_length(coalesce(decision_rule -> 'conditions', '[]')) > 2
                           OR decision_rule -> 'conditions' @> '[{"joined": "or"}]'
                           OR jsonb_path_exists(decision_rule, '$.conditions[*].blockingMinority')
                           OR quorum ? 'minimum' OR quorum ? 'secondCall')
                OR EXISTS (SELECT FROM meetings WHERE quorum ? 'minimum' OR quorum ? 'secondCall')
                OR EXISTS (SELECT FROM rounds WHERE casting_vote IS NOT NULL OR quorum ? 'minimum');
    PERFORM set_config('plenum.tenant', tenant, true);
    IF is_there THEN
        RAISE EXCEPTION 'the version before does not know these rules and quorums: change or delete their questions first';
    END IF;
END $$;

CREATE OR REPLACE FUNCTION audit_round(before JSONB, after JSONB) RETURNS VOID LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    shown CONSTANT TEXT[] := string_to_array(
        'number status question_text question_type rating_max max_choices opened_at ended_at closes_at register_heads '
        'register_weight decision_rule quorum secrecy counts_heads connected_heads connected_weight reason counted_at '
        'declared_at declared_by presence record_hash tie_decisions', ' ');
BEGIN
    PERFORM audit_lines('round', ARRAY[before], ARRAY[after], shown, '{id,client_id,meeting_id,question_id,is_test}');
END $$;

DO $$
DECLARE
    arguments CONSTANT TEXT := format(
        'audit_rows(%L, %L, %L, %L)', 'meeting',
        'title description status scheduled_start_time scheduled_end_time started_at ended_at max_participants is_recurring '
        'recurring_pattern has_participant_list quorum quorum_at_opening counts_surveys_at_end closing_hash',
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

ALTER TABLE rounds
    DROP CONSTRAINT rounds_casting_vote_check,
    DROP COLUMN casting_vote;
ALTER TABLE attendance DROP COLUMN is_second_call;
ALTER TABLE meetings DROP COLUMN is_second_call;
