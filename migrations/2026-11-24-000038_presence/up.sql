-- The rule by which a round counts its present voters: the set of those who were connected or voted, or the larger of the two
-- numbers (decision 64). Rounds that are there keep the older rule: the default of a new column applies to them without an
-- UPDATE, which the triggers of declared rounds would refuse.
ALTER TABLE rounds
    ADD COLUMN presence TEXT NOT NULL DEFAULT 'LARGER_NUMBER',
    ADD CONSTRAINT rounds_presence_check CHECK (presence IN ('CONNECTED_OR_VOTED', 'LARGER_NUMBER'));
ALTER TABLE rounds ALTER COLUMN presence SET DEFAULT 'CONNECTED_OR_VOTED';

-- The audit log shows the rule with the other terms of a round.
CREATE OR REPLACE FUNCTION audit_round(before JSONB, after JSONB) RETURNS VOID LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    shown CONSTANT TEXT[] := string_to_array(
        'number status question_text question_type rating_max max_choices opened_at ended_at closes_at register_heads '
        'register_weight decision_rule quorum is_named connected_heads connected_weight reason counted_at declared_at '
        'declared_by presence', ' ');
BEGIN
    PERFORM audit_lines('round', ARRAY[before], ARRAY[after], shown, '{id,client_id,meeting_id,question_id,is_test}');
END $$;
