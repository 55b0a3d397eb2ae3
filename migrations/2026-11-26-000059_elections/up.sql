-- Elections of persons (decision 89). Their terms stand in decision_rule, and their candidates are options. A ballot is stored as
-- text, in the notation of marks.
SET LOCAL lock_timeout = '10s';

ALTER TABLE questions
    DROP CONSTRAINT questions_question_type_check,
    ADD CONSTRAINT questions_question_type_check
        CHECK (question_type IN ('YES_NO', 'MULTIPLE_CHOICE', 'OPEN_TEXT', 'RATING', 'PERCENTAGE', 'ELECTION'));
ALTER TABLE rounds
    DROP CONSTRAINT rounds_question_type_check,
    ADD CONSTRAINT rounds_question_type_check
        CHECK (question_type IN ('YES_NO', 'MULTIPLE_CHOICE', 'OPEN_TEXT', 'RATING', 'PERCENTAGE', 'ELECTION')),
    -- The decisions of ties, in the order of the count. None is ever changed.
    ADD COLUMN tie_decisions JSONB NOT NULL DEFAULT '[]',
    ADD CONSTRAINT rounds_tie_decisions_check
        CHECK (jsonb_typeof(tie_decisions) = 'array' AND (tie_decisions = '[]' OR counted_at IS NOT NULL));

-- The audit log tells decisions of ties.
CREATE OR REPLACE FUNCTION audit_round(before JSONB, after JSONB) RETURNS VOID LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    shown CONSTANT TEXT[] := string_to_array(
        'number status question_text question_type rating_max max_choices opened_at ended_at closes_at register_heads '
        'register_weight decision_rule quorum secrecy counts_heads connected_heads connected_weight reason counted_at '
        'declared_at declared_by presence record_hash tie_decisions', ' ');
BEGIN
    PERFORM audit_lines('round', ARRAY[before], ARRAY[after], shown, '{id,client_id,meeting_id,question_id,is_test}');
END $$;
