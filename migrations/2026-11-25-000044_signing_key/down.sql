DELETE FROM installation_keys WHERE purpose = 'signing';
ALTER TABLE installation_keys DROP CONSTRAINT installation_keys_purpose_check;
ALTER TABLE installation_keys ADD CONSTRAINT installation_keys_purpose_check CHECK (purpose IN ('evidence'));
