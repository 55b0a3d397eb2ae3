DROP FUNCTION entries_of_register(UUID);
DROP TRIGGER meetings_prepared_register ON meetings;
DROP FUNCTION remove_prepared_register();
-- With the entries.
DELETE FROM prepared_registers;
DROP POLICY register_tenant_policy ON register;
DROP TABLE prepared_registers;
DROP FUNCTION remove_prepared_entries();
SELECT keep_apart('register', '(SELECT rounds.id FROM rounds WHERE rounds.id = register.round_id) IS NOT NULL');

CREATE OR REPLACE FUNCTION require_rounds_of_register() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    round UUID;
BEGIN
    FOR round IN SELECT DISTINCT round_id FROM changed_rows LOOP
        PERFORM FROM rounds WHERE id = round FOR KEY SHARE;
        IF NOT FOUND THEN
            RAISE EXCEPTION 'an entry of the register belongs to the round %, which does not exist', round
                USING ERRCODE = 'foreign_key_violation', TABLE = 'register', CONSTRAINT = 'register_round_id_insert';
        END IF;
    END LOOP;
    RETURN NULL;
END $$;
