ALTER TABLE rounds DROP COLUMN is_test;
