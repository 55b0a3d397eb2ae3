-- What people see of their own sessions: from where they signed in, and when each session was used last. Those that instances
-- of the version before make do not have it; for these the start is the last use.
ALTER TABLE sessions
    ADD COLUMN from_address TEXT,
    ADD COLUMN device TEXT,
    ADD COLUMN last_used_at TIMESTAMPTZ,
    ADD CONSTRAINT sessions_device_check CHECK (length(device) <= 200);

-- Links by which people with an account set a new password. A link is good while the account has the password and the
-- address that it had when the link was made: so it works once, and no older one after it.
CREATE TABLE password_resets (
    token_hash BYTEA NOT NULL,
    account_id UUID NOT NULL,
    email TEXT NOT NULL,
    password_hash TEXT NOT NULL,
    expires_at TIMESTAMPTZ NOT NULL,
    CONSTRAINT password_resets_pkey PRIMARY KEY (token_hash),
    CONSTRAINT password_resets_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE
);

CREATE INDEX password_resets_account_id_idx ON password_resets (account_id);
CREATE INDEX password_resets_expires_at_idx ON password_resets (expires_at);
