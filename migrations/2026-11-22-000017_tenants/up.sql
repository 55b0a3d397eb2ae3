-- PostgreSQL itself keeps the rows of clients apart (decision 34): whatever a statement asks for, it sees and changes the rows
-- of those on whose behalf its transaction works, as the setting plenum.tenant says: the id of a client, 'all', or nothing.

SET LOCAL lock_timeout = '10s';

-- Usernames are looked for in any case. Behind a policy an index is only used for what cannot tell of the rows that are hidden,
-- and PostgreSQL does not know that lower() never does.
ALTER TABLE end_users ADD COLUMN username_lower TEXT NOT NULL GENERATED ALWAYS AS (lower(username)) STORED;
DROP INDEX end_users_client_id_username_key;
CREATE UNIQUE INDEX end_users_client_id_username_key ON end_users (client_id, username_lower);

-- Gives a table its policy, which binds the owner of the table as well. `own` says which rows are the tenant's; `tenant()`
-- in it stands for the client on whose behalf a transaction works, and is NULL where there is none. Rows that may be written
-- and not read are those of `written`. What does not change within a statement stands in a SELECT of its own, so that it is
-- looked up once for each statement and not for each row.
CREATE FUNCTION keep_apart(kept REGCLASS, own TEXT, written TEXT DEFAULT NULL) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    for_all CONSTANT TEXT := '(SELECT current_setting(''plenum.tenant'', true) = ''all'')';
    tenant CONSTANT TEXT := '(SELECT nullif(nullif(current_setting(''plenum.tenant'', true), ''''), ''all'')::uuid)';
    name TEXT := (SELECT relname FROM pg_class WHERE oid = kept);
    written_rows TEXT := '';
BEGIN
    IF written IS NOT NULL THEN
        written_rows := format(' WITH CHECK (%s OR %s)', for_all, replace(written, 'tenant()', tenant));
    END IF;
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', kept);
    EXECUTE format('CREATE POLICY %I ON %s USING (%s OR %s)%s', name || '_tenant_policy', kept, for_all,
                   replace(own, 'tenant()', tenant), written_rows);
END $$;

SELECT keep_apart('clients', 'id = tenant()');

-- Whoever belongs to no client is seen by those alone who see all.
SELECT keep_apart(name::regclass, 'client_id = tenant()')
FROM unnest(ARRAY['accounts', 'attendance', 'end_user_counts', 'end_users', 'invitations', 'meeting_counts', 'meetings',
                  'options', 'participants', 'questions', 'rehearsals', 'remarks', 'rounds', 'sessions']) AS name;

-- What hangs on something is seen by whoever sees that. One row is looked up by its key for each, which never costs more than
-- they are, however much the client has.
SELECT keep_apart(child::regclass,
                  format('(SELECT %1$I.id FROM %1$I WHERE %1$I.id = %2$I.%3$I) IS NOT NULL', parent, child, key))
FROM (VALUES ('exclusions', 'question_id', 'questions'),
             ('password_resets', 'account_id', 'accounts'),
             ('refresh_tokens', 'session_id', 'sessions'),
             ('register', 'round_id', 'rounds'),
             ('rehearsal_answers', 'rehearsal_id', 'rehearsals'),
             ('round_counters', 'round_id', 'rounds'),
             ('round_log', 'round_id', 'rounds'),
             ('round_options', 'round_id', 'rounds'),
             ('votes', 'round_id', 'rounds')) AS tables (child, key, parent);

-- What super administrators do in a client stands in the platform's chain, too.
SELECT keep_apart('audit_entries', 'chain = tenant()', 'chain = tenant() OR chain = ''00000000-0000-0000-0000-000000000000''');
SELECT keep_apart('audit_heads', 'chain = tenant()');

-- Who acts may belong to no client, and is called by name all the same.
CREATE OR REPLACE FUNCTION audit_person_name(role TEXT, person UUID) RETURNS TEXT LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    tenant CONSTANT TEXT := coalesce(current_setting('plenum.tenant', true), '');
    found TEXT;
BEGIN
    PERFORM set_config('plenum.tenant', 'all', true);
    IF role = 'END_USER' THEN
        found := (SELECT e.name || ' (' || e.username || ')' FROM end_users e WHERE e.id = person);
    ELSE
        found := (SELECT a.first_name || ' ' || a.last_name FROM accounts a WHERE a.id = person);
    END IF;
    PERFORM set_config('plenum.tenant', tenant, true);
    RETURN found;
END $$;
ALTER FUNCTION audit_author() VOLATILE;
