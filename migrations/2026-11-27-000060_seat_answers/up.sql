-- Whether the elected accept, and who has the seats then (decision 90). The declared result and its record never change: the
-- answers stand beside them, and are only added to.
SET LOCAL lock_timeout = '10s';

CREATE TABLE seat_answers (
    round_id UUID NOT NULL,
    -- From 1, in the order in which they were noted.
    number INTEGER NOT NULL,
    client_id UUID NOT NULL,
    -- The number of the candidate on the ballot.
    candidate INTEGER NOT NULL,
    answer TEXT NOT NULL,
    noted_at TIMESTAMPTZ NOT NULL,
    noted_by TEXT NOT NULL,
    -- Whether a next ballot was on the agenda, so that nobody moved up.
    is_continued BOOLEAN NOT NULL,
    -- The numbers of those who had a seat before and have one from then on, the lots that decided who moved up, and those who
    -- are equal for a seat.
    before JSONB NOT NULL,
    seated JSONB NOT NULL,
    drawn JSONB NOT NULL,
    tied JSONB NOT NULL,
    CONSTRAINT seat_answers_pkey PRIMARY KEY (round_id, number),
    CONSTRAINT seat_answers_client_id_round_id_fkey
        FOREIGN KEY (client_id, round_id) REFERENCES rounds (client_id, id) ON DELETE CASCADE,
    CONSTRAINT seat_answers_number_check CHECK (number > 0),
    CONSTRAINT seat_answers_candidate_check CHECK (candidate > 0),
    CONSTRAINT seat_answers_answer_check CHECK (answer IN ('ACCEPTED', 'DECLINED', 'TAKEN_BACK'))
);
CREATE INDEX seat_answers_client_id_round_id_idx ON seat_answers (client_id, round_id);
SELECT keep_apart('seat_answers', 'client_id = tenant()');

-- An answer goes only together with its round.
CREATE FUNCTION refuse_change_of_seat_answer() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    IF TG_OP = 'DELETE' AND NOT EXISTS (SELECT FROM rounds WHERE id = OLD.round_id) THEN
        RETURN NULL;
    END IF;
    RAISE EXCEPTION 'answers to an election are only added to'
        USING ERRCODE = 'restrict_violation', HINT = 'Note another answer.';
END $$;

CREATE TRIGGER seat_answers_keep BEFORE UPDATE ON seat_answers
    FOR EACH ROW EXECUTE FUNCTION refuse_change_of_seat_answer();
CREATE TRIGGER seat_answers_keep_all BEFORE TRUNCATE ON seat_answers
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_seat_answer();
-- At the end of the transaction: the round goes before its answers.
CREATE CONSTRAINT TRIGGER seat_answers_keep_deleted AFTER DELETE ON seat_answers
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refuse_change_of_seat_answer();

CREATE FUNCTION audit_seat_answer() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    PERFORM audit_event(audit_author(), 'seat_answered', NEW.client_id, 'round', NEW.round_id, r.question_text, m.title,
                        jsonb_build_array(
                            jsonb_build_array('candidate', NULL, candidate_names(NEW.round_id, to_jsonb(ARRAY[NEW.candidate]))),
                            jsonb_build_array('seat_answer', earlier.answer, NEW.answer),
                            jsonb_build_array('seated', candidate_names(NEW.round_id, NEW.before),
                                              candidate_names(NEW.round_id, NEW.seated))))
    FROM rounds r
    JOIN meetings m ON m.id = r.meeting_id
    LEFT JOIN LATERAL (SELECT a.answer FROM seat_answers a
                       WHERE a.round_id = NEW.round_id AND a.candidate = NEW.candidate AND a.number < NEW.number
                       ORDER BY a.number DESC LIMIT 1) AS earlier ON true
    WHERE r.id = NEW.round_id;
    RETURN NULL;
END $$;

-- The names of the candidates with these numbers, in this order.
CREATE FUNCTION candidate_names(round UUID, numbers JSONB) RETURNS TEXT LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
    SELECT string_agg(o.option_text, ', ' ORDER BY item.place)
    FROM jsonb_array_elements_text(numbers) WITH ORDINALITY AS item (number, place)
    JOIN round_options o ON o.round_id = round AND o.position = item.number::integer
$$;

CREATE TRIGGER seat_answers_audit AFTER INSERT ON seat_answers FOR EACH ROW EXECUTE FUNCTION audit_seat_answer();
