-- The time of an action in a meeting is compared with the last logged one, which is looked for among the newest of all logs.
SET LOCAL lock_timeout = '10s';

CREATE INDEX round_log_logged_at_idx ON round_log (logged_at, round_id);

-- The last end of a round in a meeting is an event with which attendance is recorded.
CREATE INDEX rounds_meeting_id_ended_at_idx ON rounds (meeting_id, ended_at) WHERE ended_at IS NOT NULL;
