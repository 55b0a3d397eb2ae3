-- Rounds with what was frozen when they opened, and the votes cast in them.

CREATE TABLE rounds (
    id UUID NOT NULL,
    client_id UUID NOT NULL,
    meeting_id UUID NOT NULL,
    question_id UUID NOT NULL,
    -- 1 for the first round of a question, 2 for its first re-vote, …
    number INTEGER NOT NULL,
    status TEXT NOT NULL,
    question_text TEXT NOT NULL,
    question_type TEXT NOT NULL,
    rating_max INTEGER,
    max_choices INTEGER,
    opened_at TIMESTAMPTZ NOT NULL,
    ended_at TIMESTAMPTZ,
    -- The register's size and weight, kept so that no screen has to count it.
    register_heads INTEGER NOT NULL,
    register_weight NUMERIC(18, 4) NOT NULL,
    CONSTRAINT rounds_pkey PRIMARY KEY (id),
    CONSTRAINT rounds_client_id_id_key UNIQUE (client_id, id),
    CONSTRAINT rounds_client_id_meeting_id_fkey
        FOREIGN KEY (client_id, meeting_id) REFERENCES meetings (client_id, id) ON DELETE CASCADE,
    CONSTRAINT rounds_meeting_id_question_id_fkey
        FOREIGN KEY (meeting_id, question_id) REFERENCES questions (meeting_id, id) ON DELETE CASCADE,
    CONSTRAINT rounds_question_id_number_key UNIQUE (question_id, number),
    CONSTRAINT rounds_number_check CHECK (number > 0),
    CONSTRAINT rounds_status_check CHECK (status IN ('OPEN', 'ENDED', 'DECLARED')),
    CONSTRAINT rounds_ended_at_check CHECK ((status = 'OPEN') = (ended_at IS NULL)),
    CONSTRAINT rounds_question_type_check
        CHECK (question_type IN ('YES_NO', 'MULTIPLE_CHOICE', 'OPEN_TEXT', 'RATING', 'PERCENTAGE')),
    CONSTRAINT rounds_register_heads_check CHECK (register_heads >= 0),
    CONSTRAINT rounds_register_weight_check CHECK (register_weight >= 0)
);

-- One question at a time: a meeting never has two open rounds.
CREATE UNIQUE INDEX rounds_meeting_id_open_key ON rounds (meeting_id) WHERE status = 'OPEN';
CREATE INDEX rounds_client_id_meeting_id_idx ON rounds (client_id, meeting_id, opened_at);
CREATE INDEX rounds_meeting_id_question_id_idx ON rounds (meeting_id, question_id, number);

-- The options as they stood when the round opened.
CREATE TABLE round_options (
    round_id UUID NOT NULL,
    option_id UUID NOT NULL,
    position INTEGER NOT NULL,
    option_text TEXT NOT NULL,
    role TEXT NOT NULL,
    CONSTRAINT round_options_pkey PRIMARY KEY (round_id, option_id),
    CONSTRAINT round_options_round_id_fkey FOREIGN KEY (round_id) REFERENCES rounds (id) ON DELETE CASCADE,
    CONSTRAINT round_options_round_id_position_key UNIQUE (round_id, position),
    CONSTRAINT round_options_round_id_option_text_key UNIQUE (round_id, option_text),
    CONSTRAINT round_options_role_check CHECK (role IN ('yes', 'no', 'abstain', 'choice'))
);

-- Who may vote in a round and with what weight. Deliberately without a key to end_users: a result survives the
-- deletion of a person.
CREATE TABLE register (
    round_id UUID NOT NULL,
    end_user_id UUID NOT NULL,
    username TEXT NOT NULL,
    name TEXT NOT NULL,
    weight NUMERIC(9, 4) NOT NULL,
    added_at TIMESTAMPTZ NOT NULL,
    CONSTRAINT register_pkey PRIMARY KEY (round_id, end_user_id),
    CONSTRAINT register_round_id_fkey FOREIGN KEY (round_id) REFERENCES rounds (id) ON DELETE CASCADE,
    CONSTRAINT register_weight_check CHECK (weight BETWEEN 0 AND 100)
);

-- One vote per round and voter, never changed. Exactly one of the three answers is filled in.
CREATE TABLE votes (
    id UUID NOT NULL,
    round_id UUID NOT NULL,
    end_user_id UUID NOT NULL,
    option_ids UUID[],
    number NUMERIC(9, 4),
    answer_text TEXT,
    cast_at TIMESTAMPTZ NOT NULL,
    CONSTRAINT votes_pkey PRIMARY KEY (id),
    CONSTRAINT votes_round_id_end_user_id_key UNIQUE (round_id, end_user_id),
    CONSTRAINT votes_round_id_end_user_id_fkey
        FOREIGN KEY (round_id, end_user_id) REFERENCES register (round_id, end_user_id) ON DELETE CASCADE,
    CONSTRAINT votes_answer_check CHECK (num_nonnulls(option_ids, number, answer_text) = 1),
    CONSTRAINT votes_option_ids_check CHECK (option_ids IS NULL OR cardinality(option_ids) > 0)
);

-- How many votes a round has, kept beside the votes and written in the same statement. Several rows a round, one for
-- each writer, so that no two writers wait for one row; the count is their sum.
CREATE TABLE round_counters (
    round_id UUID NOT NULL,
    writer SMALLINT NOT NULL,
    votes_cast INTEGER NOT NULL,
    CONSTRAINT round_counters_pkey PRIMARY KEY (round_id, writer),
    CONSTRAINT round_counters_round_id_fkey FOREIGN KEY (round_id) REFERENCES rounds (id) ON DELETE CASCADE
);
