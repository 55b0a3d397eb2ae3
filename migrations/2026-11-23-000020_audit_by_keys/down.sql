CREATE OR REPLACE FUNCTION audit_lines(subject TEXT, befores JSONB[], afters JSONB[], shown TEXT[], silent TEXT[])
RETURNS VOID LANGUAGE plpgsql AS $$
DECLARE
    author audit_author;
BEGIN
    IF coalesce(cardinality(befores), 0) = 0 THEN
        RETURN;
    END IF;
    author := audit_author();
    INSERT INTO audit_entries (chain, kind, by_role, by_id, by_name, from_address, subject_kind, subject_id, subject_name,
                               meeting_title, changes)
    SELECT chains.id, audit_kind(subject, line.before, line.after), author.by_role, author.by_id, author.by_name,
           author.from_address, subject,
           (CASE WHEN subject IN ('participant', 'invitation', 'exclusion', 'admission') THEN line.item ->> 'end_user_id'
                 ELSE line.item ->> 'id' END)::uuid,
           CASE WHEN subject = 'account' THEN (line.item ->> 'first_name') || ' ' || (line.item ->> 'last_name')
                WHEN subject IN ('end_user', 'admission')
                    THEN (line.item ->> 'name') || ' (' || (line.item ->> 'username') || ')'
                WHEN subject IN ('participant', 'invitation', 'exclusion')
                    THEN person.name || ' (' || person.username || ')'
                ELSE coalesce(line.item ->> 'title', line.item ->> 'question_text', line.item ->> 'name') END,
           meeting.title,
           CASE WHEN subject IN ('exclusion', 'admission')
                    THEN jsonb_build_array(jsonb_build_array('question', NULL, coalesce(question.question_text, round.question_text)))
                ELSE '[]' END || made.changes
    FROM (SELECT pair.before, pair.after, coalesce(pair.after, pair.before) AS item
          FROM unnest(befores, afters) AS pair (before, after)) AS line
    CROSS JOIN LATERAL (
        SELECT coalesce(jsonb_agg(
            CASE WHEN field = ANY (shown) THEN jsonb_build_array(field, line.before ->> field, line.after ->> field)
                 ELSE jsonb_build_array(field, NULL, NULL) END
            ORDER BY field COLLATE "C"), '[]') AS changes
        FROM jsonb_object_keys(line.item) AS field
        WHERE field <> ALL (silent) AND (line.before ->> field) IS DISTINCT FROM (line.after ->> field)) AS made
    LEFT JOIN end_users person ON subject IN ('participant', 'invitation', 'exclusion')
        AND person.id = (line.item ->> 'end_user_id')::uuid
    LEFT JOIN questions question ON subject IN ('exclusion', 'round') AND question.id = (line.item ->> 'question_id')::uuid
    LEFT JOIN rounds round ON subject = 'admission' AND round.id = (line.item ->> 'round_id')::uuid
    LEFT JOIN meetings meeting
        ON meeting.id = coalesce(question.meeting_id, round.meeting_id, (line.item ->> 'meeting_id')::uuid)
    LEFT JOIN clients client ON client.id = CASE WHEN subject = 'client' THEN (line.item ->> 'id')::uuid
        ELSE coalesce(question.client_id, round.client_id, (line.item ->> 'client_id')::uuid) END
    CROSS JOIN LATERAL audit_chains(client.id, author.by_role, subject) AS chains (id)
    -- Of what goes along with something else that tells.
    WHERE line.after IS NOT NULL
        OR CASE WHEN subject = 'client' THEN true
                WHEN subject = 'account' THEN line.item ->> 'client_id' IS NULL OR client.id IS NOT NULL
                WHEN subject IN ('end_user', 'meeting') THEN client.id IS NOT NULL
                WHEN subject = 'participant' THEN person.id IS NOT NULL AND meeting.id IS NOT NULL
                WHEN subject = 'exclusion' THEN person.id IS NOT NULL AND question.id IS NOT NULL
                WHEN subject = 'round' THEN question.id IS NOT NULL
                ELSE meeting.id IS NOT NULL END;
END $$;
