-- The session that cast a vote (decision 61). Only this session sees the answer again, unless the round shows how each person
-- voted: an organizer who signs in as a voter learns nothing. No key: sessions end and are deleted, and votes stay. Votes from
-- before have none.
ALTER TABLE votes ADD COLUMN session_id UUID;
