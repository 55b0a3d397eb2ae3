-- From where a refresh token was used first, as a hash of network and browser: a token that comes back from another device
-- after its successor was used was copied. And how often a session was renewed lately. Both are null until the next renewal.
ALTER TABLE refresh_tokens ADD COLUMN used_by BYTEA;
ALTER TABLE sessions ADD COLUMN renewals_until TIMESTAMPTZ;
