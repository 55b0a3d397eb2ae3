DROP TABLE issued_ballots;
DROP TABLE paper_ballots;
DROP TABLE paper_batches;
DROP FUNCTION audit_issued_ballot();
DROP FUNCTION audit_paper_batch();
DROP FUNCTION audit_author_at_desk(TEXT);
CREATE OR REPLACE FUNCTION audit_desk() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    PERFORM audit_event(audit_author(), CASE WHEN TG_OP = 'INSERT' THEN 'desk_made' ELSE 'desk_revoked' END, NEW.client_id,
                        'meeting', NEW.meeting_id, NEW.name,
                        (SELECT m.title FROM meetings m WHERE m.id = NEW.meeting_id), '[]');
    RETURN NULL;
END $$;
ALTER TABLE votes DROP COLUMN cast_on;
ALTER TABLE desks DROP COLUMN purpose;
