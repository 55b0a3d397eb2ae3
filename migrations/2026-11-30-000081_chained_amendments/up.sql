-- Each amendment of a closed meeting has an entry in the audit log, with everything that it says, so that the chain covers it
-- (decision 117).
SET LOCAL lock_timeout = '10s';

-- The same expression is in `record_times.rs`, which compares both.
CREATE FUNCTION audit_amendment() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    PERFORM audit_event(audit_author(), 'meeting_amended', NEW.client_id, 'meeting', NEW.meeting_id,
                        (SELECT m.title FROM meetings m WHERE m.id = NEW.meeting_id), NULL,
                        jsonb_build_array(
                            jsonb_build_array('amendment', NULL, NEW.number::text),
                            jsonb_build_array('closing', NULL, NEW.closing::text),
                            jsonb_build_array('at', NULL, amendment_time(NEW.amended_at)),
                            jsonb_build_array('by', NULL, NEW.amended_by),
                            jsonb_build_array('subject', NULL, NEW.subject),
                            jsonb_build_array('subject_id', NULL, NEW.subject_id::text),
                            jsonb_build_array(NEW.field, NEW.was, NEW.became)));
    RETURN NULL;
END $$;
CREATE TRIGGER amendments_audit_insert AFTER INSERT ON amendments FOR EACH ROW EXECUTE FUNCTION audit_amendment();

-- The earlier ones, by the program. Each has its own time and author among the changes.
SELECT audit_event(ROW('SYSTEM', NULL, NULL, NULL)::audit_author, 'meeting_amended', a.client_id, 'meeting', a.meeting_id,
                   (SELECT m.title FROM meetings m WHERE m.id = a.meeting_id), NULL,
                   jsonb_build_array(
                       jsonb_build_array('amendment', NULL, a.number::text),
                       jsonb_build_array('closing', NULL, a.closing::text),
                       jsonb_build_array('at', NULL, amendment_time(a.amended_at)),
                       jsonb_build_array('by', NULL, a.amended_by),
                       jsonb_build_array('subject', NULL, a.subject),
                       jsonb_build_array('subject_id', NULL, a.subject_id::text),
                       jsonb_build_array(a.field, a.was, a.became)))
FROM amendments a ORDER BY a.client_id, a.meeting_id, a.number;
