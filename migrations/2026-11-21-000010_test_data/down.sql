-- The indexes that have it go with a column.
ALTER TABLE meetings DROP COLUMN is_test;
ALTER TABLE end_users DROP COLUMN is_test;
ALTER TABLE clients DROP COLUMN is_test;
CREATE INDEX end_users_client_id_is_active_idx ON end_users (client_id, is_active) INCLUDE (weight);
CREATE INDEX end_users_client_id_created_at_idx ON end_users (client_id, created_at);
CREATE INDEX end_users_created_at_idx ON end_users (created_at, client_id);
