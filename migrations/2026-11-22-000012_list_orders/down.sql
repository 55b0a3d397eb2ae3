DROP INDEX clients_name_idx;
DROP INDEX accounts_created_at_idx;
DROP INDEX accounts_first_name_last_name_idx;
DROP INDEX meetings_client_id_title_idx;
