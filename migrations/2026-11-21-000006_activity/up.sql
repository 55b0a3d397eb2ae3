-- What happened last, in one client and on the whole platform, without a look at what happened before.

CREATE INDEX clients_created_at_idx ON clients (created_at);
-- A client has few accounts, and they are found by it already.
CREATE INDEX accounts_last_login_at_idx ON accounts (last_login_at) WHERE last_login_at IS NOT NULL;

-- Whoever is imported together is told together.
CREATE INDEX end_users_client_id_created_at_idx ON end_users (client_id, created_at);
CREATE INDEX end_users_created_at_idx ON end_users (created_at, client_id);

CREATE INDEX meetings_client_id_created_at_idx ON meetings (client_id, created_at);
CREATE INDEX meetings_client_id_started_at_idx ON meetings (client_id, started_at) WHERE started_at IS NOT NULL;
CREATE INDEX meetings_client_id_ended_at_idx ON meetings (client_id, ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX meetings_created_at_idx ON meetings (created_at);
CREATE INDEX meetings_started_at_idx ON meetings (started_at) WHERE started_at IS NOT NULL;
CREATE INDEX meetings_ended_at_idx ON meetings (ended_at) WHERE ended_at IS NOT NULL;

CREATE INDEX rounds_client_id_opened_at_idx ON rounds (client_id, opened_at);
CREATE INDEX rounds_client_id_ended_at_idx ON rounds (client_id, ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX rounds_opened_at_idx ON rounds (opened_at);
CREATE INDEX rounds_ended_at_idx ON rounds (ended_at) WHERE ended_at IS NOT NULL;
