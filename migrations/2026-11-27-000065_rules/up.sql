-- Casting votes, and quorums for a second call (decision 95). A question's or meeting's quorum for a second call stands in its
-- column quorum, as secondCall. Rounds freeze the one that applies.
SET LOCAL lock_timeout = '10s';

ALTER TABLE meetings
    -- Whether the meeting was called a second time, so that the quorum for a second call applies.
    ADD COLUMN is_second_call BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE attendance
    ADD COLUMN is_second_call BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE rounds
    -- The vote with which the chair decided a tie. It is never changed.
    ADD COLUMN casting_vote JSONB,
    ADD CONSTRAINT rounds_casting_vote_check
        CHECK (casting_vote IS NULL OR jsonb_typeof(casting_vote) = 'object' AND counted_at IS NOT NULL);

-- The audit log tells casting votes and second calls.
DO $$
DECLARE
    known RECORD;
BEGIN
    FOR known IN SELECT tgname, pg_get_triggerdef(oid) AS made FROM pg_trigger
                 WHERE tgrelid = 'meetings'::regclass AND tgname IN ('meetings_audit_insert', 'meetings_audit_update',
                                                                     'meetings_audit_delete') LOOP
        EXECUTE format('DROP TRIGGER %I ON meetings', known.tgname);
        EXECUTE replace(known.made, 'counts_surveys_at_end', 'is_second_call counts_surveys_at_end');
    END LOOP;
    EXECUTE replace(pg_get_functiondef('audit_round(jsonb, jsonb)'::regprocedure), 'tie_decisions', 'tie_decisions casting_vote');
END $$;
