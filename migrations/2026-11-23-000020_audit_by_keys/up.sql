-- What an entry of the audit log names is looked up by its key, for each entry. As joins these conditions could use no index,
-- because a policy comes before whatever might tell of a row, and PostgreSQL does not know that reading a field of JSON never
-- does: twenty thousand people who were imported at once were each compared with all of them.
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
    FROM (SELECT pair.before, pair.after, pair.item,
                 CASE WHEN subject IN ('participant', 'invitation', 'exclusion')
                      THEN (pair.item ->> 'end_user_id')::uuid END AS person_id,
                 CASE WHEN subject IN ('exclusion', 'round') THEN (pair.item ->> 'question_id')::uuid END AS question_id,
                 CASE WHEN subject = 'admission' THEN (pair.item ->> 'round_id')::uuid END AS round_id,
                 (pair.item ->> 'meeting_id')::uuid AS meeting_id,
                 (pair.item ->> CASE WHEN subject = 'client' THEN 'id' ELSE 'client_id' END)::uuid AS client_id
          FROM (SELECT given.before, given.after, coalesce(given.after, given.before) AS item
                FROM unnest(befores, afters) AS given (before, after)) AS pair
          OFFSET 0) AS line
    CROSS JOIN LATERAL (
        SELECT coalesce(jsonb_agg(
            CASE WHEN field = ANY (shown) THEN jsonb_build_array(field, line.before ->> field, line.after ->> field)
                 ELSE jsonb_build_array(field, NULL, NULL) END
            ORDER BY field COLLATE "C"), '[]') AS changes
        FROM jsonb_object_keys(line.item) AS field
        WHERE field <> ALL (silent) AND (line.before ->> field) IS DISTINCT FROM (line.after ->> field)) AS made
    LEFT JOIN LATERAL (SELECT e.* FROM end_users e WHERE e.id = line.person_id OFFSET 0) AS person ON true
    LEFT JOIN LATERAL (SELECT q.* FROM questions q WHERE q.id = line.question_id OFFSET 0) AS question ON true
    LEFT JOIN LATERAL (SELECT r.* FROM rounds r WHERE r.id = line.round_id OFFSET 0) AS round ON true
    CROSS JOIN LATERAL (
        SELECT coalesce(question.meeting_id, round.meeting_id, line.meeting_id) AS meeting_id,
               coalesce(question.client_id, round.client_id, line.client_id) AS client_id OFFSET 0) AS belongs_to
    LEFT JOIN LATERAL (SELECT m.* FROM meetings m WHERE m.id = belongs_to.meeting_id OFFSET 0) AS meeting ON true
    LEFT JOIN LATERAL (SELECT c.* FROM clients c WHERE c.id = belongs_to.client_id OFFSET 0) AS client ON true
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
