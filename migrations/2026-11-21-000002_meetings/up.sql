-- Meetings, who is invited to them, and what is put to the vote.
-- Every key to another table of a client carries the client's id, so that nothing can point across clients.

CREATE TABLE meetings (
    id UUID NOT NULL,
    client_id UUID NOT NULL,
    title TEXT NOT NULL,
    description TEXT,
    status TEXT NOT NULL,
    scheduled_start_time TIMESTAMPTZ NOT NULL,
    scheduled_end_time TIMESTAMPTZ NOT NULL,
    started_at TIMESTAMPTZ,
    ended_at TIMESTAMPTZ,
    max_participants INTEGER,
    is_recurring BOOLEAN NOT NULL,
    recurring_pattern TEXT,
    -- False: the meeting is for every active end user of the client.
    has_participant_list BOOLEAN NOT NULL,
    invitation_link TEXT,
    current_question_id UUID,
    created_at TIMESTAMPTZ NOT NULL,
    CONSTRAINT meetings_pkey PRIMARY KEY (id),
    CONSTRAINT meetings_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients (id) ON DELETE CASCADE,
    CONSTRAINT meetings_client_id_id_key UNIQUE (client_id, id),
    CONSTRAINT meetings_invitation_link_key UNIQUE (invitation_link),
    CONSTRAINT meetings_title_check CHECK (length(title) BETWEEN 1 AND 200),
    CONSTRAINT meetings_status_check CHECK (status IN ('DRAFT', 'SCHEDULED', 'ACTIVE', 'COMPLETED', 'CANCELLED')),
    CONSTRAINT meetings_scheduled_end_time_check CHECK (scheduled_end_time > scheduled_start_time),
    CONSTRAINT meetings_max_participants_check CHECK (max_participants > 0)
);

CREATE INDEX meetings_client_id_scheduled_start_time_idx ON meetings (client_id, scheduled_start_time, id);

CREATE TABLE participants (
    client_id UUID NOT NULL,
    meeting_id UUID NOT NULL,
    end_user_id UUID NOT NULL,
    CONSTRAINT participants_pkey PRIMARY KEY (meeting_id, end_user_id),
    CONSTRAINT participants_client_id_meeting_id_fkey
        FOREIGN KEY (client_id, meeting_id) REFERENCES meetings (client_id, id) ON DELETE CASCADE,
    CONSTRAINT participants_client_id_end_user_id_fkey
        FOREIGN KEY (client_id, end_user_id) REFERENCES end_users (client_id, id) ON DELETE CASCADE
);

CREATE INDEX participants_client_id_end_user_id_idx ON participants (client_id, end_user_id);

CREATE TABLE questions (
    id UUID NOT NULL,
    client_id UUID NOT NULL,
    meeting_id UUID NOT NULL,
    position INTEGER NOT NULL,
    question_text TEXT NOT NULL,
    question_type TEXT NOT NULL,
    is_required BOOLEAN NOT NULL,
    rating_max INTEGER,
    max_choices INTEGER,
    created_at TIMESTAMPTZ NOT NULL,
    CONSTRAINT questions_pkey PRIMARY KEY (id),
    CONSTRAINT questions_client_id_meeting_id_fkey
        FOREIGN KEY (client_id, meeting_id) REFERENCES meetings (client_id, id) ON DELETE CASCADE,
    CONSTRAINT questions_client_id_id_key UNIQUE (client_id, id),
    CONSTRAINT questions_meeting_id_id_key UNIQUE (meeting_id, id),
    -- Deferred, so that a reorder may pass through states with two questions in one place.
    CONSTRAINT questions_meeting_id_position_key UNIQUE (meeting_id, position) DEFERRABLE INITIALLY DEFERRED,
    CONSTRAINT questions_position_check CHECK (position > 0),
    CONSTRAINT questions_question_type_check
        CHECK (question_type IN ('YES_NO', 'MULTIPLE_CHOICE', 'OPEN_TEXT', 'RATING', 'PERCENTAGE')),
    CONSTRAINT questions_rating_max_check
        CHECK ((question_type = 'RATING') = (rating_max IS NOT NULL) AND rating_max IN (5, 10)),
    CONSTRAINT questions_max_choices_check
        CHECK (max_choices IS NULL OR (question_type = 'MULTIPLE_CHOICE' AND max_choices > 0))
);

CREATE INDEX questions_client_id_meeting_id_idx ON questions (client_id, meeting_id);

-- The question on the big screen. It must be one of this meeting's own.
ALTER TABLE meetings ADD CONSTRAINT meetings_id_current_question_id_fkey
    FOREIGN KEY (id, current_question_id) REFERENCES questions (meeting_id, id);

CREATE TABLE options (
    id UUID NOT NULL,
    client_id UUID NOT NULL,
    question_id UUID NOT NULL,
    position INTEGER NOT NULL,
    option_text TEXT NOT NULL,
    role TEXT NOT NULL,
    CONSTRAINT options_pkey PRIMARY KEY (id),
    CONSTRAINT options_client_id_question_id_fkey
        FOREIGN KEY (client_id, question_id) REFERENCES questions (client_id, id) ON DELETE CASCADE,
    CONSTRAINT options_question_id_position_key UNIQUE (question_id, position),
    -- Answers name options by their text.
    CONSTRAINT options_question_id_option_text_key UNIQUE (question_id, option_text),
    CONSTRAINT options_position_check CHECK (position > 0),
    CONSTRAINT options_role_check CHECK (role IN ('yes', 'no', 'abstain', 'choice'))
);

CREATE INDEX options_client_id_question_id_idx ON options (client_id, question_id);
