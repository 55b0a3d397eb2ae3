-- Secret rounds (decision 83): ballots are sealed envelopes, which the first count opens once. Only sums are kept.

SET LOCAL lock_timeout = '10s';

-- Three levels in place of two. The type changes and not the rows: triggers refuse an UPDATE of declared rounds.
ALTER TABLE questions ALTER COLUMN is_named DROP DEFAULT;
ALTER TABLE questions ALTER COLUMN is_named TYPE TEXT USING CASE WHEN is_named THEN 'NAMED' ELSE 'UNSHOWN' END;
ALTER TABLE questions RENAME COLUMN is_named TO secrecy;
ALTER TABLE questions
    ALTER COLUMN secrecy SET DEFAULT 'UNSHOWN',
    ADD CONSTRAINT questions_secrecy_check CHECK (secrecy IN ('NAMED', 'UNSHOWN', 'SECRET')),
    ADD COLUMN counts_heads BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE rounds ALTER COLUMN is_named DROP DEFAULT;
ALTER TABLE rounds ALTER COLUMN is_named TYPE TEXT USING CASE WHEN is_named THEN 'NAMED' ELSE 'UNSHOWN' END;
ALTER TABLE rounds RENAME COLUMN is_named TO secrecy;
ALTER TABLE rounds
    ALTER COLUMN secrecy SET DEFAULT 'UNSHOWN',
    ADD CONSTRAINT rounds_secrecy_check CHECK (secrecy IN ('NAMED', 'UNSHOWN', 'SECRET')),
    ADD COLUMN counts_heads BOOLEAN NOT NULL DEFAULT false;

-- A sealed vote has neither a time nor a session. Its envelope is removed when the urn is opened; the row stays as the mark that
-- the person has voted. Envelopes are random bytes, so compressing them is a waste.
ALTER TABLE votes
    ALTER COLUMN cast_at DROP NOT NULL,
    ADD COLUMN is_sealed BOOLEAN NOT NULL DEFAULT false,
    ADD COLUMN sealed BYTEA,
    DROP CONSTRAINT votes_answer_check,
    ADD CONSTRAINT votes_answer_check CHECK (
        CASE WHEN is_sealed THEN num_nonnulls(option_ids, number, answer_text, cast_at, session_id) = 0
             ELSE num_nonnulls(option_ids, number, answer_text) = 1 AND cast_at IS NOT NULL AND sealed IS NULL END);
ALTER TABLE votes ALTER COLUMN sealed SET STORAGE EXTERNAL;

-- The urn of a secret round. The counts are set when it is opened, and never change then.
CREATE TABLE urns (
    round_id UUID NOT NULL,
    client_id UUID NOT NULL,
    public_key BYTEA NOT NULL,
    holders INTEGER NOT NULL,
    void_at TIMESTAMPTZ,
    opened_at TIMESTAMPTZ,
    key_destroyed_at TIMESTAMPTZ,
    valid_heads INTEGER,
    valid_weight NUMERIC,
    invalid_heads INTEGER,
    invalid_weight NUMERIC,
    answers JSONB,
    option_sums JSONB,
    receipts TEXT[],
    envelopes_hash TEXT,
    CONSTRAINT urns_pkey PRIMARY KEY (round_id),
    CONSTRAINT urns_client_id_round_id_fkey
        FOREIGN KEY (client_id, round_id) REFERENCES rounds (client_id, id) ON DELETE CASCADE,
    CONSTRAINT urns_public_key_check CHECK (octet_length(public_key) = 65),
    CONSTRAINT urns_holders_check CHECK (holders > 0),
    CONSTRAINT urns_opened_at_check CHECK (
        num_nonnulls(opened_at, valid_heads, valid_weight, invalid_heads, invalid_weight, receipts, envelopes_hash)
            = CASE WHEN opened_at IS NULL THEN 0 ELSE 7 END),
    CONSTRAINT urns_answers_check CHECK (num_nonnulls(answers, option_sums) = CASE WHEN opened_at IS NULL THEN 0 ELSE 1 END),
    CONSTRAINT urns_void_at_check CHECK (void_at IS NULL OR opened_at IS NULL)
);
CREATE INDEX urns_client_id_round_id_idx ON urns (client_id, round_id);
SELECT keep_apart('urns', 'client_id = tenant()');

-- One of the two shares of the private key. The other one is in a file outside of the database. The row is deleted when the urn is
-- opened.
CREATE TABLE urn_shares (
    round_id UUID NOT NULL,
    client_id UUID NOT NULL,
    share BYTEA NOT NULL,
    CONSTRAINT urn_shares_pkey PRIMARY KEY (round_id),
    CONSTRAINT urn_shares_client_id_round_id_fkey
        FOREIGN KEY (client_id, round_id) REFERENCES rounds (client_id, id) ON DELETE CASCADE,
    CONSTRAINT urn_shares_share_check CHECK (octet_length(share) = 32)
);
CREATE INDEX urn_shares_client_id_round_id_idx ON urn_shares (client_id, round_id);
SELECT keep_apart('urn_shares', 'client_id = tenant()');

-- An opened urn is never opened again, and its counts stay.
CREATE FUNCTION refuse_change_of_opened_urn() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    RAISE EXCEPTION 'the urn of round % was opened, so its counts never change', OLD.round_id
        USING ERRCODE = 'restrict_violation';
END $$;

CREATE TRIGGER urns_opened_stay BEFORE UPDATE ON urns FOR EACH ROW
    WHEN (OLD.opened_at IS NOT NULL
          AND to_jsonb(NEW) - 'key_destroyed_at' IS DISTINCT FROM to_jsonb(OLD) - 'key_destroyed_at')
    EXECUTE FUNCTION refuse_change_of_opened_urn();

-- The log tells the life of a key: made, used once, destroyed, or lost.
CREATE FUNCTION audit_urn() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    kind TEXT;
    changes JSONB := '[]';
BEGIN
    IF TG_OP = 'INSERT' THEN
        kind := 'urn_key_made';
        changes := jsonb_build_array(jsonb_build_array('key_holders', NULL, NEW.holders::text));
    ELSIF OLD.opened_at IS NULL AND NEW.opened_at IS NOT NULL THEN
        kind := 'urn_opened';
        changes := jsonb_build_array(
            jsonb_build_array('ballots', NULL, (NEW.valid_heads + NEW.invalid_heads)::text),
            jsonb_build_array('envelopes_hash', NULL, NEW.envelopes_hash));
    ELSIF OLD.key_destroyed_at IS NULL AND NEW.key_destroyed_at IS NOT NULL THEN
        kind := 'urn_key_destroyed';
    ELSIF OLD.void_at IS NULL AND NEW.void_at IS NOT NULL THEN
        kind := 'urn_key_lost';
    ELSE
        kind := 'urn_changed';
    END IF;
    PERFORM audit_event(audit_author(), kind, NEW.client_id, 'round', NEW.round_id, r.question_text, m.title, changes)
    FROM rounds r JOIN meetings m ON m.id = r.meeting_id WHERE r.id = NEW.round_id;
    RETURN NULL;
END $$;

CREATE TRIGGER urns_audit AFTER INSERT OR UPDATE ON urns FOR EACH ROW EXECUTE FUNCTION audit_urn();

ALTER TABLE round_log
    DROP CONSTRAINT round_log_kind_check,
    ADD CONSTRAINT round_log_kind_check CHECK (kind IN (
        'OPENED', 'ENDED', 'REOPENED', 'JOINED', 'COUNTED', 'DECLARED', 'ADMITTED', 'EXCLUDED', 'PASSWORD_SET',
        'RISK_ACCEPTED', 'VOIDED'));

-- The audit log tells the new terms.
CREATE OR REPLACE FUNCTION audit_round(before JSONB, after JSONB) RETURNS VOID LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    shown CONSTANT TEXT[] := string_to_array(
        'number status question_text question_type rating_max max_choices opened_at ended_at closes_at register_heads '
        'register_weight decision_rule quorum secrecy counts_heads connected_heads connected_weight reason counted_at '
        'declared_at declared_by presence record_hash', ' ');
BEGIN
    PERFORM audit_lines('round', ARRAY[before], ARRAY[after], shown, '{id,client_id,meeting_id,question_id,is_test}');
END $$;

DO $$
DECLARE
    arguments CONSTANT TEXT := format('audit_rows(%L, %L, %L, %L)', 'question',
        'position question_text question_type is_required rating_max max_choices decision_rule quorum secrecy counts_heads',
        'id client_id meeting_id created_at', 'id');
BEGIN
    DROP TRIGGER questions_audit_insert ON questions;
    DROP TRIGGER questions_audit_update ON questions;
    DROP TRIGGER questions_audit_delete ON questions;
    EXECUTE 'CREATE TRIGGER questions_audit_insert AFTER INSERT ON questions REFERENCING NEW TABLE AS new_rows '
            'FOR EACH STATEMENT EXECUTE FUNCTION ' || arguments;
    EXECUTE 'CREATE TRIGGER questions_audit_update AFTER UPDATE ON questions REFERENCING OLD TABLE AS old_rows '
            'NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION ' || arguments;
    EXECUTE 'CREATE TRIGGER questions_audit_delete AFTER DELETE ON questions REFERENCING OLD TABLE AS old_rows '
            'FOR EACH STATEMENT EXECUTE FUNCTION ' || arguments;
END $$;
