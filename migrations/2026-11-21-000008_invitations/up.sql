-- Invitations by mail, at once the queue of those that are to be sent. One for each meeting and end user, so that nobody
-- is written to twice by accident.
CREATE TABLE invitations (
    client_id UUID NOT NULL,
    meeting_id UUID NOT NULL,
    end_user_id UUID NOT NULL,
    status TEXT NOT NULL,
    -- What a PENDING one is again when it is taken out of the queue; without it the row goes.
    status_before TEXT,
    -- As it was sent, or is to be sent.
    email TEXT NOT NULL,
    -- For people.
    error TEXT,
    tries INTEGER NOT NULL,
    -- The sender has no request to ask where the link leads and in which zone the start is told.
    site_address TEXT NOT NULL,
    time_zone TEXT NOT NULL,
    queued_at TIMESTAMPTZ NOT NULL,
    due_at TIMESTAMPTZ NOT NULL,
    claimed_at TIMESTAMPTZ,
    sent_at TIMESTAMPTZ,
    CONSTRAINT invitations_pkey PRIMARY KEY (meeting_id, end_user_id),
    CONSTRAINT invitations_client_id_meeting_id_fkey
        FOREIGN KEY (client_id, meeting_id) REFERENCES meetings (client_id, id) ON DELETE CASCADE,
    CONSTRAINT invitations_client_id_end_user_id_fkey
        FOREIGN KEY (client_id, end_user_id) REFERENCES end_users (client_id, id) ON DELETE CASCADE,
    CONSTRAINT invitations_status_check CHECK (status IN ('PENDING', 'SENDING', 'SENT', 'FAILED', 'UNKNOWN')),
    CONSTRAINT invitations_status_before_check CHECK (
        status_before IS NULL OR (status IN ('PENDING', 'SENDING') AND status_before IN ('SENT', 'FAILED', 'UNKNOWN'))
    ),
    CONSTRAINT invitations_tries_check CHECK (tries >= 0),
    CONSTRAINT invitations_claimed_at_check CHECK (status <> 'SENDING' OR claimed_at IS NOT NULL),
    CONSTRAINT invitations_sent_at_check CHECK (status <> 'SENT' OR sent_at IS NOT NULL)
);

CREATE INDEX invitations_client_id_end_user_id_idx ON invitations (client_id, end_user_id);
-- What is to be sent next, and what was left behind, without a look at all that was ever sent.
CREATE INDEX invitations_due_at_idx ON invitations (due_at, end_user_id) WHERE status = 'PENDING';
CREATE INDEX invitations_claimed_at_idx ON invitations (claimed_at) WHERE status = 'SENDING';
