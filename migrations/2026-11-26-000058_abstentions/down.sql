-- The version before has only choices in a multiple choice question.
DO $$
DECLARE
    tenant CONSTANT TEXT := coalesce(current_setting('plenum.tenant', true), '');
BEGIN
    PERFORM set_config('plenum.tenant', 'all', true);
    UPDATE options o SET role = 'choice'
    FROM questions q
    WHERE q.id = o.question_id AND q.question_type = 'MULTIPLE_CHOICE' AND o.role = 'abstain';
    PERFORM set_config('plenum.tenant', tenant, true);
END $$;
