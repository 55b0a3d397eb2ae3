-- A person gets a limited number of ballots in a round, which are counted for each new one.
CREATE INDEX issued_ballots_round_id_end_user_id_idx ON issued_ballots (round_id, end_user_id);
