-- The role plenum_tenant stays: another database of the server may use it.
DO $$
DECLARE
    kept RECORD;
BEGIN
    FOR kept IN
        SELECT p.polname AS policy, p.polrelid::regclass AS name
        FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = current_schema() AND p.polname = c.relname || '_tenant_policy'
    LOOP
        EXECUTE format('DROP POLICY %I ON %s', kept.policy, kept.name);
        EXECUTE format('ALTER TABLE %s DISABLE ROW LEVEL SECURITY, NO FORCE ROW LEVEL SECURITY', kept.name);
    END LOOP;
END $$;
DROP FUNCTION keep_apart(REGCLASS, TEXT, TEXT);

CREATE OR REPLACE FUNCTION audit_person_name(role TEXT, person UUID) RETURNS TEXT LANGUAGE plpgsql STABLE AS $$
BEGIN
    IF role = 'END_USER' THEN
        RETURN (SELECT e.name || ' (' || e.username || ')' FROM end_users e WHERE e.id = person);
    END IF;
    RETURN (SELECT a.first_name || ' ' || a.last_name FROM accounts a WHERE a.id = person);
END $$;
ALTER FUNCTION audit_author() STABLE;

DROP INDEX end_users_client_id_username_key;
CREATE UNIQUE INDEX end_users_client_id_username_key ON end_users (client_id, lower(username));
ALTER TABLE end_users DROP COLUMN username_lower;
