DO $$
DECLARE
    audited RECORD;
BEGIN
    FOR audited IN
        SELECT t.tgname, t.tgrelid::regclass AS of_table FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
        WHERE c.relnamespace = current_schema()::regnamespace AND NOT t.tgisinternal AND t.tgname LIKE '%\_audit\_%'
    LOOP
        EXECUTE format('DROP TRIGGER %I ON %s', audited.tgname, audited.of_table);
    END LOOP;
END $$;

DROP TABLE audit_entries;
DROP TABLE audit_heads;
DROP FUNCTION audit_forget_client;
DROP FUNCTION audit_keep;
DROP FUNCTION audit_keep_head;
DROP FUNCTION audit_is_removed;
DROP FUNCTION audit_sign_in;
DROP FUNCTION audit_sign_out;
DROP FUNCTION audit_votes;
DROP FUNCTION audit_options;
DROP FUNCTION audit_options_of;
DROP FUNCTION audit_invitations;
DROP FUNCTION audit_admissions;
DROP FUNCTION audit_rows;
DROP FUNCTION audit_removes_client;
DROP FUNCTION audit_lines;
DROP FUNCTION audit_kind;
DROP FUNCTION audit_event;
DROP FUNCTION audit_chains;
DROP FUNCTION audit_author;
DROP FUNCTION audit_person_name;
DROP TYPE audit_author;
