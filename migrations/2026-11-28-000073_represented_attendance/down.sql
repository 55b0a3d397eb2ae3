ALTER TABLE attendance
    DROP COLUMN represented_weight,
    DROP COLUMN represented_heads;
