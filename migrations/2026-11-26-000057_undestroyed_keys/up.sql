-- Finds counted secret rounds whose key is not noted as destroyed, however many rounds there are: a crash between the two
-- leaves such a round, and the sweep of the keys notes it.
CREATE INDEX urns_round_id_idx ON urns (round_id) WHERE opened_at IS NOT NULL AND key_destroyed_at IS NULL;
