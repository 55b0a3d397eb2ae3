-- Kinds of voting weight beside the ordinary one, and which of them a meeting or a question counts by (decision 92).
SET LOCAL lock_timeout = '10s';

CREATE TABLE weight_kinds (
    id UUID NOT NULL,
    client_id UUID NOT NULL,
    name TEXT NOT NULL,
    unit TEXT,
    decimals SMALLINT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    CONSTRAINT weight_kinds_pkey PRIMARY KEY (id),
    CONSTRAINT weight_kinds_client_id_id_key UNIQUE (client_id, id),
    CONSTRAINT weight_kinds_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients (id) ON DELETE CASCADE,
    CONSTRAINT weight_kinds_decimals_check CHECK (decimals BETWEEN 0 AND 6)
);
CREATE UNIQUE INDEX weight_kinds_client_id_name_key ON weight_kinds (client_id, lower(name));
SELECT keep_apart('weight_kinds', 'client_id = tenant()');

-- A person's value of each kind, by the kind's id and as a text, which is exact: {"…": "250.5"}. Without one it is 0. They are a
-- column of the person, so that an opening reads them without a look at another table.
ALTER TABLE end_users
    ADD COLUMN weights JSONB NOT NULL DEFAULT '{}',
    ADD CONSTRAINT end_users_weights_check CHECK (jsonb_typeof(weights) = 'object');

-- NULL: the ordinary weight of a meeting, and the meeting's weight of a question.
ALTER TABLE meetings
    ADD COLUMN weight_kind_id UUID,
    ADD CONSTRAINT meetings_client_id_weight_kind_id_fkey
        FOREIGN KEY (client_id, weight_kind_id) REFERENCES weight_kinds (client_id, id);
CREATE INDEX meetings_client_id_weight_kind_id_idx ON meetings (client_id, weight_kind_id);
ALTER TABLE questions
    ADD COLUMN weight_kind_id UUID,
    -- The second weight, for rules that ask for one. NULL: none.
    ADD COLUMN second_weight_kind_id UUID,
    ADD CONSTRAINT questions_client_id_weight_kind_id_fkey
        FOREIGN KEY (client_id, weight_kind_id) REFERENCES weight_kinds (client_id, id),
    ADD CONSTRAINT questions_client_id_second_weight_kind_id_fkey
        FOREIGN KEY (client_id, second_weight_kind_id) REFERENCES weight_kinds (client_id, id);
CREATE INDEX questions_client_id_weight_kind_id_idx ON questions (client_id, weight_kind_id);
CREATE INDEX questions_client_id_second_weight_kind_id_idx ON questions (client_id, second_weight_kind_id);

-- A round keeps its kinds as they were at opening: {"id": …, "name": …, "unit": …, "decimals": …}. NULL: the ordinary weight, and
-- no second one.
ALTER TABLE rounds
    ADD COLUMN weight_kind JSONB,
    ADD COLUMN second_weight_kind JSONB,
    -- The second weight of the people who could vote and are not in the register, because they were not checked in.
    ADD COLUMN absent_second_weight NUMERIC NOT NULL DEFAULT 0,
    ADD CONSTRAINT rounds_weight_kind_check CHECK (jsonb_typeof(weight_kind) = 'object'),
    ADD CONSTRAINT rounds_second_weight_kind_check CHECK (jsonb_typeof(second_weight_kind) = 'object'),
    ALTER COLUMN register_weight TYPE NUMERIC,
    ALTER COLUMN connected_weight TYPE NUMERIC;
ALTER TABLE register
    ADD COLUMN second_weight NUMERIC,
    ALTER COLUMN weight TYPE NUMERIC,
    DROP CONSTRAINT register_weight_check,
    ADD CONSTRAINT register_weight_check CHECK (weight >= 0 AND weight < 1000000000000000000 AND scale(weight) <= 6),
    ADD CONSTRAINT register_second_weight_check
        CHECK (second_weight >= 0 AND second_weight < 1000000000000000000 AND scale(second_weight) <= 6);
ALTER TABLE round_log ALTER COLUMN weight TYPE NUMERIC;
ALTER TABLE attendance ALTER COLUMN present_weight TYPE NUMERIC, ALTER COLUMN eligible_weight TYPE NUMERIC;

CREATE FUNCTION audit_weight_kind() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    before weight_kinds;
    after weight_kinds;
    known weight_kinds;
BEGIN
    IF TG_OP = 'DELETE' AND audit_removes_client() THEN
        RETURN NULL;
    END IF;
    IF TG_OP <> 'INSERT' THEN
        before := OLD;
        known := OLD;
    END IF;
    IF TG_OP <> 'DELETE' THEN
        after := NEW;
        known := NEW;
    END IF;
    PERFORM audit_event(audit_author(), 'weight_kind_' || CASE TG_OP WHEN 'INSERT' THEN 'created' WHEN 'UPDATE' THEN 'changed'
                                                                    ELSE 'deleted' END,
                        known.client_id, 'weight_kind', known.id, known.name, NULL, coalesce(made.changes, '[]'))
    FROM (SELECT jsonb_agg(jsonb_build_array(line.field, line.before, line.after)) AS changes
          FROM (VALUES ('name', before.name, after.name), ('unit', before.unit, after.unit),
                       ('decimals', before.decimals::text, after.decimals::text)) AS line (field, before, after)
          WHERE line.before IS DISTINCT FROM line.after) AS made;
    RETURN NULL;
END $$;
CREATE TRIGGER weight_kinds_audit AFTER INSERT OR DELETE ON weight_kinds FOR EACH ROW EXECUTE FUNCTION audit_weight_kind();
CREATE TRIGGER weight_kinds_audit_update AFTER UPDATE ON weight_kinds FOR EACH ROW
    WHEN (OLD IS DISTINCT FROM NEW) EXECUTE FUNCTION audit_weight_kind();

-- A row with the names of kinds of weight in place of their ids. A person's value of a kind that is gone is left out.
CREATE FUNCTION audit_item(item JSONB) RETURNS JSONB LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
    SELECT CASE
        WHEN item ? 'weights' THEN item - 'weights' || coalesce(
            (SELECT jsonb_object_agg('weight: ' || k.name, item -> 'weights' -> k.id::text) FROM weight_kinds k
             WHERE k.client_id = (item ->> 'client_id')::uuid AND item -> 'weights' ? k.id::text), '{}')
        WHEN item ? 'weight_kind_id' THEN item - 'weight_kind_id' - 'second_weight_kind_id' || jsonb_build_object(
            'weight_kind', (SELECT k.name FROM weight_kinds k WHERE k.id = (item ->> 'weight_kind_id')::uuid),
            'second_weight_kind', (SELECT k.name FROM weight_kinds k WHERE k.id = (item ->> 'second_weight_kind_id')::uuid))
        ELSE item END
$$;

CREATE OR REPLACE FUNCTION audit_rows() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    befores JSONB[];
    afters JSONB[];
    shown TEXT[] := string_to_array(TG_ARGV[1], ' ') || '{weight_kind,second_weight_kind}'::TEXT[];
    silent TEXT[] := string_to_array(TG_ARGV[2], ' ') || '{erased_at,inactive_since,group_ids}'::TEXT[];
BEGIN
    IF TG_OP = 'DELETE' AND TG_ARGV[0] <> 'client' AND audit_removes_client() THEN
        RETURN NULL;
    END IF;
    IF TG_OP = 'INSERT' THEN
        SELECT array_agg(NULL::jsonb), array_agg(audit_item(to_jsonb(came))) INTO befores, afters FROM new_rows AS came;
    ELSIF TG_OP = 'DELETE' THEN
        SELECT array_agg(audit_item(to_jsonb(went))), array_agg(NULL::jsonb) INTO befores, afters FROM old_rows AS went;
    ELSE
        IF TG_ARGV[0] = 'end_user' THEN
            PERFORM audit_event(audit_author(), 'end_user_erased', came.client_id, 'end_user', came.id,
                                came.name || ' (' || came.username || ')', NULL, '[]')
            FROM new_rows AS came WHERE came.erased_at IS NOT NULL;
        END IF;
        -- No join: how it is done would be decided by the first statement, of one row, and be a loop in a loop for
        -- twenty thousand.
        SELECT array_agg(pair.before), array_agg(pair.after) INTO befores, afters
        FROM (SELECT (array_agg(line.item) FILTER (WHERE line.was))[1] AS before,
                     (array_agg(line.item) FILTER (WHERE NOT line.was))[1] AS after
              FROM (SELECT audit_item(to_jsonb(went)) AS item, true AS was FROM old_rows AS went
                    UNION ALL
                    SELECT audit_item(to_jsonb(came)), false FROM new_rows AS came) AS line
              GROUP BY line.item ->> TG_ARGV[3]) AS pair
        WHERE pair.before - silent IS DISTINCT FROM pair.after - silent AND pair.after ->> 'erased_at' IS NULL;
    END IF;
    IF TG_ARGV[0] = 'end_user' AND befores IS NOT NULL THEN
        shown := shown || ARRAY(SELECT 'weight: ' || k.name FROM weight_kinds k
                                WHERE k.client_id = (coalesce(befores[1], afters[1]) ->> 'client_id')::uuid);
    END IF;
    PERFORM audit_lines(TG_ARGV[0], befores, afters, shown, silent);
    RETURN NULL;
END $$;

-- A round's kinds are told by their names.
CREATE FUNCTION audit_round_item(item JSONB) RETURNS JSONB LANGUAGE sql IMMUTABLE AS $$
    SELECT item || jsonb_build_object('weight_kind', item -> 'weight_kind' -> 'name',
                                      'second_weight_kind', item -> 'second_weight_kind' -> 'name')
$$;
DO $$
DECLARE
    made CONSTANT TEXT := pg_get_functiondef('audit_round(jsonb, jsonb)'::regprocedure);
BEGIN
    EXECUTE replace(replace(made, 'ARRAY[before], ARRAY[after]', 'ARRAY[audit_round_item(before)], ARRAY[audit_round_item(after)]'),
                    'tie_decisions', 'weight_kind second_weight_kind absent_second_weight tie_decisions');
END $$;
