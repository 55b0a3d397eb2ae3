DROP TABLE password_resets;
ALTER TABLE sessions DROP COLUMN from_address, DROP COLUMN device, DROP COLUMN last_used_at;
