-- An opening of a round with check-in is one entry in the audit log, as any other (decision 50). Check-in added the numbers of the
-- absent people, and their count was taken for the opening of the round that was not open yet: the log had it as opened, and then
-- as reopened.

-- A count of the absent people prepares an opening, as the count of the register does.
CREATE OR REPLACE FUNCTION audit_rounds() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    counts CONSTANT TEXT[] := '{register_heads,register_weight,connected_heads,connected_weight,absent_heads,absent_weight,'
                             'absent_second_weight}';
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
                PERFORM audit_round(CASE jsonb_typeof(held -> place) WHEN 'object' THEN held -> place WHEN 'null' THEN NULL
                                                                     ELSE line.before END, line.after);
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
CREATE OR REPLACE FUNCTION audit_held_round() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
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
    IF held -> place <> 'true' AND (after IS NOT NULL OR TG_OP = 'DELETE') THEN
        PERFORM audit_round(nullif(held -> place, 'null'), after);
    END IF;
    RETURN NULL;
END $$;

-- Whoever is admitted to or excluded from an open round changes its numbers, which is told with that, whether they were counted
-- before it or are counted after it. The mark for that is true in place of a row.
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
        PERFORM audit_hold(audit_held() || (SELECT jsonb_object_agg(id, true) FROM unnest(told) AS changed (id)));
    END IF;
    RETURN NULL;
END $$;
