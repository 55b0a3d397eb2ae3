DROP TRIGGER clients_code_update ON clients;
DROP TRIGGER clients_code_insert ON clients;
DROP FUNCTION keep_client_code();
DROP TABLE client_codes;
