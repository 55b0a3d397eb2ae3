DO $$
DECLARE
    tenant CONSTANT TEXT := coalesce(current_setting('plenum.tenant', true), '');
    is_there BOOLEAN;
BEGIN
    PERFORM set_config('plenum.tenant', 'all', true);
    is_there := EXISTS (SELECT FROM questions
                        WHERE decision_rule @> '{"onTie": "casting_vote"}' OR decision_rule ? 'inEach'
                           OR jsonb_array_length(coalesce(decision_rule -> 'conditions', '[]')) > 2
                           OR decision_rule -> 'conditions' @> '[{"joined": "or"}]'
                           OR jsonb_path_exists(decision_rule, '$.conditions[*].blockingMinority')
                           OR quorum ? 'minimum' OR quorum ? 'secondCall')
                OR EXISTS (SELECT FROM meetings WHERE quorum ? 'minimum' OR quorum ? 'secondCall')
                OR EXISTS (SELECT FROM rounds WHERE casting_vote IS NOT NULL OR quorum ? 'minimum');
    PERFORM set_config('plenum.tenant', tenant, true);
    IF is_there THEN
        RAISE EXCEPTION 'the version before does not know these rules and quorums: change or delete their questions first';
    END IF;
END $$;

DO $$
DECLARE
    known RECORD;
BEGIN
    FOR known IN SELECT tgname, pg_get_triggerdef(oid) AS made FROM pg_trigger
                 WHERE tgrelid = 'meetings'::regclass AND tgname IN ('meetings_audit_insert', 'meetings_audit_update',
                                                                     'meetings_audit_delete') LOOP
        EXECUTE format('DROP TRIGGER %I ON meetings', known.tgname);
        EXECUTE replace(known.made, 'is_second_call counts_surveys_at_end', 'counts_surveys_at_end');
    END LOOP;
    EXECUTE replace(pg_get_functiondef('audit_round(jsonb, jsonb)'::regprocedure), 'tie_decisions casting_vote', 'tie_decisions');
END $$;

ALTER TABLE rounds
    DROP CONSTRAINT rounds_casting_vote_check,
    DROP COLUMN casting_vote;
ALTER TABLE attendance DROP COLUMN is_second_call;
ALTER TABLE meetings DROP COLUMN is_second_call;
