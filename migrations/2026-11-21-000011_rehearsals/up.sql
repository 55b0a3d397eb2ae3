-- Rehearsals: whether a meeting's screens reach the voters, and these the server. They have nothing to do with rounds.

-- The last one of each meeting.
CREATE TABLE rehearsals (
    meeting_id UUID NOT NULL,
    client_id UUID NOT NULL,
    id UUID NOT NULL,
    started_at TIMESTAMPTZ NOT NULL,
    -- None while it runs.
    ended_at TIMESTAMPTZ,
    -- The name of who started it, as it was then.
    started_by TEXT NOT NULL,
    CONSTRAINT rehearsals_pkey PRIMARY KEY (meeting_id),
    CONSTRAINT rehearsals_id_key UNIQUE (id),
    CONSTRAINT rehearsals_client_id_meeting_id_fkey
        FOREIGN KEY (client_id, meeting_id) REFERENCES meetings (client_id, id) ON DELETE CASCADE,
    CONSTRAINT rehearsals_ended_at_check CHECK (ended_at >= started_at)
);
CREATE INDEX rehearsals_client_id_meeting_id_idx ON rehearsals (client_id, meeting_id);

-- On whose screens it arrived, and who has tapped.
CREATE TABLE rehearsal_answers (
    rehearsal_id UUID NOT NULL,
    end_user_id UUID NOT NULL,
    received_at TIMESTAMPTZ NOT NULL,
    answered_at TIMESTAMPTZ,
    CONSTRAINT rehearsal_answers_pkey PRIMARY KEY (rehearsal_id, end_user_id),
    CONSTRAINT rehearsal_answers_rehearsal_id_fkey
        FOREIGN KEY (rehearsal_id) REFERENCES rehearsals (id) ON DELETE CASCADE,
    CONSTRAINT rehearsal_answers_end_user_id_fkey
        FOREIGN KEY (end_user_id) REFERENCES end_users (id) ON DELETE CASCADE,
    CONSTRAINT rehearsal_answers_answered_at_check CHECK (answered_at >= received_at)
);
CREATE INDEX rehearsal_answers_end_user_id_idx ON rehearsal_answers (end_user_id);
