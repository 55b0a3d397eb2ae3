-- Organizations, the people who sign in, and their sessions.

CREATE TABLE clients (
    id UUID NOT NULL,
    name TEXT NOT NULL,
    client_code TEXT NOT NULL,
    contact_email TEXT NOT NULL,
    status TEXT NOT NULL,
    subscription_plan TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    CONSTRAINT clients_pkey PRIMARY KEY (id),
    CONSTRAINT clients_client_code_key UNIQUE (client_code),
    CONSTRAINT clients_client_code_check CHECK (client_code ~ '^[a-z0-9]+(-[a-z0-9]+)*$' AND length(client_code) <= 32),
    CONSTRAINT clients_name_check CHECK (length(name) BETWEEN 1 AND 200),
    CONSTRAINT clients_status_check CHECK (status IN ('ACTIVE', 'INACTIVE', 'SUSPENDED')),
    CONSTRAINT clients_subscription_plan_check CHECK (subscription_plan IN ('BASIC', 'PRO', 'ENTERPRISE'))
);

-- A super administrator belongs to no client, a client administrator to exactly one.
CREATE TABLE accounts (
    id UUID NOT NULL,
    client_id UUID,
    role TEXT NOT NULL,
    email TEXT NOT NULL,
    password_hash TEXT NOT NULL,
    first_name TEXT NOT NULL,
    last_name TEXT NOT NULL,
    last_login_at TIMESTAMPTZ,
    created_at TIMESTAMPTZ NOT NULL,
    CONSTRAINT accounts_pkey PRIMARY KEY (id),
    CONSTRAINT accounts_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients (id) ON DELETE CASCADE,
    CONSTRAINT accounts_email_key UNIQUE (email),
    CONSTRAINT accounts_email_check CHECK (email = lower(email)),
    CONSTRAINT accounts_role_check CHECK (role IN ('SUPER_ADMIN', 'CLIENT')),
    CONSTRAINT accounts_role_client_id_check CHECK ((role = 'CLIENT') = (client_id IS NOT NULL))
);

CREATE INDEX accounts_client_id_idx ON accounts (client_id);

CREATE TABLE end_users (
    id UUID NOT NULL,
    client_id UUID NOT NULL,
    username TEXT NOT NULL,
    name TEXT NOT NULL,
    email TEXT,
    address TEXT,
    weight NUMERIC(9, 4) NOT NULL,
    is_active BOOLEAN NOT NULL,
    password_hash TEXT NOT NULL,
    last_login_at TIMESTAMPTZ,
    created_at TIMESTAMPTZ NOT NULL,
    CONSTRAINT end_users_pkey PRIMARY KEY (id),
    CONSTRAINT end_users_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients (id) ON DELETE CASCADE,
    -- Lets other tables prove that an end user is of their own client.
    CONSTRAINT end_users_client_id_id_key UNIQUE (client_id, id),
    CONSTRAINT end_users_weight_check CHECK (weight BETWEEN 0 AND 100)
);

-- "Anna" and "anna" are one person: a phone's keyboard decides the first letter.
CREATE UNIQUE INDEX end_users_client_id_username_key ON end_users (client_id, lower(username));
CREATE INDEX end_users_client_id_name_idx ON end_users (client_id, lower(name), id);

-- One row per sign-in. The tokens of one sign-in are its family.
CREATE TABLE sessions (
    id UUID NOT NULL,
    client_id UUID,
    account_id UUID,
    end_user_id UUID,
    remember_me BOOLEAN NOT NULL,
    started_at TIMESTAMPTZ NOT NULL,
    expires_at TIMESTAMPTZ NOT NULL,
    ended_at TIMESTAMPTZ,
    CONSTRAINT sessions_pkey PRIMARY KEY (id),
    CONSTRAINT sessions_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients (id) ON DELETE CASCADE,
    CONSTRAINT sessions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE,
    CONSTRAINT sessions_client_id_end_user_id_fkey
        FOREIGN KEY (client_id, end_user_id) REFERENCES end_users (client_id, id) ON DELETE CASCADE,
    CONSTRAINT sessions_person_check CHECK ((account_id IS NULL) <> (end_user_id IS NULL)),
    CONSTRAINT sessions_end_user_id_check CHECK (end_user_id IS NULL OR client_id IS NOT NULL)
);

CREATE INDEX sessions_client_id_end_user_id_idx ON sessions (client_id, end_user_id);
CREATE INDEX sessions_account_id_idx ON sessions (account_id);

CREATE TABLE refresh_tokens (
    token_hash BYTEA NOT NULL,
    session_id UUID NOT NULL,
    issued_at TIMESTAMPTZ NOT NULL,
    expires_at TIMESTAMPTZ NOT NULL,
    used_at TIMESTAMPTZ,
    CONSTRAINT refresh_tokens_pkey PRIMARY KEY (token_hash),
    CONSTRAINT refresh_tokens_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions (id) ON DELETE CASCADE
);

CREATE INDEX refresh_tokens_session_id_idx ON refresh_tokens (session_id);
