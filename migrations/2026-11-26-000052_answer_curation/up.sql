-- How the presentation shows the answers to a text question (decision 79). It changes no round, vote or record.

-- Without a row, the presentation shows only the number of answers. Answers are named by the hash of their text. A group is its
-- heading and its answers.
CREATE TABLE answer_curations (
    round_id UUID NOT NULL,
    client_id UUID NOT NULL,
    version INTEGER NOT NULL,
    is_shown BOOLEAN NOT NULL,
    picked JSONB NOT NULL,
    groups JSONB NOT NULL,
    hidden JSONB NOT NULL,
    CONSTRAINT answer_curations_pkey PRIMARY KEY (round_id),
    CONSTRAINT answer_curations_client_id_round_id_fkey
        FOREIGN KEY (client_id, round_id) REFERENCES rounds (client_id, id) ON DELETE CASCADE,
    CONSTRAINT answer_curations_version_check CHECK (version > 0)
);
CREATE INDEX answer_curations_client_id_round_id_idx ON answer_curations (client_id, round_id);
SELECT keep_apart('answer_curations', 'client_id = tenant()');

-- The log tells whether answers are shown, the headings, and how many answers are picked, grouped and hidden. It does not repeat
-- the answers.
CREATE FUNCTION audit_answer_curation() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    before answer_curations;
BEGIN
    IF TG_OP = 'UPDATE' THEN
        before := OLD;
    END IF;
    PERFORM audit_event(audit_author(), 'answers_curated', NEW.client_id, 'round', NEW.round_id, round.question_text,
                        round.title, made.changes)
    FROM (SELECT r.question_text, m.title FROM rounds r JOIN meetings m ON m.id = r.meeting_id
          WHERE r.id = NEW.round_id) AS round
    CROSS JOIN LATERAL (
        SELECT coalesce(jsonb_agg(jsonb_build_array(line.field, line.before, line.after)), '[]') AS changes
        FROM (VALUES
            ('answers_shown', coalesce(before.is_shown, false)::text, NEW.is_shown::text),
            ('answer_groups', answer_group_names(before.groups), answer_group_names(NEW.groups)),
            ('grouped_answers', answers_in_groups(before.groups)::text, answers_in_groups(NEW.groups)::text),
            ('picked_answers', coalesce(jsonb_array_length(before.picked), 0)::text, jsonb_array_length(NEW.picked)::text),
            ('hidden_answers', coalesce(jsonb_array_length(before.hidden), 0)::text, jsonb_array_length(NEW.hidden)::text)
        ) AS line (field, before, after)
        WHERE line.before IS DISTINCT FROM line.after) AS made;
    RETURN NULL;
END $$;

CREATE FUNCTION answer_group_names(groups JSONB) RETURNS TEXT LANGUAGE sql IMMUTABLE AS $$
    SELECT string_agg(item.value ->> 0, ', ' ORDER BY item.place)
    FROM jsonb_array_elements(groups) WITH ORDINALITY AS item (value, place)
$$;

CREATE FUNCTION answers_in_groups(groups JSONB) RETURNS BIGINT LANGUAGE sql IMMUTABLE AS $$
    SELECT coalesce(sum(jsonb_array_length(item.value -> 1)), 0)::bigint FROM jsonb_array_elements(groups) AS item
$$;

CREATE TRIGGER answer_curations_audit AFTER INSERT OR UPDATE ON answer_curations FOR EACH ROW
    EXECUTE FUNCTION audit_answer_curation();
