-- An option of a multiple choice question that says abstain elects nobody (decision 88). Until now it was a choice like any
-- other. Rounds keep what they were opened with; the audit log notes each changed option.
DO $$
DECLARE
    -- A restore works for all clients in the same transaction.
    tenant CONSTANT TEXT := coalesce(current_setting('plenum.tenant', true), '');
BEGIN
    PERFORM set_config('plenum.tenant', 'all', true);
    UPDATE options o SET role = 'abstain'
    FROM questions q
    WHERE q.id = o.question_id AND q.question_type = 'MULTIPLE_CHOICE' AND o.role = 'choice'
      AND lower(btrim(o.option_text)) IN
          ('abstain', 'abstention', 'enthaltung', 'abstenção', 'abstención', 'astensione');
    PERFORM set_config('plenum.tenant', tenant, true);
END $$;
