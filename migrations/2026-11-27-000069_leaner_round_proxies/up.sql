-- A round keeps thousands of proxies within its opening. Each belongs to an entry of the register, which belongs to a round of one
-- client: a client's id of its own, with a key and an index, said nothing more and was checked and written for each of them.
SET LOCAL lock_timeout = '10s';

DROP POLICY round_proxies_tenant_policy ON round_proxies;
DROP INDEX round_proxies_client_id_round_id_idx;
ALTER TABLE round_proxies DROP CONSTRAINT round_proxies_client_id_round_id_fkey, DROP COLUMN client_id;
SELECT keep_apart('round_proxies', '(SELECT rounds.id FROM rounds WHERE rounds.id = round_proxies.round_id) IS NOT NULL');
