ALTER TABLE refresh_tokens DROP COLUMN used_for;
