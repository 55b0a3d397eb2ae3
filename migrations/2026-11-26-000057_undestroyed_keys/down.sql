DROP INDEX urns_round_id_idx;
