-- Check-in: with it on, who is present is a record and not a connection (decision 93).
SET LOCAL lock_timeout = '10s';

ALTER TABLE meetings
    ADD COLUMN check_in TEXT NOT NULL DEFAULT 'OFF',
    ADD COLUMN self_check_in BOOLEAN NOT NULL DEFAULT false,
    -- The codes of the presentation, with which voters check themselves in, are derived from it.
    ADD COLUMN check_in_key UUID NOT NULL DEFAULT gen_random_uuid(),
    ADD CONSTRAINT meetings_check_in_check CHECK (check_in IN ('OFF', 'ON'));

-- The people who could vote and were not in the register, because they were not present at opening.
ALTER TABLE rounds
    ADD COLUMN absent_heads INTEGER NOT NULL DEFAULT 0,
    ADD COLUMN absent_weight NUMERIC NOT NULL DEFAULT 0,
    DROP CONSTRAINT rounds_presence_check,
    ADD CONSTRAINT rounds_presence_check CHECK (presence IN ('CONNECTED_OR_VOTED', 'LARGER_NUMBER', 'CHECKED_IN')),
    ADD CONSTRAINT rounds_absent_heads_check CHECK (absent_heads >= 0),
    ADD CONSTRAINT rounds_absent_weight_check CHECK (absent_weight >= 0);

-- A link for helpers without an account, with which they check people in and out of one meeting. Only the hash of its token is
-- stored.
CREATE TABLE desks (
    id UUID NOT NULL,
    client_id UUID NOT NULL,
    meeting_id UUID NOT NULL,
    name TEXT NOT NULL,
    token_hash BYTEA NOT NULL,
    made_at TIMESTAMPTZ NOT NULL,
    made_by TEXT NOT NULL,
    revoked_at TIMESTAMPTZ,
    CONSTRAINT desks_pkey PRIMARY KEY (id),
    CONSTRAINT desks_token_hash_key UNIQUE (token_hash),
    CONSTRAINT desks_client_id_meeting_id_fkey
        FOREIGN KEY (client_id, meeting_id) REFERENCES meetings (client_id, id) ON DELETE CASCADE
);
CREATE INDEX desks_client_id_meeting_id_idx ON desks (client_id, meeting_id);
SELECT keep_apart('desks', 'client_id = tenant()');

-- Who came and went. The names are those of the moment, so that the list stays true after somebody is renamed or deleted.
CREATE TABLE presence_entries (
    meeting_id UUID NOT NULL,
    -- From 1, in the order of their storing.
    number INTEGER NOT NULL,
    client_id UUID NOT NULL,
    -- Made on the device that noted it, so that a repeat is the same entry.
    id UUID NOT NULL,
    end_user_id UUID NOT NULL,
    username TEXT NOT NULL,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    -- The time at which it happened, and at which the server received it. They differ for a desk without a network.
    happened_at TIMESTAMPTZ NOT NULL,
    noted_at TIMESTAMPTZ NOT NULL,
    by_role TEXT NOT NULL,
    -- The organizer, the desk or the person.
    by_name TEXT NOT NULL,
    CONSTRAINT presence_entries_pkey PRIMARY KEY (meeting_id, number),
    CONSTRAINT presence_entries_meeting_id_id_key UNIQUE (meeting_id, id),
    CONSTRAINT presence_entries_client_id_meeting_id_fkey
        FOREIGN KEY (client_id, meeting_id) REFERENCES meetings (client_id, id) ON DELETE CASCADE,
    CONSTRAINT presence_entries_number_check CHECK (number > 0),
    CONSTRAINT presence_entries_kind_check CHECK (kind IN ('IN', 'OUT')),
    CONSTRAINT presence_entries_by_role_check CHECK (by_role IN ('ORGANIZER', 'DESK', 'SELF')),
    CONSTRAINT presence_entries_noted_at_check CHECK (noted_at >= happened_at)
);
CREATE INDEX presence_entries_client_id_meeting_id_idx ON presence_entries (client_id, meeting_id);
CREATE INDEX presence_entries_meeting_id_end_user_id_idx ON presence_entries (meeting_id, end_user_id, happened_at, number);
SELECT keep_apart('presence_entries', 'client_id = tenant()');

-- Who is present now, with the entry of their check-in.
CREATE TABLE people_present (
    meeting_id UUID NOT NULL,
    end_user_id UUID NOT NULL,
    client_id UUID NOT NULL,
    since TIMESTAMPTZ NOT NULL,
    number INTEGER NOT NULL,
    CONSTRAINT people_present_pkey PRIMARY KEY (meeting_id, end_user_id),
    CONSTRAINT people_present_meeting_id_number_fkey
        FOREIGN KEY (meeting_id, number) REFERENCES presence_entries (meeting_id, number) ON DELETE CASCADE,
    CONSTRAINT people_present_client_id_meeting_id_fkey
        FOREIGN KEY (client_id, meeting_id) REFERENCES meetings (client_id, id) ON DELETE CASCADE,
    CONSTRAINT people_present_client_id_end_user_id_fkey
        FOREIGN KEY (client_id, end_user_id) REFERENCES end_users (client_id, id) ON DELETE CASCADE
);
CREATE INDEX people_present_client_id_meeting_id_idx ON people_present (client_id, meeting_id);
CREATE INDEX people_present_client_id_end_user_id_idx ON people_present (client_id, end_user_id);
CREATE INDEX people_present_meeting_id_number_idx ON people_present (meeting_id, number);
SELECT keep_apart('people_present', 'client_id = tenant()');

-- An entry goes only together with its meeting.
CREATE FUNCTION refuse_change_of_presence_entry() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    IF TG_OP = 'DELETE' AND NOT EXISTS (SELECT FROM meetings WHERE id = OLD.meeting_id) THEN
        RETURN NULL;
    END IF;
    RAISE EXCEPTION 'entries about who came and went are only added to'
        USING ERRCODE = 'restrict_violation', HINT = 'Note another entry.';
END $$;

CREATE TRIGGER presence_entries_keep BEFORE UPDATE ON presence_entries
    FOR EACH ROW EXECUTE FUNCTION refuse_change_of_presence_entry();
CREATE TRIGGER presence_entries_keep_all BEFORE TRUNCATE ON presence_entries
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_presence_entry();
-- At the end of the transaction: the meeting goes before its entries.
CREATE CONSTRAINT TRIGGER presence_entries_keep_deleted AFTER DELETE ON presence_entries
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refuse_change_of_presence_entry();

CREATE FUNCTION audit_desk() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    PERFORM audit_event(audit_author(), CASE WHEN TG_OP = 'INSERT' THEN 'desk_made' ELSE 'desk_revoked' END, NEW.client_id,
                        'meeting', NEW.meeting_id, NEW.name,
                        (SELECT m.title FROM meetings m WHERE m.id = NEW.meeting_id), '[]');
    RETURN NULL;
END $$;
CREATE TRIGGER desks_audit_insert AFTER INSERT ON desks FOR EACH ROW EXECUTE FUNCTION audit_desk();
CREATE TRIGGER desks_audit_update AFTER UPDATE ON desks FOR EACH ROW
    WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL) EXECUTE FUNCTION audit_desk();

-- What an organizer notes by hand. The entries of desks and voters, which may be thousands, are in the log of attendance only.
CREATE FUNCTION audit_presence_entry() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    PERFORM audit_event(audit_author(), 'presence_noted', NEW.client_id, 'end_user', NEW.end_user_id,
                        NEW.name || ' (' || NEW.username || ')',
                        (SELECT m.title FROM meetings m WHERE m.id = NEW.meeting_id),
                        jsonb_build_array(jsonb_build_array('presence', NULL, NEW.kind)));
    RETURN NULL;
END $$;
CREATE TRIGGER presence_entries_audit_insert AFTER INSERT ON presence_entries FOR EACH ROW
    WHEN (NEW.by_role = 'ORGANIZER') EXECUTE FUNCTION audit_presence_entry();

-- The audit log shows the new settings of meetings, and never the key of the codes. It also shows the absent people of rounds.
DO $$
DECLARE
    known RECORD;
BEGIN
    FOR known IN SELECT tgname, pg_get_triggerdef(oid) AS made FROM pg_trigger
                 WHERE tgrelid = 'meetings'::regclass AND tgname IN ('meetings_audit_insert', 'meetings_audit_update',
                                                                     'meetings_audit_delete') LOOP
        EXECUTE format('DROP TRIGGER %I ON meetings', known.tgname);
        EXECUTE replace(replace(known.made, 'counts_surveys_at_end', 'counts_surveys_at_end check_in self_check_in'),
                        'current_question_id', 'current_question_id check_in_key');
    END LOOP;
    EXECUTE replace(pg_get_functiondef('audit_round(jsonb, jsonb)'::regprocedure), ' presence', ' presence absent_heads absent_weight');
END $$;
