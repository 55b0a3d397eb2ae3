DO $$
DECLARE
    name TEXT;
BEGIN
    FOREACH name IN ARRAY '{round_options,register,votes,round_log}'::TEXT[] LOOP
        EXECUTE format('DROP TRIGGER %1$s_declared_insert ON %1$I', name);
        EXECUTE format('DROP TRIGGER %1$s_declared_update_old ON %1$I', name);
        EXECUTE format('DROP TRIGGER %1$s_declared_update_new ON %1$I', name);
        EXECUTE format('DROP TRIGGER %1$s_declared_delete ON %1$I', name);
    END LOOP;
END $$;
DROP TRIGGER rounds_declared_update ON rounds;
DROP TRIGGER rounds_declared_delete ON rounds;
DROP FUNCTION refuse_rows_of_declared();
DROP FUNCTION refuse_declared_round();
DROP FUNCTION refuse_change_of_declared(UUID);
