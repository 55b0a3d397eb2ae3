SELECT set_config('plenum.tenant', 'all', true);
ALTER TABLE round_proxies DISABLE TRIGGER USER;
ALTER TABLE round_proxies ADD COLUMN client_id UUID;
UPDATE round_proxies SET client_id = rounds.client_id FROM rounds WHERE rounds.id = round_proxies.round_id;
ALTER TABLE round_proxies ALTER COLUMN client_id SET NOT NULL,
    ADD CONSTRAINT round_proxies_client_id_round_id_fkey
        FOREIGN KEY (client_id, round_id) REFERENCES rounds (client_id, id) ON DELETE CASCADE;
CREATE INDEX round_proxies_client_id_round_id_idx ON round_proxies (client_id, round_id);
ALTER TABLE round_proxies ENABLE TRIGGER USER;
DROP POLICY round_proxies_tenant_policy ON round_proxies;
SELECT keep_apart('round_proxies', 'client_id = tenant()');
