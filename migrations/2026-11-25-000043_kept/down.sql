DROP TABLE archives;
DROP FUNCTION audit_archives();

CREATE OR REPLACE FUNCTION audit_forget_client() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    DELETE FROM audit_entries e USING old_rows o WHERE e.chain = o.id;
    DELETE FROM audit_heads h USING old_rows o WHERE h.chain = o.id;
    RETURN NULL;
END $$;
