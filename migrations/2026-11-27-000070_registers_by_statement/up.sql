-- An opening writes thousands of entries of one round in one statement. A foreign key asks for that round once for each entry, and
-- locks it each time: 40 of the 140 ms of an opening for 10,000 people. So the rules of the key stand here, once for each statement
-- (decision 97). An entry belongs to a round that exists, stays while the entry is written, and takes its register along.
SET LOCAL lock_timeout = '10s';

ALTER TABLE register DROP CONSTRAINT register_round_id_fkey;

CREATE FUNCTION require_rounds_of_register() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
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

CREATE TRIGGER register_round_id_insert AFTER INSERT ON register REFERENCING NEW TABLE AS changed_rows
    FOR EACH STATEMENT EXECUTE FUNCTION require_rounds_of_register();
CREATE TRIGGER register_round_id_update AFTER UPDATE ON register REFERENCING NEW TABLE AS changed_rows
    FOR EACH STATEMENT EXECUTE FUNCTION require_rounds_of_register();

-- Whose round is gone is seen by nobody but those who see all, so the removal sees all.
CREATE FUNCTION remove_register() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    tenant CONSTANT TEXT := coalesce(current_setting('plenum.tenant', true), '');
BEGIN
    PERFORM set_config('plenum.tenant', 'all', true);
    DELETE FROM register WHERE round_id = OLD.id;
    PERFORM set_config('plenum.tenant', tenant, true);
    RETURN NULL;
END $$;

CREATE TRIGGER rounds_register_delete AFTER DELETE ON rounds FOR EACH ROW EXECUTE FUNCTION remove_register();

-- A round keeps its id.
CREATE FUNCTION refuse_new_id_of_round() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    RAISE EXCEPTION 'the round % keeps its id', OLD.id USING ERRCODE = 'foreign_key_violation', TABLE = 'rounds',
        CONSTRAINT = 'rounds_id_update';
END $$;

CREATE TRIGGER rounds_id_update BEFORE UPDATE OF id ON rounds FOR EACH ROW WHEN (OLD.id <> NEW.id)
    EXECUTE FUNCTION refuse_new_id_of_round();
