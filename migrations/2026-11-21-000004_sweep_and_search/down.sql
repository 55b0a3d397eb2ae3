DROP INDEX refresh_tokens_expires_at_idx;
DROP INDEX sessions_ended_at_idx;
DROP INDEX sessions_expires_at_idx;
DROP INDEX end_users_client_id_is_active_idx;
DROP INDEX end_users_client_id_name_idx;
CREATE INDEX end_users_client_id_name_idx ON end_users (client_id, lower(name), id);
ALTER TABLE end_users DROP COLUMN search_text;
