DO $$
DECLARE
    tenant CONSTANT TEXT := coalesce(current_setting('plenum.tenant', true), '');
    is_there BOOLEAN;
BEGIN
    PERFORM set_config('plenum.tenant', 'all', true);
    is_there := EXISTS (SELECT FROM questions WHERE question_type = 'ELECTION');
    PERFORM set_config('plenum.tenant', tenant, true);
    IF is_there THEN
        RAISE EXCEPTION 'the version before does not know elections: delete their questions first';
    END IF;
END $$;

CREATE OR REPLACE FUNCTION audit_round(before JSONB, after JSONB) RETURNS VOID LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    shown CONSTANT TEXT[] := string_to_array(
        'number status question_text question_type rating_max max_choices opened_at ended_at closes_at register_heads '
        'register_weight decision_rule quorum secrecy counts_heads connected_heads connected_weight reason counted_at '
        'declared_at declared_by presence record_hash', ' ');
BEGIN
    PERFORM audit_lines('round', ARRAY[before], ARRAY[after], shown, '{id,client_id,meeting_id,question_id,is_test}');
END $$;

ALTER TABLE rounds
    DROP CONSTRAINT rounds_tie_decisions_check,
    DROP COLUMN tie_decisions,
    DROP CONSTRAINT rounds_question_type_check,
    ADD CONSTRAINT rounds_question_type_check
        CHECK (question_type IN ('YES_NO', 'MULTIPLE_CHOICE', 'OPEN_TEXT', 'RATING', 'PERCENTAGE'));
ALTER TABLE questions
    DROP CONSTRAINT questions_question_type_check,
    ADD CONSTRAINT questions_question_type_check
        CHECK (question_type IN ('YES_NO', 'MULTIPLE_CHOICE', 'OPEN_TEXT', 'RATING', 'PERCENTAGE'));
