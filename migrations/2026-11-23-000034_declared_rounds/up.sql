-- A declared result never changes (decision 60). The product never changes a declared round; these triggers refuse statements
-- of anybody else, too, until they switch the triggers off.
--
-- A declared round is deleted only together with its meeting. Its options, register, votes and log may go when it is gone.

CREATE FUNCTION refuse_change_of_declared(round UUID) RETURNS VOID LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the result of round % is declared and never changes', round
        USING ERRCODE = 'restrict_violation',
              HINT = 'Hold a re-vote. To delete the result, delete its meeting.';
END $$;

CREATE FUNCTION refuse_declared_round() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    IF TG_OP = 'UPDATE' OR EXISTS (SELECT FROM meetings WHERE id = OLD.meeting_id) THEN
        PERFORM refuse_change_of_declared(OLD.id);
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER rounds_declared_update AFTER UPDATE ON rounds
    FOR EACH ROW WHEN (OLD.status = 'DECLARED' AND OLD.* IS DISTINCT FROM NEW.*)
    EXECUTE FUNCTION refuse_declared_round();
-- At the end of the transaction: the meeting goes after its rounds.
CREATE CONSTRAINT TRIGGER rounds_declared_delete AFTER DELETE ON rounds
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (OLD.status = 'DECLARED')
    EXECUTE FUNCTION refuse_declared_round();

-- One look for each statement, at the rounds of the changed rows. A vote's statement finds its one round by key.
CREATE FUNCTION refuse_rows_of_declared() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    declared UUID;
BEGIN
    SELECT rounds.id INTO declared
    FROM (SELECT DISTINCT round_id FROM changed_rows) AS changed
    CROSS JOIN LATERAL (SELECT id FROM rounds WHERE id = changed.round_id AND status = 'DECLARED' OFFSET 0) AS rounds
    LIMIT 1;
    IF FOUND THEN
        PERFORM refuse_change_of_declared(declared);
    END IF;
    RETURN NULL;
END $$;

DO $$
DECLARE
    name TEXT;
BEGIN
    FOREACH name IN ARRAY '{round_options,register,votes,round_log}'::TEXT[] LOOP
        EXECUTE format('CREATE TRIGGER %1$s_declared_insert AFTER INSERT ON %1$I REFERENCING NEW TABLE AS changed_rows
                        FOR EACH STATEMENT EXECUTE FUNCTION refuse_rows_of_declared()', name);
        EXECUTE format('CREATE TRIGGER %1$s_declared_update_old AFTER UPDATE ON %1$I REFERENCING OLD TABLE AS changed_rows
                        FOR EACH STATEMENT EXECUTE FUNCTION refuse_rows_of_declared()', name);
        EXECUTE format('CREATE TRIGGER %1$s_declared_update_new AFTER UPDATE ON %1$I REFERENCING NEW TABLE AS changed_rows
                        FOR EACH STATEMENT EXECUTE FUNCTION refuse_rows_of_declared()', name);
        EXECUTE format('CREATE TRIGGER %1$s_declared_delete AFTER DELETE ON %1$I REFERENCING OLD TABLE AS changed_rows
                        FOR EACH STATEMENT EXECUTE FUNCTION refuse_rows_of_declared()', name);
    END LOOP;
END $$;
