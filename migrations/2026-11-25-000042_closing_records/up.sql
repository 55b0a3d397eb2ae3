-- The closing record of a meeting (decision 66): what the meeting was when it ended, as a canonical JSON document with its hash
-- and signature. What is edited afterwards is told beside it as an amendment. Remarks are struck through, not deleted.
--
-- No foreign keys: as records of declared results, both outlive their meeting and its client.
CREATE TABLE closing_records (
    meeting_id UUID NOT NULL,
    number INTEGER NOT NULL CHECK (number > 0),
    client_id UUID NOT NULL,
    hash TEXT NOT NULL CHECK (hash ~ '^[0-9a-f]{64}$'),
    signing_key TEXT NOT NULL,
    signature BYTEA NOT NULL,
    recorded_at TIMESTAMPTZ NOT NULL,
    document TEXT NOT NULL,
    is_test BOOLEAN NOT NULL,
    PRIMARY KEY (meeting_id, number)
);
CREATE INDEX closing_records_client_id_idx ON closing_records (client_id, recorded_at);
CREATE INDEX closing_records_hash_idx ON closing_records (hash);

-- The hash of the last closing record. The audit log tells it with the end of the meeting.
ALTER TABLE meetings ADD COLUMN closing_hash TEXT;

CREATE TABLE amendments (
    meeting_id UUID NOT NULL,
    number INTEGER NOT NULL CHECK (number > 0),
    client_id UUID NOT NULL,
    -- The number of the closing record that it amends.
    closing INTEGER NOT NULL,
    amended_at TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    -- Null for a change that nobody made who was signed in.
    amended_by TEXT,
    subject TEXT NOT NULL CHECK (subject IN ('MEETING', 'QUESTION', 'REMARK', 'RESULT')),
    subject_id UUID NOT NULL,
    field TEXT NOT NULL,
    was TEXT,
    became TEXT,
    is_test BOOLEAN NOT NULL,
    PRIMARY KEY (meeting_id, number)
);
CREATE INDEX amendments_client_id_idx ON amendments (client_id, meeting_id);

-- Test data is no evidence: it goes with its meeting.
CREATE FUNCTION refuse_change_of_closing() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND OLD.is_test THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'the closing record of a meeting and its amendments never change'
        USING ERRCODE = 'restrict_violation';
END $$;

DO $$
DECLARE
    name TEXT;
BEGIN
    FOREACH name IN ARRAY '{closing_records,amendments}'::TEXT[] LOOP
        EXECUTE format('CREATE TRIGGER %1$s_keep BEFORE UPDATE OR DELETE ON %1$I
                        FOR EACH ROW EXECUTE FUNCTION refuse_change_of_closing()', name);
        EXECUTE format('CREATE TRIGGER %1$s_keep_all BEFORE TRUNCATE ON %1$I
                        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_closing()', name);
        EXECUTE format('REVOKE UPDATE, TRUNCATE ON %I FROM CURRENT_USER', name);
        PERFORM keep_apart(name::regclass, 'client_id = tenant()');
    END LOOP;
END $$;

CREATE OR REPLACE FUNCTION remove_test_records() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    DELETE FROM result_records WHERE is_test AND meeting_id IN (SELECT id FROM old_rows);
    DELETE FROM closing_records WHERE is_test AND meeting_id IN (SELECT id FROM old_rows);
    DELETE FROM amendments WHERE is_test AND meeting_id IN (SELECT id FROM old_rows);
    RETURN NULL;
END $$;

-- Writes an amendment to a closed meeting, whose row the statement has locked or the transaction holds: the numbers have no gaps.
CREATE FUNCTION amend(of_meeting UUID, about TEXT, item UUID, changed TEXT, before TEXT, after TEXT)
RETURNS VOID LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    author audit_author;
    name TEXT;
BEGIN
    IF before IS NOT DISTINCT FROM after THEN
        RETURN;
    END IF;
    PERFORM FROM meetings WHERE id = of_meeting FOR UPDATE;
    author := audit_author();
    name := coalesce(nullif(btrim(author.by_name), ''), (SELECT a.email FROM accounts a WHERE a.id = author.by_id));
    INSERT INTO amendments (meeting_id, number, client_id, closing, amended_by, subject, subject_id, field, was, became, is_test)
    SELECT m.id, coalesce((SELECT max(a.number) FROM amendments a WHERE a.meeting_id = m.id), 0) + 1, m.client_id,
           coalesce((SELECT max(c.number) FROM closing_records c WHERE c.meeting_id = m.id), 0),
           name, about, item, changed, before, after,
           coalesce((SELECT c.is_test FROM closing_records c WHERE c.meeting_id = m.id ORDER BY c.number DESC LIMIT 1), m.is_test)
    FROM meetings m WHERE m.id = of_meeting;
END $$;

CREATE FUNCTION amendment_time(at TIMESTAMPTZ) RETURNS TEXT LANGUAGE sql STABLE AS $$
    SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
$$;

CREATE FUNCTION amendment_quorum(meeting meetings) RETURNS TEXT LANGUAGE sql STABLE AS $$
    SELECT nullif(concat_ws(' ', meeting.quorum::text, meeting.quorum_at_opening), '')
$$;

-- A meeting that has a closing record. Its next end is no amendment: that writes the next closing record.
CREATE FUNCTION amend_meeting() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    PERFORM amend(NEW.id, 'MEETING', NEW.id, 'title', OLD.title, NEW.title);
    PERFORM amend(NEW.id, 'MEETING', NEW.id, 'scheduledStart', amendment_time(OLD.scheduled_start_time),
                  amendment_time(NEW.scheduled_start_time));
    PERFORM amend(NEW.id, 'MEETING', NEW.id, 'scheduledEnd', amendment_time(OLD.scheduled_end_time),
                  amendment_time(NEW.scheduled_end_time));
    PERFORM amend(NEW.id, 'MEETING', NEW.id, 'quorum', amendment_quorum(OLD), amendment_quorum(NEW));
    PERFORM amend(NEW.id, 'MEETING', NEW.id, 'status', OLD.status, NEW.status);
    RETURN NULL;
END $$;
CREATE TRIGGER meetings_amend AFTER UPDATE ON meetings FOR EACH ROW
    WHEN (OLD.closing_hash IS NOT NULL AND OLD.closing_hash IS NOT DISTINCT FROM NEW.closing_hash
          AND NOT (NEW.status <> OLD.status AND (NEW.status = 'COMPLETED' OR OLD.status = 'ACTIVE')))
    EXECUTE FUNCTION amend_meeting();

-- While a meeting runs again, its next closing record tells what is written into it.
CREATE FUNCTION is_amended(of_meeting UUID) RETURNS BOOLEAN LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
    SELECT EXISTS (SELECT FROM meetings WHERE id = of_meeting AND closing_hash IS NOT NULL AND status <> 'ACTIVE')
$$;

CREATE FUNCTION amend_question() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    IF is_amended(coalesce(NEW.meeting_id, OLD.meeting_id)) THEN
        PERFORM amend(coalesce(NEW.meeting_id, OLD.meeting_id), 'QUESTION', coalesce(NEW.id, OLD.id), 'text',
                      OLD.question_text, NEW.question_text);
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER questions_amend AFTER INSERT OR DELETE ON questions FOR EACH ROW EXECUTE FUNCTION amend_question();
CREATE TRIGGER questions_amend_update AFTER UPDATE ON questions FOR EACH ROW
    WHEN (OLD.question_text <> NEW.question_text) EXECUTE FUNCTION amend_question();

CREATE FUNCTION amend_result() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    IF is_amended(NEW.meeting_id) THEN
        PERFORM amend(NEW.meeting_id, 'RESULT', NEW.round_id, 'recordHash', NULL, NEW.hash);
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER result_records_amend AFTER INSERT ON result_records FOR EACH ROW EXECUTE FUNCTION amend_result();

-- A remark is struck through, and keeps its text.
ALTER TABLE remarks
    ADD COLUMN struck_at TIMESTAMPTZ,
    ADD COLUMN struck_by TEXT,
    ADD CONSTRAINT remarks_struck_check CHECK (num_nonnulls(struck_at, struck_by) IN (0, 2));

CREATE FUNCTION amend_remark() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    IF is_amended(NEW.meeting_id) THEN
        IF TG_OP = 'INSERT' THEN
            PERFORM amend(NEW.meeting_id, 'REMARK', NEW.id, 'text', NULL, NEW.remark_text);
        ELSE
            PERFORM amend(NEW.meeting_id, 'REMARK', NEW.id, 'struck', NULL, amendment_time(NEW.struck_at));
        END IF;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER remarks_amend AFTER INSERT ON remarks FOR EACH ROW EXECUTE FUNCTION amend_remark();
CREATE TRIGGER remarks_amend_update AFTER UPDATE ON remarks FOR EACH ROW
    WHEN (OLD.struck_at IS NULL AND NEW.struck_at IS NOT NULL) EXECUTE FUNCTION amend_remark();

-- Only striking it changes a remark, and once voting was opened or the meeting has ended, only its meeting takes it along.
CREATE FUNCTION refuse_change_of_remark() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    IF TG_OP = 'UPDATE' OR EXISTS (
        SELECT FROM meetings m WHERE m.id = OLD.meeting_id
            AND (m.closing_hash IS NOT NULL OR EXISTS (SELECT FROM rounds r WHERE r.meeting_id = m.id))) THEN
        RAISE EXCEPTION 'a remark in the minutes never changes'
            USING ERRCODE = 'restrict_violation',
                  HINT = 'Strike it through.';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER remarks_keep_update AFTER UPDATE ON remarks FOR EACH ROW
    WHEN (OLD.struck_at IS NOT NULL AND OLD.* IS DISTINCT FROM NEW.*
          OR (OLD.id, OLD.client_id, OLD.meeting_id, OLD.kind, OLD.remark_text, OLD.written_at, OLD.written_by)
             IS DISTINCT FROM
             (NEW.id, NEW.client_id, NEW.meeting_id, NEW.kind, NEW.remark_text, NEW.written_at, NEW.written_by))
    EXECUTE FUNCTION refuse_change_of_remark();
-- At the end of the transaction: the meeting goes after its rounds.
CREATE CONSTRAINT TRIGGER remarks_keep_delete AFTER DELETE ON remarks
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refuse_change_of_remark();

-- The audit log tells the hash of the closing record, and who struck a remark.
CREATE OR REPLACE FUNCTION audit_kind(subject TEXT, before JSONB, after JSONB) RETURNS TEXT LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE
        WHEN subject = 'meeting' AND before IS NOT NULL AND before ->> 'status' <> after ->> 'status' THEN
            CASE after ->> 'status' WHEN 'ACTIVE' THEN 'meeting_started' WHEN 'COMPLETED' THEN 'meeting_ended'
                                    ELSE 'meeting_changed' END
        WHEN subject = 'meeting' AND before IS NOT NULL AND after IS NOT NULL
            AND after ->> 'closing_hash' IS DISTINCT FROM before ->> 'closing_hash' THEN 'meeting_closed'
        WHEN subject = 'round' AND before IS NULL THEN 'round_opened'
        WHEN subject = 'round' AND before ->> 'status' <> after ->> 'status' THEN
            CASE after ->> 'status' WHEN 'OPEN' THEN 'round_reopened' WHEN 'ENDED' THEN 'round_ended'
                                    ELSE 'result_declared' END
        WHEN subject = 'round' AND before ->> 'counted_at' IS NULL AND after ->> 'counted_at' IS NOT NULL THEN 'result_counted'
        WHEN subject = 'participant' THEN CASE WHEN after IS NULL THEN 'participant_removed' ELSE 'participant_added' END
        WHEN subject = 'exclusion' THEN CASE WHEN after IS NULL THEN 'voter_readmitted' ELSE 'voter_excluded' END
        WHEN subject = 'admission' THEN 'voter_admitted'
        WHEN subject = 'remark' THEN CASE WHEN after IS NULL THEN 'remark_removed' WHEN before IS NULL THEN 'remark_written'
                                          ELSE 'remark_struck' END
        WHEN subject = 'invitation' THEN 'invitation_ordered'
        ELSE subject || CASE WHEN before IS NULL THEN '_created' WHEN after IS NULL THEN '_deleted' ELSE '_changed' END
    END
$$;

DO $$
DECLARE
    audited RECORD;
    arguments TEXT;
BEGIN
    FOR audited IN SELECT * FROM (VALUES
        ('meetings', 'meeting',
         'title description status scheduled_start_time scheduled_end_time started_at ended_at max_participants is_recurring '
         'recurring_pattern has_participant_list quorum quorum_at_opening counts_surveys_at_end closing_hash',
         'id client_id created_at is_test step current_question_id', 'id'),
        ('remarks', 'remark', 'kind remark_text struck_at struck_by', 'id client_id meeting_id written_at written_by', 'id')
    ) AS tables (name, subject, shown, silent, key) LOOP
        arguments := format('audit_rows(%L, %L, %L, %L)', audited.subject, audited.shown, audited.silent, audited.key);
        EXECUTE format('DROP TRIGGER IF EXISTS %1$s_audit_insert ON %1$I', audited.name);
        EXECUTE format('DROP TRIGGER IF EXISTS %1$s_audit_update ON %1$I', audited.name);
        EXECUTE format('DROP TRIGGER IF EXISTS %1$s_audit_delete ON %1$I', audited.name);
        EXECUTE format('CREATE TRIGGER %1$s_audit_insert AFTER INSERT ON %1$I REFERENCING NEW TABLE AS new_rows '
                       'FOR EACH STATEMENT EXECUTE FUNCTION %2$s', audited.name, arguments);
        EXECUTE format('CREATE TRIGGER %1$s_audit_update AFTER UPDATE ON %1$I REFERENCING OLD TABLE AS old_rows '
                       'NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION %2$s', audited.name, arguments);
        EXECUTE format('CREATE TRIGGER %1$s_audit_delete AFTER DELETE ON %1$I REFERENCING OLD TABLE AS old_rows '
                       'FOR EACH STATEMENT EXECUTE FUNCTION %2$s', audited.name, arguments);
    END LOOP;
END $$;
