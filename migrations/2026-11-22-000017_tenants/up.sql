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

SELECT keep_apart(name::regclass, 'chain = tenant()') FROM unnest(ARRAY['audit_entries', 'audit_heads']) AS name;

-- The triggers of the audit log look up the names of whoever acts, who may be a super administrator, and write into the
-- platform's chain as well: within them all is seen.
DO $$
DECLARE
    telling RECORD;
BEGIN
    FOR telling IN
        SELECT p.oid::regprocedure AS name FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
        WHERE n.nspname = current_schema() AND p.proname LIKE 'audit\_%' AND p.prorettype = 'trigger'::regtype
    LOOP
        EXECUTE format('ALTER FUNCTION %s SET plenum.tenant = ''all''', telling.name);
    END LOOP;
END $$;
