-- One entry in the audit log for each thing that is done with a round, in the order in which it was done (decision 50).
--
-- A round is opened in several statements: it is made without being open, its register is filled and counted, the round
-- before it is ended, and then it is open. What only prepares is held until the statement comes for which it was done, and
-- is told with that. What is left at the end of the transaction is told by itself: nothing goes untold.

-- What is held in this transaction: the row as it was, by the id of the round (null for one that is new), or of a round that
-- is gone by its question and number.
CREATE FUNCTION audit_held() RETURNS JSONB LANGUAGE sql VOLATILE AS $$
    SELECT coalesce(nullif(current_setting('plenum.held_rounds', true), '')::jsonb, '{}')
$$;

CREATE FUNCTION audit_hold(held JSONB) RETURNS VOID LANGUAGE sql VOLATILE AS $$
    SELECT set_config('plenum.held_rounds', held::text, true)
$$;

CREATE FUNCTION audit_round_place(round JSONB) RETURNS TEXT LANGUAGE sql IMMUTABLE AS $$
    SELECT round ->> 'question_id' || '/' || (round ->> 'number')
$$;

-- Tells of one round, with the fields of the log of changes.
CREATE FUNCTION audit_round(before JSONB, after JSONB) RETURNS VOID LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    shown CONSTANT TEXT[] := string_to_array(
        'number status question_text question_type rating_max max_choices opened_at ended_at closes_at register_heads '
        'register_weight decision_rule quorum is_named connected_heads connected_weight reason counted_at declared_at '
        'declared_by', ' ');
BEGIN
    PERFORM audit_lines('round', ARRAY[before], ARRAY[after], shown, '{id,client_id,meeting_id,question_id,is_test}');
END $$;

CREATE FUNCTION audit_rounds() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    counts CONSTANT TEXT[] := '{register_heads,register_weight,connected_heads,connected_weight}';
    silent CONSTANT TEXT[] := '{id,client_id,meeting_id,question_id,is_test}';
    held JSONB;
    first JSONB;
    place TEXT;
    line RECORD;
BEGIN
    IF TG_OP = 'DELETE' AND audit_removes_client() THEN
        RETURN NULL;
    END IF;
    held := audit_held();
    IF TG_OP = 'INSERT' THEN
        FOR line IN SELECT to_jsonb(came) AS after FROM new_rows AS came LOOP
            place := audit_round_place(line.after);
            first := nullif(held -> place, 'null');
            held := held - place;
            IF line.after ->> 'status' = 'ENDED' AND line.after ->> 'ended_at' = line.after ->> 'opened_at' THEN
                held := held || jsonb_build_object(line.after ->> 'id', first);
            ELSE
                PERFORM audit_round(first, line.after);
            END IF;
        END LOOP;
    ELSIF TG_OP = 'UPDATE' THEN
        FOR line IN SELECT to_jsonb(went) AS before, to_jsonb(came) AS after
                    FROM old_rows AS went JOIN new_rows AS came USING (id) ORDER BY id LOOP
            CONTINUE WHEN line.before - silent IS NOT DISTINCT FROM line.after - silent;
            place := line.after ->> 'id';
            IF line.before - counts = line.after - counts THEN
                IF NOT held ? place THEN
                    held := held || jsonb_build_object(place, line.before);
                END IF;
            ELSE
                PERFORM audit_round(CASE WHEN held ? place THEN nullif(held -> place, 'null') ELSE line.before END, line.after);
                held := held - place;
            END IF;
        END LOOP;
    ELSE
        FOR line IN SELECT to_jsonb(went) AS before FROM old_rows AS went
                    WHERE EXISTS (SELECT FROM questions q WHERE q.id = went.question_id) LOOP
            held := (held - (line.before ->> 'id')) || jsonb_build_object(audit_round_place(line.before), line.before);
        END LOOP;
    END IF;
    PERFORM audit_hold(held);
    RETURN NULL;
END $$;

-- At the end of the transaction: tells what nothing else told.
CREATE FUNCTION audit_held_round() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    held JSONB := audit_held();
    place TEXT;
    after JSONB;
BEGIN
    IF TG_OP = 'DELETE' THEN
        place := audit_round_place(to_jsonb(OLD));
    ELSE
        place := NEW.id::text;
        after := (SELECT to_jsonb(r) FROM rounds r WHERE r.id = NEW.id);
    END IF;
    IF NOT held ? place THEN
        RETURN NULL;
    END IF;
    PERFORM audit_hold(held - place);
    IF after IS NOT NULL OR TG_OP = 'DELETE' THEN
        PERFORM audit_round(nullif(held -> place, 'null'), after);
    END IF;
    RETURN NULL;
END $$;

-- Admissions are told from the log of the rounds, where nothing else tells of them. Whoever is admitted to or excluded from
-- an open round changes its numbers, which is told with that.
CREATE OR REPLACE FUNCTION audit_admissions() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    told TEXT[];
BEGIN
    PERFORM audit_lines('admission', array_agg(NULL::jsonb), array_agg(to_jsonb(came)), '{reason,weight}',
                        '{id,round_id,logged_at,kind,done_by,end_user_id,username,name}')
    FROM new_rows AS came WHERE came.kind = 'ADMITTED';
    SELECT array_agg(r.id::text) INTO told
    FROM rounds r WHERE r.status = 'OPEN'
        AND r.id IN (SELECT came.round_id FROM new_rows AS came WHERE came.kind IN ('ADMITTED', 'EXCLUDED'));
    IF told IS NOT NULL THEN
        PERFORM audit_hold(audit_held() - told);
    END IF;
    RETURN NULL;
END $$;

DROP TRIGGER rounds_audit_insert ON rounds;
DROP TRIGGER rounds_audit_update ON rounds;
DROP TRIGGER rounds_audit_delete ON rounds;
CREATE TRIGGER rounds_audit_insert AFTER INSERT ON rounds REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION audit_rounds();
CREATE TRIGGER rounds_audit_update AFTER UPDATE ON rounds REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION audit_rounds();
CREATE TRIGGER rounds_audit_delete AFTER DELETE ON rounds REFERENCING OLD TABLE AS old_rows
    FOR EACH STATEMENT EXECUTE FUNCTION audit_rounds();
CREATE CONSTRAINT TRIGGER rounds_audit_held AFTER INSERT OR UPDATE OR DELETE ON rounds
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit_held_round();
