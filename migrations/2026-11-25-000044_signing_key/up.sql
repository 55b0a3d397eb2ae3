-- The database also knows the fingerprint of the signing key, so that a start without it is refused (decision 69).
ALTER TABLE installation_keys DROP CONSTRAINT installation_keys_purpose_check;
ALTER TABLE installation_keys ADD CONSTRAINT installation_keys_purpose_check CHECK (purpose IN ('evidence', 'signing'));
