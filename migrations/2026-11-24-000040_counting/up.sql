-- Counted is final (decision 62): a round that anybody has counted never reopens. The product refuses it first; this trigger
-- refuses statements of anybody else, too.
ALTER TABLE meetings ADD COLUMN counts_surveys_at_end BOOLEAN NOT NULL DEFAULT true;

CREATE FUNCTION refuse_reopening_of_counted() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    RAISE EXCEPTION 'the votes of round % have been counted, so it never reopens', OLD.id
        USING ERRCODE = 'restrict_violation',
              HINT = 'Hold a re-vote.';
END $$;

CREATE TRIGGER rounds_counted_stay_closed BEFORE UPDATE ON rounds
    FOR EACH ROW WHEN (OLD.counted_at IS NOT NULL AND (NEW.status = 'OPEN' OR NEW.counted_at IS NULL))
    EXECUTE FUNCTION refuse_reopening_of_counted();

-- The audit log tells changes of the new setting.
DO $$
DECLARE
    arguments CONSTANT TEXT := format('audit_rows(%L, %L, %L, %L)', 'meeting',
        'title description status scheduled_start_time scheduled_end_time started_at ended_at max_participants is_recurring '
        'recurring_pattern has_participant_list quorum quorum_at_opening counts_surveys_at_end',
        'id client_id created_at is_test step current_question_id', 'id');
BEGIN
    DROP TRIGGER meetings_audit_insert ON meetings;
    DROP TRIGGER meetings_audit_update ON meetings;
    DROP TRIGGER meetings_audit_delete ON meetings;
    EXECUTE 'CREATE TRIGGER meetings_audit_insert AFTER INSERT ON meetings REFERENCING NEW TABLE AS new_rows '
            'FOR EACH STATEMENT EXECUTE FUNCTION ' || arguments;
    EXECUTE 'CREATE TRIGGER meetings_audit_update AFTER UPDATE ON meetings REFERENCING OLD TABLE AS old_rows '
            'NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION ' || arguments;
    EXECUTE 'CREATE TRIGGER meetings_audit_delete AFTER DELETE ON meetings REFERENCING OLD TABLE AS old_rows '
            'FOR EACH STATEMENT EXECUTE FUNCTION ' || arguments;
END $$;
