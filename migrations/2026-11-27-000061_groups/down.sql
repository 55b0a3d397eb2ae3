SET LOCAL lock_timeout = '10s';

CREATE OR REPLACE FUNCTION audit_rows() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    befores JSONB[];
    afters JSONB[];
    silent TEXT[] := string_to_array(TG_ARGV[2], ' ') || '{erased_at,inactive_since}'::TEXT[];
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
        -- No join: how it is done would be decided by the first statement, of one row, and be a loop in a loop for
        -- twenty thousand.
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

CREATE OR REPLACE FUNCTION audit_round(before JSONB, after JSONB) RETURNS VOID LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    shown CONSTANT TEXT[] := string_to_array(
        'number status question_text question_type rating_max max_choices opened_at ended_at closes_at register_heads '
        'register_weight decision_rule quorum secrecy counts_heads connected_heads connected_weight reason counted_at '
        'declared_at declared_by presence record_hash tie_decisions', ' ');
BEGIN
    PERFORM audit_lines('round', ARRAY[before], ARRAY[after], shown, '{id,client_id,meeting_id,question_id,is_test}');
END $$;

DROP TRIGGER meetings_audience_insert ON meetings;
DROP TRIGGER meetings_audience_update ON meetings;
DROP TRIGGER questions_audience_insert ON questions;
DROP TRIGGER questions_audience_update ON questions;
DROP FUNCTION audit_audience();

ALTER TABLE register DROP COLUMN groups;
ALTER TABLE rounds DROP COLUMN group_names, DROP COLUMN rule_groups;
ALTER TABLE questions DROP COLUMN group_ids;
ALTER TABLE meetings DROP COLUMN group_ids;
DROP TABLE group_members, groups;
DROP FUNCTION audit_group_members(), audit_group(), names_of_groups(UUID[]);
