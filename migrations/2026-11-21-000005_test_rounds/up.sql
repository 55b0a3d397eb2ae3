-- Whether the votes of a round may be deleted by the calls for tests. What a round was called when it opened is not
-- known any more, so that those there are count as real. So do those that an instance of the version before opens.
ALTER TABLE rounds ADD COLUMN is_test BOOLEAN NOT NULL DEFAULT false;
