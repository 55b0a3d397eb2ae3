\set ballot :turn * :clients + :client_id
\set turn :turn + 1
\set round :ballot / :voters
\set voter :ballot % :voters
INSERT INTO bench.votes (id, round_id, end_user_id, option_ids, cast_at) SELECT lpad(to_hex(:ballot::bigint), 32, '0')::uuid, round_id, end_user_id, ARRAY[round_id], now() FROM bench.register WHERE round_id = lpad(to_hex(:round::bigint), 32, '0')::uuid AND end_user_id = lpad(to_hex(:voter::bigint), 32, '0')::uuid ON CONFLICT DO NOTHING;
