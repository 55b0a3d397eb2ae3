ALTER TABLE attendance DROP COLUMN event_at;
