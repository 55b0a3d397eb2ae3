ALTER TABLE attendance DROP COLUMN quorum;
