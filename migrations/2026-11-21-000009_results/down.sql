DROP TABLE attendance;
DROP TABLE remarks;
DROP TABLE round_log;
DROP TABLE exclusions;
ALTER TABLE register DROP COLUMN was_connected;
ALTER TABLE rounds
    DROP CONSTRAINT rounds_declared_by_check,
    DROP CONSTRAINT rounds_declared_at_check,
    DROP CONSTRAINT rounds_counted_at_check,
    DROP COLUMN declared_by,
    DROP COLUMN declared_at,
    DROP COLUMN counted_at,
    DROP COLUMN reason,
    DROP COLUMN connected_weight,
    DROP COLUMN connected_heads,
    DROP COLUMN is_named,
    DROP COLUMN quorum,
    DROP COLUMN decision_rule;
ALTER TABLE meetings DROP COLUMN quorum_at_opening, DROP COLUMN quorum;
ALTER TABLE questions DROP COLUMN is_named, DROP COLUMN quorum, DROP COLUMN decision_rule;
