-- The codes that clients have or had (decision 74): a former code still leads to its client, and no other client gets it as long
-- as that one exists.

SET LOCAL lock_timeout = '10s';

CREATE TABLE client_codes (
    code TEXT NOT NULL,
    client_id UUID NOT NULL,
    CONSTRAINT client_codes_pkey PRIMARY KEY (code),
    CONSTRAINT client_codes_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients (id) ON DELETE CASCADE
);
CREATE INDEX client_codes_client_id_idx ON client_codes (client_id);

-- The primary key decides: it also waits for concurrent transactions, and sees the rows of all clients. A conflict with an own
-- row is a client that takes its former code again.
CREATE FUNCTION keep_client_code() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    INSERT INTO client_codes (code, client_id) VALUES (NEW.client_code, NEW.id) ON CONFLICT DO NOTHING;
    IF NOT FOUND AND NOT EXISTS (SELECT FROM client_codes c WHERE c.code = NEW.client_code AND c.client_id = NEW.id) THEN
        RAISE EXCEPTION 'the code % leads to another client', NEW.client_code
            USING ERRCODE = 'unique_violation', CONSTRAINT = 'clients_client_code_key', TABLE = 'clients';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER clients_code_insert AFTER INSERT ON clients FOR EACH ROW EXECUTE FUNCTION keep_client_code();
CREATE TRIGGER clients_code_update AFTER UPDATE ON clients FOR EACH ROW
    WHEN (OLD.client_code <> NEW.client_code) EXECUTE FUNCTION keep_client_code();

INSERT INTO client_codes (code, client_id) SELECT client_code, id FROM clients;
SELECT keep_apart('client_codes', 'client_id = tenant()');
