-- Personal links: each signs in one end user without typing (decision 73).

-- A link works while its owner has the password of its creation. Only the hash of its token is stored.
CREATE TABLE join_links (
    id UUID NOT NULL,
    client_id UUID NOT NULL,
    end_user_id UUID NOT NULL,
    -- Its end makes the link void. Null for the organization.
    meeting_id UUID,
    token_hash BYTEA NOT NULL,
    password_hash TEXT NOT NULL,
    is_single_use BOOLEAN NOT NULL,
    made_at TIMESTAMPTZ NOT NULL,
    expires_at TIMESTAMPTZ,
    last_used_at TIMESTAMPTZ,
    revoked_at TIMESTAMPTZ,
    CONSTRAINT join_links_pkey PRIMARY KEY (id),
    CONSTRAINT join_links_token_hash_key UNIQUE (token_hash),
    CONSTRAINT join_links_client_id_end_user_id_fkey
        FOREIGN KEY (client_id, end_user_id) REFERENCES end_users (client_id, id) ON DELETE CASCADE,
    CONSTRAINT join_links_client_id_meeting_id_fkey
        FOREIGN KEY (client_id, meeting_id) REFERENCES meetings (client_id, id) ON DELETE CASCADE
);

CREATE INDEX join_links_client_id_end_user_id_idx ON join_links (client_id, end_user_id);
CREATE INDEX join_links_client_id_meeting_id_idx ON join_links (client_id, meeting_id);
SELECT keep_apart('join_links', 'client_id = tenant()');

-- What the links of an organization ask for. No row means nothing.
CREATE TABLE join_link_settings (
    client_id UUID NOT NULL,
    asks TEXT NOT NULL,
    CONSTRAINT join_link_settings_pkey PRIMARY KEY (client_id),
    CONSTRAINT join_link_settings_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients (id) ON DELETE CASCADE,
    CONSTRAINT join_link_settings_asks_check CHECK (asks IN ('NOTHING', 'PASSWORD'))
);
SELECT keep_apart('join_link_settings', 'client_id = tenant()');

CREATE FUNCTION audit_made_join_links() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    author audit_author;
BEGIN
    IF NOT EXISTS (SELECT FROM new_rows) THEN
        RETURN NULL;
    END IF;
    author := audit_author();
    PERFORM audit_event(author, 'join_link_made', came.client_id, 'end_user', came.end_user_id, person.name, meeting.title,
                        '[]')
    FROM new_rows AS came
    CROSS JOIN LATERAL (SELECT e.name || ' (' || e.username || ')' AS name FROM end_users e
                        WHERE e.id = came.end_user_id OFFSET 0) AS person
    LEFT JOIN LATERAL (SELECT m.title FROM meetings m WHERE m.id = came.meeting_id OFFSET 0) AS meeting ON true;
    RETURN NULL;
END $$;
CREATE TRIGGER join_links_audit_insert AFTER INSERT ON join_links REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION audit_made_join_links();

CREATE FUNCTION audit_join_link() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    author audit_author := audit_author();
    is_use CONSTANT BOOLEAN := NEW.last_used_at IS DISTINCT FROM OLD.last_used_at;
    name CONSTANT TEXT := audit_person_name('END_USER', NEW.end_user_id);
BEGIN
    IF is_use THEN
        -- Whoever signs in is not known before.
        author.by_role := 'END_USER';
        author.by_id := NEW.end_user_id;
        author.by_name := name;
    END IF;
    PERFORM audit_event(author, CASE WHEN is_use THEN 'join_link_used' ELSE 'join_link_revoked' END, NEW.client_id,
                        'end_user', NEW.end_user_id, name,
                        (SELECT m.title FROM meetings m WHERE m.id = NEW.meeting_id), '[]');
    RETURN NULL;
END $$;
CREATE TRIGGER join_links_audit_update AFTER UPDATE ON join_links FOR EACH ROW
    WHEN (OLD.last_used_at IS DISTINCT FROM NEW.last_used_at OR OLD.revoked_at IS DISTINCT FROM NEW.revoked_at)
    EXECUTE FUNCTION audit_join_link();

CREATE FUNCTION audit_join_link_settings() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    before TEXT := 'NOTHING';
BEGIN
    IF TG_OP = 'UPDATE' THEN
        before := OLD.asks;
    END IF;
    IF before <> NEW.asks THEN
        PERFORM audit_event(audit_author(), 'client_changed', NEW.client_id, 'client', NEW.client_id, c.name, NULL,
                            jsonb_build_array(jsonb_build_array('personal_links_ask', before, NEW.asks)))
        FROM clients c WHERE c.id = NEW.client_id;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER join_link_settings_audit AFTER INSERT OR UPDATE ON join_link_settings FOR EACH ROW
    EXECUTE FUNCTION audit_join_link_settings();
