-- The id of the renewal for which a refresh token was used first. A device whose response was lost repeats its renewal under the
-- same id, at any time; a copy of the token has another one (decision 109).
SET LOCAL lock_timeout = '10s';

ALTER TABLE refresh_tokens ADD COLUMN used_for UUID;
