DO $$
DECLARE
    audited RECORD;
    arguments TEXT;
BEGIN
    FOR audited IN SELECT * FROM (VALUES
        ('meetings', 'meeting',
         'title description status scheduled_start_time scheduled_end_time started_at ended_at max_participants is_recurring '
         'recurring_pattern has_participant_list quorum quorum_at_opening counts_surveys_at_end',
         'id client_id created_at is_test step current_question_id', 'id'),
        ('remarks', 'remark', 'kind remark_text', 'id client_id meeting_id written_at written_by', 'id')
    ) AS tables (name, subject, shown, silent, key) LOOP
        arguments := format('audit_rows(%L, %L, %L, %L)', audited.subject, audited.shown, audited.silent, audited.key);
        EXECUTE format('DROP TRIGGER %1$s_audit_insert ON %1$I', audited.name);
        EXECUTE format('DROP TRIGGER %1$s_audit_update ON %1$I', audited.name);
        EXECUTE format('DROP TRIGGER %1$s_audit_delete ON %1$I', audited.name);
        EXECUTE format('CREATE TRIGGER %1$s_audit_insert AFTER INSERT ON %1$I REFERENCING NEW TABLE AS new_rows '
                       'FOR EACH STATEMENT EXECUTE FUNCTION %2$s', audited.name, arguments);
        EXECUTE format('CREATE TRIGGER %1$s_audit_update AFTER UPDATE ON %1$I REFERENCING OLD TABLE AS old_rows '
                       'NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION %2$s', audited.name, arguments);
        EXECUTE format('CREATE TRIGGER %1$s_audit_delete AFTER DELETE ON %1$I REFERENCING OLD TABLE AS old_rows '
                       'FOR EACH STATEMENT EXECUTE FUNCTION %2$s', audited.name, arguments);
    END LOOP;
END $$;

CREATE OR REPLACE FUNCTION audit_kind(subject TEXT, before JSONB, after JSONB) RETURNS TEXT LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE
        WHEN subject = 'meeting' AND before IS NOT NULL AND before ->> 'status' <> after ->> 'status' THEN
            CASE after ->> 'status' WHEN 'ACTIVE' THEN 'meeting_started' WHEN 'COMPLETED' THEN 'meeting_ended'
                                    ELSE 'meeting_changed' END
        WHEN subject = 'round' AND before IS NULL THEN 'round_opened'
        WHEN subject = 'round' AND before ->> 'status' <> after ->> 'status' THEN
            CASE after ->> 'status' WHEN 'OPEN' THEN 'round_reopened' WHEN 'ENDED' THEN 'round_ended'
                                    ELSE 'result_declared' END
        WHEN subject = 'round' AND before ->> 'counted_at' IS NULL AND after ->> 'counted_at' IS NOT NULL THEN 'result_counted'
        WHEN subject = 'participant' THEN CASE WHEN after IS NULL THEN 'participant_removed' ELSE 'participant_added' END
        WHEN subject = 'exclusion' THEN CASE WHEN after IS NULL THEN 'voter_readmitted' ELSE 'voter_excluded' END
        WHEN subject = 'admission' THEN 'voter_admitted'
        WHEN subject = 'remark' THEN CASE WHEN after IS NULL THEN 'remark_removed' ELSE 'remark_written' END
        WHEN subject = 'invitation' THEN 'invitation_ordered'
        ELSE subject || CASE WHEN before IS NULL THEN '_created' WHEN after IS NULL THEN '_deleted' ELSE '_changed' END
    END
$$;

DROP TRIGGER remarks_keep_delete ON remarks;
DROP TRIGGER remarks_keep_update ON remarks;
DROP FUNCTION refuse_change_of_remark();
DROP TRIGGER remarks_amend_update ON remarks;
DROP TRIGGER remarks_amend ON remarks;
DROP FUNCTION amend_remark();
-- A remark that was struck through was deleted before.
DELETE FROM remarks WHERE struck_at IS NOT NULL;
ALTER TABLE remarks DROP COLUMN struck_at, DROP COLUMN struck_by;
DROP TRIGGER result_records_amend ON result_records;
DROP FUNCTION amend_result();
DROP TRIGGER questions_amend_update ON questions;
DROP TRIGGER questions_amend ON questions;
DROP FUNCTION amend_question();
DROP FUNCTION is_amended(UUID);
DROP TRIGGER meetings_amend ON meetings;
DROP FUNCTION amend_meeting();
DROP FUNCTION amendment_quorum(meetings);
DROP FUNCTION amendment_time(TIMESTAMPTZ);
DROP FUNCTION amend(UUID, TEXT, UUID, TEXT, TEXT, TEXT);
CREATE OR REPLACE FUNCTION remove_test_records() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    DELETE FROM result_records WHERE is_test AND meeting_id IN (SELECT id FROM old_rows);
    RETURN NULL;
END $$;
DROP TABLE amendments;
DROP TABLE closing_records;
DROP FUNCTION refuse_change_of_closing();
ALTER TABLE meetings DROP COLUMN closing_hash;
