-- One-time codes of personal links, sent by email (decision 80).

-- The last code of a link that was not used yet. Its hash is made from the code and the token of the link.
CREATE TABLE join_codes (
    join_link_id UUID NOT NULL,
    client_id UUID NOT NULL,
    code_hash BYTEA NOT NULL,
    made_at TIMESTAMPTZ NOT NULL,
    expires_at TIMESTAMPTZ NOT NULL,
    tries SMALLINT NOT NULL,
    CONSTRAINT join_codes_pkey PRIMARY KEY (join_link_id),
    CONSTRAINT join_codes_join_link_id_fkey FOREIGN KEY (join_link_id) REFERENCES join_links (id) ON DELETE CASCADE,
    CONSTRAINT join_codes_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients (id) ON DELETE CASCADE,
    CONSTRAINT join_codes_tries_check CHECK (tries >= 0)
);
CREATE INDEX join_codes_client_id_idx ON join_codes (client_id);
SELECT keep_apart('join_codes', 'client_id = tenant()');

ALTER TABLE join_link_settings DROP CONSTRAINT join_link_settings_asks_check;
ALTER TABLE join_link_settings
    ADD CONSTRAINT join_link_settings_asks_check CHECK (asks IN ('NOTHING', 'PASSWORD', 'EMAIL_CODE'));
