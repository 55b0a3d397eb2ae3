-- The register of the next opening of a meeting is prepared before it (decision 104), so that an opening writes what changed since
-- and not thousands of entries. The entries stand in the register under the id that the next round gets.
SET LOCAL lock_timeout = '10s';

CREATE TABLE prepared_registers (
    meeting_id UUID NOT NULL,
    client_id UUID NOT NULL,
    -- The id of the next round.
    round_id UUID NOT NULL,
    CONSTRAINT prepared_registers_pkey PRIMARY KEY (meeting_id),
    CONSTRAINT prepared_registers_round_id_key UNIQUE (round_id),
    CONSTRAINT prepared_registers_client_id_meeting_id_fkey
        FOREIGN KEY (client_id, meeting_id) REFERENCES meetings (client_id, id) ON DELETE CASCADE
);
CREATE INDEX prepared_registers_client_id_meeting_id_idx ON prepared_registers (client_id, meeting_id);
SELECT keep_apart('prepared_registers', 'client_id = tenant()');

-- Whoever sees the preparation sees its entries.
DROP POLICY register_tenant_policy ON register;
SELECT keep_apart('register', '(SELECT rounds.id FROM rounds WHERE rounds.id = register.round_id) IS NOT NULL
    OR (SELECT prepared_registers.round_id FROM prepared_registers
        WHERE prepared_registers.round_id = register.round_id) IS NOT NULL');

-- An entry belongs to a round or to a preparation, which stays while the entry is written.
CREATE OR REPLACE FUNCTION require_rounds_of_register() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    round UUID;
BEGIN
    FOR round IN SELECT DISTINCT round_id FROM changed_rows LOOP
        PERFORM FROM rounds WHERE id = round FOR KEY SHARE;
        CONTINUE WHEN FOUND;
        PERFORM FROM prepared_registers WHERE round_id = round FOR KEY SHARE;
        IF NOT FOUND THEN
            RAISE EXCEPTION 'an entry of the register belongs to the round %, which does not exist', round
                USING ERRCODE = 'foreign_key_violation', TABLE = 'register', CONSTRAINT = 'register_round_id_insert';
        END IF;
    END LOOP;
    RETURN NULL;
END $$;

-- A preparation that ends takes its entries along, unless its round has opened and has taken them over. Whose preparation is gone is
-- seen by nobody but those who see all, so the removal sees all.
CREATE FUNCTION remove_prepared_entries() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    tenant CONSTANT TEXT := coalesce(current_setting('plenum.tenant', true), '');
BEGIN
    PERFORM set_config('plenum.tenant', 'all', true);
    IF NOT EXISTS (SELECT FROM rounds WHERE id = OLD.round_id) THEN
        DELETE FROM register WHERE round_id = OLD.round_id;
    END IF;
    PERFORM set_config('plenum.tenant', tenant, true);
    RETURN NULL;
END $$;

CREATE TRIGGER prepared_registers_delete AFTER DELETE ON prepared_registers FOR EACH ROW
    EXECUTE FUNCTION remove_prepared_entries();

-- Only a running meeting opens questions.
CREATE FUNCTION remove_prepared_register() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    DELETE FROM prepared_registers WHERE meeting_id = NEW.id;
    RETURN NULL;
END $$;

CREATE TRIGGER meetings_prepared_register AFTER UPDATE OF status ON meetings FOR EACH ROW
    WHEN (OLD.status = 'ACTIVE' AND NEW.status <> 'ACTIVE') EXECUTE FUNCTION remove_prepared_register();

-- The entries under this id, if the tenant sees its round or preparation. The policy would look that up for each entry, which takes longer
-- than reading them.
CREATE FUNCTION entries_of_register(wanted UUID) RETURNS SETOF register LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    tenant CONSTANT TEXT := coalesce(current_setting('plenum.tenant', true), '');
BEGIN
    IF EXISTS (SELECT FROM rounds WHERE id = wanted)
       OR EXISTS (SELECT FROM prepared_registers WHERE round_id = wanted) THEN
        PERFORM set_config('plenum.tenant', 'all', true);
        RETURN QUERY SELECT * FROM register WHERE round_id = wanted;
        PERFORM set_config('plenum.tenant', tenant, true);
    END IF;
END $$;
