ALTER TABLE votes DROP COLUMN session_id;
