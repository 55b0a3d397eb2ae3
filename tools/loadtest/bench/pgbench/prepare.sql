-- What pgbench's clients vote in: tables with the columns, keys and checks of ours, in a schema of their own. A register
-- entry has no key to a round and nothing counts the votes: that is less work than ours is, so pgbench is not wronged.
DROP SCHEMA IF EXISTS bench CASCADE;
CREATE SCHEMA bench;
CREATE TABLE bench.register (LIKE public.register INCLUDING ALL);
CREATE TABLE bench.votes (LIKE public.votes INCLUDING ALL);

-- The numbers of round and voter are their ids, so that a client of pgbench can name the next one.
INSERT INTO bench.register (round_id, end_user_id, username, name, weight, added_at)
SELECT lpad(to_hex(round), 32, '0')::uuid, lpad(to_hex(voter), 32, '0')::uuid,
       'voter' || voter, 'Voter ' || voter, 1, now()
FROM generate_series(0, current_setting('bench.rounds')::integer - 1) AS round,
     generate_series(0, current_setting('bench.voters')::integer - 1) AS voter;

ALTER TABLE bench.votes ADD FOREIGN KEY (round_id, end_user_id) REFERENCES bench.register (round_id, end_user_id);
VACUUM ANALYZE bench.register;
CHECKPOINT;
