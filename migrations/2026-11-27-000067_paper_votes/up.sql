-- Votes on paper and at voting places (decision 96). Each is a row of `votes`, as every vote is.
SET LOCAL lock_timeout = '10s';

-- What a link for helpers is for.
ALTER TABLE desks
    ADD COLUMN purpose TEXT NOT NULL DEFAULT 'CHECK_IN',
    ADD CONSTRAINT desks_purpose_check CHECK (purpose IN ('CHECK_IN', 'VOTING_PLACE', 'TELLERS'));

-- Where the vote was cast. Null for a device of the voter or of the holder of their proxy.
ALTER TABLE votes
    ADD COLUMN cast_on TEXT,
    ADD CONSTRAINT votes_cast_on_check CHECK (cast_on IN ('PAPER', 'VOTING_PLACE'));

-- Votes on paper that one teller has entered together. Another one confirms them, and then they are counted.
CREATE TABLE paper_batches (
    -- Made on the teller's device, so that a repeat is the same batch.
    id UUID NOT NULL,
    client_id UUID NOT NULL,
    round_id UUID NOT NULL,
    -- From 1 in each round.
    number INTEGER NOT NULL,
    state TEXT NOT NULL,
    entered_at TIMESTAMPTZ NOT NULL,
    -- The account or the desk, and its name.
    entered_by_id UUID NOT NULL,
    entered_by TEXT NOT NULL,
    closed_at TIMESTAMPTZ,
    closed_by_id UUID,
    closed_by TEXT,
    ballots INTEGER NOT NULL,
    counted INTEGER,
    CONSTRAINT paper_batches_pkey PRIMARY KEY (id),
    CONSTRAINT paper_batches_round_id_number_key UNIQUE (round_id, number),
    CONSTRAINT paper_batches_client_id_id_key UNIQUE (client_id, id),
    CONSTRAINT paper_batches_client_id_round_id_fkey
        FOREIGN KEY (client_id, round_id) REFERENCES rounds (client_id, id) ON DELETE CASCADE,
    CONSTRAINT paper_batches_state_check CHECK (state IN ('WAITING', 'CONFIRMED', 'DISCARDED')),
    CONSTRAINT paper_batches_closed_check
        CHECK ((state = 'WAITING') = (closed_at IS NULL) AND (closed_at IS NULL) = (closed_by IS NULL)),
    -- Whoever entered votes cannot confirm them.
    CONSTRAINT paper_batches_second_teller_check CHECK (state <> 'CONFIRMED' OR closed_by_id <> entered_by_id),
    CONSTRAINT paper_batches_counted_check CHECK ((state = 'CONFIRMED') = (counted IS NOT NULL) AND counted <= ballots)
);
CREATE INDEX paper_batches_client_id_round_id_idx ON paper_batches (client_id, round_id);
SELECT keep_apart('paper_batches', 'client_id = tenant()');

-- The votes of a batch. The answer goes once the batch is confirmed or discarded: then it is in `votes`, or nowhere. In a vote that
-- is not named, the people of a batch stand beside its answers in a random order.
CREATE TABLE paper_ballots (
    batch_id UUID NOT NULL,
    end_user_id UUID NOT NULL,
    client_id UUID NOT NULL,
    option_ids UUID[],
    number NUMERIC,
    answer_text TEXT,
    outcome TEXT NOT NULL,
    CONSTRAINT paper_ballots_pkey PRIMARY KEY (batch_id, end_user_id),
    CONSTRAINT paper_ballots_client_id_batch_id_fkey
        FOREIGN KEY (client_id, batch_id) REFERENCES paper_batches (client_id, id) ON DELETE CASCADE,
    CONSTRAINT paper_ballots_outcome_check
        CHECK (outcome IN ('WAITING', 'COUNTED', 'VOTED_BEFORE', 'NOT_IN_REGISTER', 'DISCARDED')),
    CONSTRAINT paper_ballots_answer_check
        CHECK (num_nonnulls(option_ids, number, answer_text) = CASE WHEN outcome = 'WAITING' THEN 1 ELSE 0 END)
);
CREATE INDEX paper_ballots_client_id_batch_id_idx ON paper_ballots (client_id, batch_id);
SELECT keep_apart('paper_ballots', 'client_id = tenant()');

-- The ballots that a voting place has given to people. No vote is cast there without one.
CREATE TABLE issued_ballots (
    -- Made on the device of the voting place. A vote has it as its session.
    id UUID NOT NULL,
    client_id UUID NOT NULL,
    round_id UUID NOT NULL,
    end_user_id UUID NOT NULL,
    desk_id UUID NOT NULL,
    issued_at TIMESTAMPTZ NOT NULL,
    CONSTRAINT issued_ballots_pkey PRIMARY KEY (id),
    CONSTRAINT issued_ballots_client_id_round_id_fkey
        FOREIGN KEY (client_id, round_id) REFERENCES rounds (client_id, id) ON DELETE CASCADE
);
CREATE INDEX issued_ballots_client_id_round_id_idx ON issued_ballots (client_id, round_id);
SELECT keep_apart('issued_ballots', 'client_id = tenant()');

-- A desk has no account: the log names it by its name.
CREATE FUNCTION audit_author_at_desk(desk TEXT) RETURNS audit_author LANGUAGE plpgsql STABLE SET search_path FROM CURRENT AS $$
DECLARE
    author audit_author := audit_author();
BEGIN
    author.by_name := coalesce(author.by_name, desk);
    RETURN author;
END $$;

-- The log says who entered, confirmed or discarded how many votes, and never an answer.
CREATE FUNCTION audit_paper_batch() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    PERFORM audit_event(audit_author_at_desk(coalesce(NEW.closed_by, NEW.entered_by)),
                        CASE NEW.state WHEN 'WAITING' THEN 'paper_batch_entered' WHEN 'CONFIRMED' THEN 'paper_batch_confirmed'
                                       ELSE 'paper_batch_discarded' END,
                        NEW.client_id, 'meeting', r.meeting_id, m.title, m.title, made.changes)
    FROM rounds r
    JOIN meetings m ON m.id = r.meeting_id
    CROSS JOIN LATERAL (
        SELECT jsonb_agg(jsonb_build_array(line.field, NULL, line.value)) AS changes
        FROM (VALUES ('paper_question', r.question_text), ('paper_batch', NEW.number::text),
                     ('paper_ballots', NEW.ballots::text), ('entered_by', NEW.entered_by),
                     ('counted', NEW.counted::text)) AS line (field, value)
        WHERE line.value IS NOT NULL) AS made
    WHERE r.id = NEW.round_id;
    RETURN NULL;
END $$;
CREATE TRIGGER paper_batches_audit_insert AFTER INSERT ON paper_batches FOR EACH ROW EXECUTE FUNCTION audit_paper_batch();
CREATE TRIGGER paper_batches_audit_update AFTER UPDATE ON paper_batches FOR EACH ROW
    WHEN (OLD.state <> NEW.state) EXECUTE FUNCTION audit_paper_batch();

CREATE FUNCTION audit_issued_ballot() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    desk_name TEXT := (SELECT name FROM desks WHERE id = NEW.desk_id);
BEGIN
    PERFORM audit_event(audit_author_at_desk(desk_name), 'ballot_issued', NEW.client_id, 'end_user', NEW.end_user_id,
                        proxy_person(NEW.end_user_id), m.title,
                        jsonb_build_array(jsonb_build_array('desk', NULL, desk_name),
                                          jsonb_build_array('paper_question', NULL, r.question_text)))
    FROM rounds r
    JOIN meetings m ON m.id = r.meeting_id
    WHERE r.id = NEW.round_id;
    RETURN NULL;
END $$;
CREATE TRIGGER issued_ballots_audit AFTER INSERT ON issued_ballots FOR EACH ROW EXECUTE FUNCTION audit_issued_ballot();

CREATE OR REPLACE FUNCTION audit_desk() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    PERFORM audit_event(audit_author(), CASE WHEN TG_OP = 'INSERT' THEN 'desk_made' ELSE 'desk_revoked' END, NEW.client_id,
                        'meeting', NEW.meeting_id, NEW.name,
                        (SELECT m.title FROM meetings m WHERE m.id = NEW.meeting_id),
                        CASE WHEN TG_OP = 'INSERT' AND NEW.purpose <> 'CHECK_IN'
                             THEN jsonb_build_array(jsonb_build_array('desk_purpose', NULL, NEW.purpose)) ELSE '[]' END);
    RETURN NULL;
END $$;
