-- The second factors of accounts. Secrets are sealed with a key that is not in the database. One whose owner has not shown a
-- code of it yet is not asked for; afterwards only codes of steps after the last one that was used are good.
CREATE TABLE second_factors (
    account_id UUID NOT NULL,
    secret_sealed BYTEA NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    confirmed_at TIMESTAMPTZ,
    last_step BIGINT,
    CONSTRAINT second_factors_pkey PRIMARY KEY (account_id),
    CONSTRAINT second_factors_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE,
    CONSTRAINT second_factors_confirmed_check CHECK ((confirmed_at IS NULL) = (last_step IS NULL))
);

-- What opens a session in place of a code, each once.
CREATE TABLE recovery_codes (
    account_id UUID NOT NULL,
    code_hash BYTEA NOT NULL,
    used_at TIMESTAMPTZ,
    CONSTRAINT recovery_codes_pkey PRIMARY KEY (account_id, code_hash),
    CONSTRAINT recovery_codes_account_id_fkey FOREIGN KEY (account_id) REFERENCES second_factors (account_id)
        ON DELETE CASCADE
);
