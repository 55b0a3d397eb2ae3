-- Steps of organizers, and rounds that end by themselves.

-- How many steps were made in a meeting, so that one that was decided on an older state is refused. Those of an instance
-- of the version before are not counted.
ALTER TABLE meetings ADD COLUMN step BIGINT NOT NULL DEFAULT 0;

-- When an open round ends by itself.
ALTER TABLE rounds ADD COLUMN closes_at TIMESTAMPTZ;
ALTER TABLE rounds ADD CONSTRAINT rounds_closes_at_check CHECK (closes_at IS NULL OR status = 'OPEN');

-- Looked into once a second; as small as the number of countdowns that run.
CREATE INDEX rounds_closes_at_idx ON rounds (closes_at) WHERE closes_at IS NOT NULL;
