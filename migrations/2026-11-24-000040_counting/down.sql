DROP TRIGGER rounds_counted_stay_closed ON rounds;
DROP FUNCTION refuse_reopening_of_counted();
DO $$
DECLARE
    arguments CONSTANT TEXT := format('audit_rows(%L, %L, %L, %L)', 'meeting',
        'title description status scheduled_start_time scheduled_end_time started_at ended_at max_participants is_recurring '
        'recurring_pattern has_participant_list quorum quorum_at_opening',
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

ALTER TABLE meetings DROP COLUMN counts_surveys_at_end;
