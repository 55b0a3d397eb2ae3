-- Retention (decisions 71 and 72): a purge removes old records and old entries of the audit log under a signed document that
-- names them, and people who were erased keep a row without personal data.

-- The documents of purges, of each client and, under zeros, of the platform. They are kept for ever: without them nobody could
-- tell what was purged from what was cut off.
CREATE TABLE purges (
    client_id UUID NOT NULL,
    number INTEGER NOT NULL CHECK (number > 0),
    hash TEXT NOT NULL CHECK (hash ~ '^[0-9a-f]{64}$'),
    signing_key TEXT NOT NULL,
    signature BYTEA NOT NULL,
    purged_at TIMESTAMPTZ NOT NULL,
    document TEXT NOT NULL,
    -- The last entry of the audit log that goes. Null if none does.
    audit_until BIGINT CHECK (audit_until > 0),
    -- The transaction that wrote the row, and the only one to which it gives the right to remove something.
    made_in BIGINT NOT NULL,
    PRIMARY KEY (client_id, number)
);

CREATE FUNCTION keep_purge() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        NEW.made_in := pg_current_xact_id()::text::bigint;
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'the document of a purge never changes'
        USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER purges_keep BEFORE INSERT OR UPDATE OR DELETE ON purges FOR EACH ROW EXECUTE FUNCTION keep_purge();
CREATE TRIGGER purges_keep_all BEFORE TRUNCATE ON purges FOR EACH STATEMENT EXECUTE FUNCTION keep_purge();
REVOKE UPDATE, TRUNCATE ON purges FROM CURRENT_USER;
SELECT keep_apart('purges', 'client_id = tenant()');

-- Whether a purge of this transaction names a hash or an id.
CREATE FUNCTION is_purged(client UUID, name TEXT) RETURNS BOOLEAN LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
    SELECT EXISTS (SELECT FROM purges p WHERE p.client_id = client AND p.made_in = pg_current_xact_id()::text::bigint
                   AND position('"' || name || '"' IN p.document) > 0)
$$;

CREATE OR REPLACE FUNCTION refuse_change_of_record() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        IF OLD.is_test OR is_purged(OLD.client_id, OLD.hash) THEN
            RETURN OLD;
        END IF;
    END IF;
    RAISE EXCEPTION 'a record of a declared result never changes'
        USING ERRCODE = 'restrict_violation';
END $$;

-- Amendments have no hash: their meeting is named.
CREATE OR REPLACE FUNCTION refuse_change_of_closing() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        IF OLD.is_test OR is_purged(OLD.client_id, coalesce(to_jsonb(OLD) ->> 'hash', OLD.meeting_id::text)) THEN
            RETURN OLD;
        END IF;
    END IF;
    RAISE EXCEPTION 'the closing record of a meeting and its amendments never change'
        USING ERRCODE = 'restrict_violation';
END $$;

CREATE OR REPLACE FUNCTION audit_keep() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    places CONSTANT TEXT[] := '{number,previous_hash,hash}';
BEGIN
    IF TG_OP = 'UPDATE' THEN
        IF OLD.number IS NULL AND NEW.number IS NOT NULL AND to_jsonb(NEW) - places = to_jsonb(OLD) - places THEN
            RETURN NEW;
        END IF;
    ELSIF TG_OP = 'DELETE' THEN
        IF audit_is_removed(OLD.chain) OR EXISTS (
            SELECT FROM purges p WHERE p.client_id = OLD.chain AND p.made_in = pg_current_xact_id()::text::bigint
                AND p.audit_until >= OLD.number) THEN
            RETURN OLD;
        END IF;
    END IF;
    RAISE EXCEPTION 'the audit log is only written on' USING ERRCODE = 'insufficient_privilege';
END $$;

-- People who were erased, and since when somebody is deactivated. Of those who are deactivated today nobody knows it, so their
-- time begins now.
ALTER TABLE end_users
    ADD COLUMN erased_at TIMESTAMPTZ,
    ADD COLUMN inactive_since TIMESTAMPTZ,
    ADD CONSTRAINT end_users_erased_check CHECK (erased_at IS NULL OR NOT is_active AND num_nonnulls(email, address) = 0);
CREATE INDEX end_users_inactive_since_idx ON end_users (inactive_since) WHERE inactive_since IS NOT NULL AND erased_at IS NULL;

CREATE FUNCTION note_inactivity() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    NEW.inactive_since := CASE WHEN NOT NEW.is_active THEN now() END;
    RETURN NEW;
END $$;
CREATE TRIGGER end_users_inactive_insert BEFORE INSERT ON end_users FOR EACH ROW
    WHEN (NOT NEW.is_active) EXECUTE FUNCTION note_inactivity();
CREATE TRIGGER end_users_inactive_update BEFORE UPDATE ON end_users FOR EACH ROW
    WHEN (OLD.is_active <> NEW.is_active) EXECUTE FUNCTION note_inactivity();

-- Nothing comes back into an erased row.
CREATE FUNCTION refuse_change_of_erased() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the personal data of end user % was erased', OLD.id
        USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER end_users_erased_update BEFORE UPDATE ON end_users FOR EACH ROW
    WHEN (OLD.erased_at IS NOT NULL) EXECUTE FUNCTION refuse_change_of_erased();

-- The entry of an erasure tells that it happened, and not what was erased.
CREATE OR REPLACE FUNCTION audit_rows() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    befores JSONB[];
    afters JSONB[];
    silent TEXT[] := string_to_array(TG_ARGV[2], ' ') || '{erased_at,inactive_since}'::TEXT[];
BEGIN
    IF TG_OP = 'DELETE' AND TG_ARGV[0] <> 'client' AND audit_removes_client() THEN
        RETURN NULL;
    END IF;
    IF TG_OP = 'INSERT' THEN
        SELECT array_agg(NULL::jsonb), array_agg(to_jsonb(came)) INTO befores, afters FROM new_rows AS came;
    ELSIF TG_OP = 'DELETE' THEN
        SELECT array_agg(to_jsonb(went)), array_agg(NULL::jsonb) INTO befores, afters FROM old_rows AS went;
    ELSE
        IF TG_ARGV[0] = 'end_user' THEN
            PERFORM audit_event(audit_author(), 'end_user_erased', came.client_id, 'end_user', came.id,
                                came.name || ' (' || came.username || ')', NULL, '[]')
            FROM new_rows AS came WHERE came.erased_at IS NOT NULL;
        END IF;
        -- No join: how it is done would be decided by the first statement, of one row, and be a loop in a loop for
        -- twenty thousand.
        SELECT array_agg(pair.before), array_agg(pair.after) INTO befores, afters
        FROM (SELECT (array_agg(line.item) FILTER (WHERE line.was))[1] AS before,
                     (array_agg(line.item) FILTER (WHERE NOT line.was))[1] AS after
              FROM (SELECT to_jsonb(went) AS item, true AS was FROM old_rows AS went
                    UNION ALL
                    SELECT to_jsonb(came), false FROM new_rows AS came) AS line
              GROUP BY line.item ->> TG_ARGV[3]) AS pair
        WHERE pair.before - silent IS DISTINCT FROM pair.after - silent AND pair.after ->> 'erased_at' IS NULL;
    END IF;
    PERFORM audit_lines(TG_ARGV[0], befores, afters, string_to_array(TG_ARGV[1], ' '), silent);
    RETURN NULL;
END $$;

-- Silent by now: this is no change of anybody.
UPDATE end_users SET inactive_since = now() WHERE NOT is_active;
