DO $$
DECLARE
    made CONSTANT TEXT := pg_get_functiondef('audit_round(jsonb, jsonb)'::regprocedure);
BEGIN
    EXECUTE replace(replace(made, 'ARRAY[audit_round_item(before)], ARRAY[audit_round_item(after)]', 'ARRAY[before], ARRAY[after]'),
                    'weight_kind second_weight_kind absent_second_weight tie_decisions', 'tie_decisions');
END $$;
DROP FUNCTION audit_round_item(JSONB);
CREATE OR REPLACE FUNCTION audit_rows() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    befores JSONB[];
    afters JSONB[];
    silent TEXT[] := string_to_array(TG_ARGV[2], ' ') || '{erased_at,inactive_since,group_ids}'::TEXT[];
BEGIN
    IF TG_OP = 'DELETE' AND TG_ARGV[0] <> 'client' AND audit_removes_client() THEN
        RETURN NULL;
    END IF;
    IF TG_OP = 'INSERT' THEN
        SELECT array_agg(NULL::jsonb), array_agg(to_jsonb(came)) INTO befores, afters FROM new_rows AS came;
    ELSIF TG_OP = 'DELETE' THEN
        SELECT array_agg(to_jsonb(went)), array_agg(NULL::jsonb) INTO befores, afters FROM old_rows AS went;
    ELSE
        IF TG_ARGV[0] = 'end_user' THEN
            PERFORM audit_event(audit_author(), 'end_user_erased', came.client_id, 'end_user', came.id,
                                came.name || ' (' || came.username || ')', NULL, '[]')
            FROM new_rows AS came WHERE came.erased_at IS NOT NULL;
        END IF;
        SELECT array_agg(pair.before), array_agg(pair.after) INTO befores, afters
        FROM (SELECT (array_agg(line.item) FILTER (WHERE line.was))[1] AS before,
                     (array_agg(line.item) FILTER (WHERE NOT line.was))[1] AS after
              FROM (SELECT to_jsonb(went) AS item, true AS was FROM old_rows AS went
                    UNION ALL
                    SELECT to_jsonb(came), false FROM new_rows AS came) AS line
              GROUP BY line.item ->> TG_ARGV[3]) AS pair
        WHERE pair.before - silent IS DISTINCT FROM pair.after - silent AND pair.after ->> 'erased_at' IS NULL;
    END IF;
    PERFORM audit_lines(TG_ARGV[0], befores, afters, string_to_array(TG_ARGV[1], ' '), silent);
    RETURN NULL;
END $$;
DROP FUNCTION audit_item(JSONB);
ALTER TABLE attendance ALTER COLUMN present_weight TYPE NUMERIC(18, 4), ALTER COLUMN eligible_weight TYPE NUMERIC(18, 4);
ALTER TABLE round_log ALTER COLUMN weight TYPE NUMERIC(9, 4);
ALTER TABLE register
    DROP COLUMN second_weight,
    DROP CONSTRAINT register_weight_check,
    ALTER COLUMN weight TYPE NUMERIC(9, 4),
    ADD CONSTRAINT register_weight_check CHECK (weight BETWEEN 0 AND 100);
ALTER TABLE rounds
    DROP COLUMN absent_second_weight,
    DROP COLUMN second_weight_kind,
    DROP COLUMN weight_kind,
    ALTER COLUMN register_weight TYPE NUMERIC(18, 4),
    ALTER COLUMN connected_weight TYPE NUMERIC(18, 4);
ALTER TABLE questions DROP COLUMN second_weight_kind_id, DROP COLUMN weight_kind_id;
ALTER TABLE meetings DROP COLUMN weight_kind_id;
ALTER TABLE end_users DROP COLUMN weights;
DROP TABLE weight_kinds;
DROP FUNCTION audit_weight_kind();
