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

DO $$
DECLARE
    telling RECORD;
BEGIN
    FOR telling IN
        SELECT p.oid::regprocedure AS name FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
        WHERE n.nspname = current_schema() AND p.proname LIKE 'audit\_%' AND p.prorettype = 'trigger'::regtype
    LOOP
        EXECUTE format('ALTER FUNCTION %s RESET plenum.tenant', telling.name);
    END LOOP;
END $$;

DROP INDEX end_users_client_id_username_key;
CREATE UNIQUE INDEX end_users_client_id_username_key ON end_users (client_id, lower(username));
ALTER TABLE end_users DROP COLUMN username_lower;
