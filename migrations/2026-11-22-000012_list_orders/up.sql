-- The orders of lists, so that a page is read and not sorted out of everything.
CREATE INDEX clients_name_idx ON clients (lower(name), id);
CREATE INDEX accounts_created_at_idx ON accounts (created_at, id);
CREATE INDEX accounts_first_name_last_name_idx ON accounts (lower(first_name || ' ' || last_name), id);
CREATE INDEX meetings_client_id_title_idx ON meetings (client_id, lower(title), id);
