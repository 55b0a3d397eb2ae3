ALTER TABLE sessions DROP COLUMN renewals_until;
ALTER TABLE refresh_tokens DROP COLUMN used_by;
