DROP TABLE recovery_codes;
DROP TABLE second_factors;
DROP FUNCTION audit_second_factor;
DROP FUNCTION audit_recovery_codes;
DROP FUNCTION audit_recovery_code;
