-- What keeps lists fast with tens of thousands of end users, and old sessions from piling up.

-- What a search looks at, folded once when it is written. The separator is a control character, which nobody can type
-- into a search, so that nothing is found across two fields.
ALTER TABLE end_users ADD COLUMN search_text TEXT NOT NULL
    GENERATED ALWAYS AS (lower(name || chr(31) || username || chr(31) || coalesce(email, ''))) STORED;

-- A page in the middle of the list without a look at the rows before it.
DROP INDEX end_users_client_id_name_idx;
CREATE INDEX end_users_client_id_name_idx ON end_users (client_id, lower(name), id) INCLUDE (name, is_active);

-- Counts and weights without a look at the rows.
CREATE INDEX end_users_client_id_is_active_idx ON end_users (client_id, is_active) INCLUDE (weight);

CREATE INDEX sessions_expires_at_idx ON sessions (expires_at);
CREATE INDEX sessions_ended_at_idx ON sessions (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX refresh_tokens_expires_at_idx ON refresh_tokens (expires_at);
