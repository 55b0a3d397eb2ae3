-- Attendance notes also count the people whose vote the holder of a proxy can cast (decision 99). Notes of earlier versions counted
-- none of them.
SET LOCAL lock_timeout = '10s';

ALTER TABLE attendance
    ADD COLUMN represented_heads INTEGER NOT NULL DEFAULT 0,
    ADD COLUMN represented_weight NUMERIC NOT NULL DEFAULT 0,
    ADD CONSTRAINT attendance_represented_heads_check CHECK (represented_heads >= 0),
    ADD CONSTRAINT attendance_represented_weight_check CHECK (represented_weight >= 0);
