-- Proxies (decision 94): a holder casts the vote of a principal. Each principal's vote stays a row of its own.
SET LOCAL lock_timeout = '10s';

-- Without a row, a meeting has no proxies.
CREATE TABLE proxy_settings (
    meeting_id UUID NOT NULL,
    client_id UUID NOT NULL,
    is_on BOOLEAN NOT NULL,
    principals_may_grant BOOLEAN NOT NULL,
    -- Per holder: the number of principals, their weight, and their share of the weight of everybody who may vote, in percent.
    max_principals INTEGER,
    max_weight NUMERIC(24, 6),
    max_share NUMERIC(5, 2),
    holders TEXT NOT NULL,
    -- The questions on which nobody votes for somebody else.
    without_questions UUID[] NOT NULL,
    CONSTRAINT proxy_settings_pkey PRIMARY KEY (meeting_id),
    CONSTRAINT proxy_settings_client_id_meeting_id_fkey
        FOREIGN KEY (client_id, meeting_id) REFERENCES meetings (client_id, id) ON DELETE CASCADE,
    CONSTRAINT proxy_settings_max_principals_check CHECK (max_principals > 0),
    CONSTRAINT proxy_settings_max_weight_check CHECK (max_weight > 0),
    CONSTRAINT proxy_settings_max_share_check CHECK (max_share > 0 AND max_share <= 100),
    CONSTRAINT proxy_settings_holders_check CHECK (holders IN ('PARTICIPANTS', 'ANYBODY'))
);
CREATE INDEX proxy_settings_client_id_meeting_id_idx ON proxy_settings (client_id, meeting_id);
SELECT keep_apart('proxy_settings', 'client_id = tenant()');

CREATE TABLE proxies (
    id UUID NOT NULL,
    client_id UUID NOT NULL,
    meeting_id UUID NOT NULL,
    principal_id UUID NOT NULL,
    holder_id UUID NOT NULL,
    -- Null for the whole meeting.
    question_ids UUID[],
    -- Instructions for the holder. Principal, holder and organizers read them.
    note TEXT,
    -- Where the written proof is.
    reference TEXT,
    granted_at TIMESTAMPTZ NOT NULL,
    granted_by TEXT NOT NULL,
    is_by_principal BOOLEAN NOT NULL,
    revoked_at TIMESTAMPTZ,
    revoked_by TEXT,
    CONSTRAINT proxies_pkey PRIMARY KEY (id),
    CONSTRAINT proxies_client_id_meeting_id_fkey
        FOREIGN KEY (client_id, meeting_id) REFERENCES meetings (client_id, id) ON DELETE CASCADE,
    CONSTRAINT proxies_client_id_principal_id_fkey
        FOREIGN KEY (client_id, principal_id) REFERENCES end_users (client_id, id) ON DELETE CASCADE,
    CONSTRAINT proxies_client_id_holder_id_fkey
        FOREIGN KEY (client_id, holder_id) REFERENCES end_users (client_id, id) ON DELETE CASCADE,
    CONSTRAINT proxies_question_ids_check CHECK (cardinality(question_ids) > 0),
    CONSTRAINT proxies_revoked_by_check CHECK ((revoked_at IS NULL) = (revoked_by IS NULL))
);
CREATE INDEX proxies_client_id_meeting_id_idx ON proxies (client_id, meeting_id);
CREATE INDEX proxies_client_id_principal_id_idx ON proxies (client_id, principal_id);
CREATE INDEX proxies_client_id_holder_id_idx ON proxies (client_id, holder_id);
SELECT keep_apart('proxies', 'client_id = tenant()');

-- The proxies in force in a round, as of its opening. A revocation removes a row until the vote is cast.
CREATE TABLE round_proxies (
    round_id UUID NOT NULL,
    principal_id UUID NOT NULL,
    client_id UUID NOT NULL,
    proxy_id UUID NOT NULL,
    holder_id UUID NOT NULL,
    holder_name TEXT NOT NULL,
    holder_username TEXT NOT NULL,
    reference TEXT,
    -- Whether the holder was connected at the opening and the principal was not.
    was_represented BOOLEAN NOT NULL,
    CONSTRAINT round_proxies_pkey PRIMARY KEY (round_id, principal_id),
    CONSTRAINT round_proxies_client_id_round_id_fkey
        FOREIGN KEY (client_id, round_id) REFERENCES rounds (client_id, id) ON DELETE CASCADE,
    CONSTRAINT round_proxies_round_id_principal_id_fkey
        FOREIGN KEY (round_id, principal_id) REFERENCES register (round_id, end_user_id) ON DELETE CASCADE
);
CREATE INDEX round_proxies_client_id_round_id_idx ON round_proxies (client_id, round_id);
CREATE INDEX round_proxies_round_id_holder_id_idx ON round_proxies (round_id, holder_id);
SELECT keep_apart('round_proxies', 'client_id = tenant()');

CREATE TRIGGER round_proxies_declared_insert AFTER INSERT ON round_proxies REFERENCING NEW TABLE AS changed_rows
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_rows_of_declared();
CREATE TRIGGER round_proxies_declared_update_old AFTER UPDATE ON round_proxies REFERENCING OLD TABLE AS changed_rows
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_rows_of_declared();
CREATE TRIGGER round_proxies_declared_update_new AFTER UPDATE ON round_proxies REFERENCING NEW TABLE AS changed_rows
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_rows_of_declared();
CREATE TRIGGER round_proxies_declared_delete AFTER DELETE ON round_proxies REFERENCING OLD TABLE AS changed_rows
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_rows_of_declared();

-- The holder who cast the vote. Null if the voter did. It is no foreign key: a vote never changes when a person is deleted.
ALTER TABLE votes ADD COLUMN cast_by UUID;

-- Whether the proxy of a principal rests because the principal is checked in (decision 93). Without check-in, only the principal's
-- own vote counts. Volatile, so that a ballot that waited for a check-in sees it.
CREATE FUNCTION proxy_rests(meeting UUID, principal UUID) RETURNS BOOLEAN LANGUAGE sql VOLATILE SET search_path FROM CURRENT AS $$
    SELECT EXISTS (SELECT FROM people_present WHERE meeting_id = meeting AND end_user_id = principal)
       AND (SELECT check_in = 'ON' FROM meetings WHERE id = meeting)
$$;

CREATE FUNCTION proxy_person(person UUID) RETURNS TEXT LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
    SELECT name || ' (' || username || ')' FROM end_users WHERE id = person
$$;

CREATE FUNCTION proxy_questions(ids UUID[]) RETURNS TEXT LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
    SELECT string_agg(question_text, ', ' ORDER BY position) FROM questions WHERE id = ANY (ids)
$$;

-- The log names principal, holder and reference, and never the instructions.
CREATE FUNCTION audit_proxy() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    is_revoked BOOLEAN := TG_OP = 'UPDATE';
BEGIN
    PERFORM audit_event(audit_author(), CASE WHEN is_revoked THEN 'proxy_revoked' ELSE 'proxy_granted' END, NEW.client_id,
                        'end_user', NEW.principal_id, proxy_person(NEW.principal_id), m.title,
                        (SELECT jsonb_agg(jsonb_build_array(line.field, CASE WHEN is_revoked THEN line.value END,
                                                            CASE WHEN NOT is_revoked THEN line.value END))
                         FROM (VALUES ('proxy_holder', proxy_person(NEW.holder_id)),
                                      ('questions', proxy_questions(NEW.question_ids)),
                                      ('reference', NEW.reference)) AS line (field, value)
                         WHERE line.value IS NOT NULL))
    FROM meetings m WHERE m.id = NEW.meeting_id;
    RETURN NULL;
END $$;

CREATE TRIGGER proxies_audit_insert AFTER INSERT ON proxies FOR EACH ROW EXECUTE FUNCTION audit_proxy();
CREATE TRIGGER proxies_audit_update AFTER UPDATE ON proxies FOR EACH ROW
    WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL) EXECUTE FUNCTION audit_proxy();

CREATE FUNCTION audit_proxy_settings() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    before proxy_settings;
BEGIN
    IF TG_OP = 'UPDATE' THEN
        before := OLD;
    END IF;
    PERFORM audit_event(audit_author(), 'proxy_settings_changed', NEW.client_id, 'meeting', NEW.meeting_id, m.title, m.title,
                        made.changes)
    FROM meetings m
    CROSS JOIN LATERAL (
        SELECT jsonb_agg(jsonb_build_array(line.field, line.before, line.after)) AS changes
        FROM (VALUES
            ('proxies', before.is_on::text, NEW.is_on::text),
            ('principals_may_grant', before.principals_may_grant::text, NEW.principals_may_grant::text),
            ('max_principals', before.max_principals::text, NEW.max_principals::text),
            ('max_weight', trim_scale(before.max_weight)::text, trim_scale(NEW.max_weight)::text),
            ('max_share', trim_scale(before.max_share)::text, trim_scale(NEW.max_share)::text),
            ('proxy_holders', before.holders, NEW.holders),
            ('questions_without_proxies', proxy_questions(before.without_questions), proxy_questions(NEW.without_questions))
        ) AS line (field, before, after)
        WHERE line.before IS DISTINCT FROM line.after) AS made
    WHERE m.id = NEW.meeting_id AND made.changes IS NOT NULL;
    RETURN NULL;
END $$;

CREATE TRIGGER proxy_settings_audit AFTER INSERT OR UPDATE ON proxy_settings FOR EACH ROW
    EXECUTE FUNCTION audit_proxy_settings();
