DROP INDEX rounds_closes_at_idx;
ALTER TABLE rounds DROP COLUMN closes_at;
ALTER TABLE meetings DROP COLUMN step;
