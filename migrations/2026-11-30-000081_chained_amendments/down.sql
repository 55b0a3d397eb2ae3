DROP TRIGGER amendments_audit_insert ON amendments;
DROP FUNCTION audit_amendment();
