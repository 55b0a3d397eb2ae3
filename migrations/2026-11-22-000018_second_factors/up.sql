-- The second factors of accounts. Secrets are sealed with a key that is not in the database. One whose owner has not shown a
-- code of it yet is not asked for; afterwards only codes of steps after the last one that was used are good.
CREATE TABLE second_factors (
    account_id UUID NOT NULL,
    secret_sealed BYTEA NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    confirmed_at TIMESTAMPTZ,
    last_step BIGINT,
    CONSTRAINT second_factors_pkey PRIMARY KEY (account_id),
    CONSTRAINT second_factors_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE,
    CONSTRAINT second_factors_confirmed_check CHECK ((confirmed_at IS NULL) = (last_step IS NULL))
);

-- What opens a session in place of a code, each once.
CREATE TABLE recovery_codes (
    account_id UUID NOT NULL,
    code_hash BYTEA NOT NULL,
    used_at TIMESTAMPTZ,
    CONSTRAINT recovery_codes_pkey PRIMARY KEY (account_id, code_hash),
    CONSTRAINT recovery_codes_account_id_fkey FOREIGN KEY (account_id) REFERENCES second_factors (account_id)
        ON DELETE CASCADE
);

SELECT keep_apart(name::regclass,
                  format('(SELECT accounts.id FROM accounts WHERE accounts.id = %I.account_id) IS NOT NULL', name))
FROM unnest(ARRAY['recovery_codes', 'second_factors']) AS name;

-- That a factor was turned on or off is told by the audit log; what goes with its account is told by that.
CREATE FUNCTION audit_second_factor() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    is_on CONSTANT BOOLEAN := TG_OP = 'UPDATE';
BEGIN
    PERFORM audit_event(audit_author(), 'account_changed', a.client_id, 'account', a.id, a.first_name || ' ' || a.last_name,
                        NULL, jsonb_build_array(jsonb_build_array('second_factor', CASE WHEN is_on THEN 'off' ELSE 'on' END,
                                                                  CASE WHEN is_on THEN 'on' ELSE 'off' END)))
    FROM accounts a WHERE a.id = OLD.account_id;
    RETURN NULL;
END $$;

CREATE TRIGGER second_factors_audit_update AFTER UPDATE OF confirmed_at ON second_factors FOR EACH ROW
    WHEN (OLD.confirmed_at IS NULL AND NEW.confirmed_at IS NOT NULL) EXECUTE FUNCTION audit_second_factor();
CREATE TRIGGER second_factors_audit_delete AFTER DELETE ON second_factors FOR EACH ROW
    WHEN (OLD.confirmed_at IS NOT NULL) EXECUTE FUNCTION audit_second_factor();

-- Whoever renews the recovery codes takes the place of those that there were, and each of them opens a session.
CREATE FUNCTION audit_recovery_codes() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    PERFORM audit_event(audit_author(), 'account_changed', a.client_id, 'account', a.id, a.first_name || ' ' || a.last_name,
                        NULL, '[["recovery_codes", null, null]]')
    FROM accounts a WHERE a.id IN (SELECT account_id FROM came);
    RETURN NULL;
END $$;

CREATE FUNCTION audit_recovery_code() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    PERFORM audit_event(audit_author(), 'account_changed', a.client_id, 'account', a.id, a.first_name || ' ' || a.last_name,
                        NULL, '[["recovery_code_used", null, null]]')
    FROM accounts a WHERE a.id = NEW.account_id;
    RETURN NULL;
END $$;

CREATE TRIGGER recovery_codes_audit_insert AFTER INSERT ON recovery_codes REFERENCING NEW TABLE AS came
    FOR EACH STATEMENT EXECUTE FUNCTION audit_recovery_codes();
CREATE TRIGGER recovery_codes_audit_update AFTER UPDATE OF used_at ON recovery_codes FOR EACH ROW
    EXECUTE FUNCTION audit_recovery_code();
