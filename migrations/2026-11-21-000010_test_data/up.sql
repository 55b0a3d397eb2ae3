-- What is there for tests and counts nowhere, by its name and as long as it has that name (decision 28). Tables are
-- written anew by this, in seconds; votes and registers are not among them.

ALTER TABLE clients ADD COLUMN is_test BOOLEAN NOT NULL
    GENERATED ALWAYS AS (starts_with(name, 'TEST_')) STORED;
ALTER TABLE end_users ADD COLUMN is_test BOOLEAN NOT NULL
    GENERATED ALWAYS AS (starts_with(name, 'TEST_') OR starts_with(username, 'TEST_')) STORED;
ALTER TABLE meetings ADD COLUMN is_test BOOLEAN NOT NULL
    GENERATED ALWAYS AS (starts_with(title, 'TEST_')) STORED;

-- The few clients that are left out wherever all clients are told of.
CREATE INDEX clients_id_is_test_idx ON clients (id) WHERE is_test;

-- Counts, weights and what happened last are still read without a look at the rows.
DROP INDEX end_users_client_id_is_active_idx;
CREATE INDEX end_users_client_id_is_active_idx ON end_users (client_id, is_active) INCLUDE (weight, is_test);
DROP INDEX end_users_client_id_created_at_idx;
CREATE INDEX end_users_client_id_created_at_idx ON end_users (client_id, created_at) INCLUDE (is_test);
DROP INDEX end_users_created_at_idx;
CREATE INDEX end_users_created_at_idx ON end_users (created_at, client_id) WHERE NOT is_test;
