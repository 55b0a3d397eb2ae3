DROP TRIGGER rounds_audit_held ON rounds;
DROP TRIGGER rounds_audit_insert ON rounds;
DROP TRIGGER rounds_audit_update ON rounds;
DROP TRIGGER rounds_audit_delete ON rounds;

CREATE OR REPLACE FUNCTION audit_admissions() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    PERFORM audit_lines('admission', array_agg(NULL::jsonb), array_agg(to_jsonb(came)), '{reason,weight}',
                        '{id,round_id,logged_at,kind,done_by,end_user_id,username,name}')
    FROM new_rows AS came WHERE came.kind = 'ADMITTED';
    RETURN NULL;
END $$;

DO $$
DECLARE
    arguments CONSTANT TEXT := format('audit_rows(%L, %L, %L, %L)', 'round',
        'number status question_text question_type rating_max max_choices opened_at ended_at closes_at register_heads '
        'register_weight decision_rule quorum is_named connected_heads connected_weight reason counted_at declared_at '
        'declared_by',
        'id client_id meeting_id question_id is_test', 'id');
BEGIN
    EXECUTE 'CREATE TRIGGER rounds_audit_insert AFTER INSERT ON rounds REFERENCING NEW TABLE AS new_rows '
            'FOR EACH STATEMENT EXECUTE FUNCTION ' || arguments;
    EXECUTE 'CREATE TRIGGER rounds_audit_update AFTER UPDATE ON rounds REFERENCING OLD TABLE AS old_rows '
            'NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION ' || arguments;
    EXECUTE 'CREATE TRIGGER rounds_audit_delete AFTER DELETE ON rounds REFERENCING OLD TABLE AS old_rows '
            'FOR EACH STATEMENT EXECUTE FUNCTION ' || arguments;
END $$;

DROP FUNCTION audit_held_round();
DROP FUNCTION audit_rounds();
DROP FUNCTION audit_round(JSONB, JSONB);
DROP FUNCTION audit_round_place(JSONB);
DROP FUNCTION audit_hold(JSONB);
DROP FUNCTION audit_held();
