DROP TABLE recovery_codes;
DROP TABLE second_factors;
DROP FUNCTION audit_second_factor;
