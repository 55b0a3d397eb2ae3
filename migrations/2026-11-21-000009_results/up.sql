-- By what questions are decided, and what belongs to a result beside the votes.

-- The forms of rules and quorums are those of crates/result-format. A question without a quorum of its own has its meeting's.
ALTER TABLE questions
    ADD COLUMN decision_rule JSONB,
    ADD COLUMN quorum JSONB,
    -- Whether it is told who voted what.
    ADD COLUMN is_named BOOLEAN NOT NULL DEFAULT false;

ALTER TABLE meetings
    ADD COLUMN quorum JSONB,
    -- What happens when a question is to be opened without it.
    ADD COLUMN quorum_at_opening TEXT,
    ADD CONSTRAINT meetings_quorum_at_opening_check
        CHECK (quorum_at_opening IN ('WARN', 'BAR') AND (quorum IS NULL) = (quorum_at_opening IS NULL));

ALTER TABLE rounds
    -- As they stood when the round opened.
    ADD COLUMN decision_rule JSONB,
    ADD COLUMN quorum JSONB,
    ADD COLUMN is_named BOOLEAN NOT NULL DEFAULT false,
    -- Those of the register who were connected at that moment.
    ADD COLUMN connected_heads INTEGER NOT NULL DEFAULT 0,
    ADD COLUMN connected_weight NUMERIC(18, 4) NOT NULL DEFAULT 0,
    -- Why the question was voted on once more; none for its first round.
    ADD COLUMN reason TEXT,
    -- When an organizer first saw the count.
    ADD COLUMN counted_at TIMESTAMPTZ,
    ADD COLUMN declared_at TIMESTAMPTZ,
    -- The name of who declared it, as it was then.
    ADD COLUMN declared_by TEXT,
    ADD CONSTRAINT rounds_connected_heads_check CHECK (connected_heads >= 0),
    ADD CONSTRAINT rounds_connected_weight_check CHECK (connected_weight >= 0),
    ADD CONSTRAINT rounds_counted_at_check CHECK (counted_at IS NULL OR status <> 'OPEN'),
    ADD CONSTRAINT rounds_declared_at_check CHECK ((status = 'DECLARED') = (declared_at IS NOT NULL)),
    ADD CONSTRAINT rounds_declared_by_check CHECK ((declared_at IS NULL) = (declared_by IS NULL));

-- Whether somebody was connected when the round opened.
ALTER TABLE register ADD COLUMN was_connected BOOLEAN NOT NULL DEFAULT false;

-- Who does not take part in a question (a conflict of interest). Rounds that open later leave them out of the register.
CREATE TABLE exclusions (
    question_id UUID NOT NULL,
    end_user_id UUID NOT NULL,
    reason TEXT NOT NULL,
    excluded_at TIMESTAMPTZ NOT NULL,
    -- The name of who did it, as it was then.
    excluded_by TEXT NOT NULL,
    CONSTRAINT exclusions_pkey PRIMARY KEY (question_id, end_user_id),
    CONSTRAINT exclusions_question_id_fkey FOREIGN KEY (question_id) REFERENCES questions (id) ON DELETE CASCADE,
    CONSTRAINT exclusions_end_user_id_fkey FOREIGN KEY (end_user_id) REFERENCES end_users (id) ON DELETE CASCADE
);
CREATE INDEX exclusions_end_user_id_idx ON exclusions (end_user_id);

-- What was done with a round, and with whom in it. Names are those of the moment; a log survives the people in it.
CREATE TABLE round_log (
    id UUID NOT NULL,
    round_id UUID NOT NULL,
    logged_at TIMESTAMPTZ NOT NULL,
    kind TEXT NOT NULL,
    -- None when the round ended by itself.
    done_by TEXT,
    end_user_id UUID,
    username TEXT,
    name TEXT,
    weight NUMERIC(9, 4),
    reason TEXT,
    CONSTRAINT round_log_pkey PRIMARY KEY (id),
    CONSTRAINT round_log_round_id_fkey FOREIGN KEY (round_id) REFERENCES rounds (id) ON DELETE CASCADE,
    CONSTRAINT round_log_kind_check
        CHECK (kind IN ('OPENED', 'ENDED', 'REOPENED', 'COUNTED', 'DECLARED', 'ADMITTED', 'EXCLUDED')),
    CONSTRAINT round_log_person_check
        CHECK (num_nonnulls(end_user_id, username, name, weight) = CASE WHEN kind IN ('ADMITTED', 'EXCLUDED') THEN 4 ELSE 0 END)
);
CREATE INDEX round_log_round_id_idx ON round_log (round_id, logged_at);

-- What an organizer noted for the minutes.
CREATE TABLE remarks (
    id UUID NOT NULL,
    client_id UUID NOT NULL,
    meeting_id UUID NOT NULL,
    kind TEXT NOT NULL,
    remark_text TEXT NOT NULL,
    written_at TIMESTAMPTZ NOT NULL,
    written_by TEXT NOT NULL,
    CONSTRAINT remarks_pkey PRIMARY KEY (id),
    CONSTRAINT remarks_client_id_meeting_id_fkey
        FOREIGN KEY (client_id, meeting_id) REFERENCES meetings (client_id, id) ON DELETE CASCADE,
    CONSTRAINT remarks_kind_check CHECK (kind IN ('REMARK', 'INCIDENT'))
);
CREATE INDEX remarks_client_id_meeting_id_idx ON remarks (client_id, meeting_id, written_at);

-- Who was there in the course of a meeting, of those who could vote at that time.
CREATE TABLE attendance (
    client_id UUID NOT NULL,
    meeting_id UUID NOT NULL,
    noted_at TIMESTAMPTZ NOT NULL,
    present_heads INTEGER NOT NULL,
    present_weight NUMERIC(18, 4) NOT NULL,
    eligible_heads INTEGER NOT NULL,
    eligible_weight NUMERIC(18, 4) NOT NULL,
    CONSTRAINT attendance_pkey PRIMARY KEY (client_id, meeting_id, noted_at),
    CONSTRAINT attendance_client_id_meeting_id_fkey
        FOREIGN KEY (client_id, meeting_id) REFERENCES meetings (client_id, id) ON DELETE CASCADE
);
