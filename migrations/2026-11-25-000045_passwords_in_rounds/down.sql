DROP TRIGGER round_log_audit_passwords ON round_log;
DROP FUNCTION audit_passwords_in_rounds();

DO $$
DECLARE
    arguments CONSTANT TEXT := format('audit_rows(%L, %L, %L, %L)', 'end_user',
        'username name email address weight is_active',
        'id client_id created_at last_login_at search_text is_test username_lower', 'id');
BEGIN
    DROP TRIGGER end_users_audit_insert ON end_users;
    DROP TRIGGER end_users_audit_update ON end_users;
    DROP TRIGGER end_users_audit_delete ON end_users;
    EXECUTE 'CREATE TRIGGER end_users_audit_insert AFTER INSERT ON end_users REFERENCING NEW TABLE AS new_rows '
            'FOR EACH STATEMENT EXECUTE FUNCTION ' || arguments;
    EXECUTE 'CREATE TRIGGER end_users_audit_update AFTER UPDATE ON end_users REFERENCING OLD TABLE AS old_rows '
            'NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION ' || arguments;
    EXECUTE 'CREATE TRIGGER end_users_audit_delete AFTER DELETE ON end_users REFERENCING OLD TABLE AS old_rows '
            'FOR EACH STATEMENT EXECUTE FUNCTION ' || arguments;
END $$;

ALTER TABLE end_users DROP COLUMN password_set_at, DROP COLUMN password_set_by;

-- The version before has no words for these entries, also where the result is declared. Its record keeps them.
ALTER TABLE round_log DISABLE TRIGGER USER;
DELETE FROM round_log WHERE kind IN ('JOINED', 'PASSWORD_SET');
ALTER TABLE round_log ENABLE TRIGGER USER;
ALTER TABLE round_log
    DROP COLUMN position,
    DROP CONSTRAINT round_log_kind_check,
    DROP CONSTRAINT round_log_person_check,
    ADD CONSTRAINT round_log_kind_check
        CHECK (kind IN ('OPENED', 'ENDED', 'REOPENED', 'COUNTED', 'DECLARED', 'ADMITTED', 'EXCLUDED')),
    ADD CONSTRAINT round_log_person_check
        CHECK (num_nonnulls(end_user_id, username, name, weight) = CASE WHEN kind IN ('ADMITTED', 'EXCLUDED') THEN 4 ELSE 0 END);
