DROP TABLE client_branding;
DROP FUNCTION audit_client_branding();
