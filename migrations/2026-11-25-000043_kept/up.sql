-- What is kept (decision 68): imported archives, and the audit log of a client that was deleted.

-- Archives of meetings, imported for reading. They are of other installations, or of meetings that were deleted: no key of them
-- refers to a row of this database.
CREATE TABLE archives (
    id UUID PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE CHECK (hash ~ '^[0-9a-f]{64}$'),
    organization_id UUID NOT NULL,
    organization TEXT NOT NULL,
    meeting_id UUID NOT NULL,
    title TEXT NOT NULL,
    scheduled_start TIMESTAMPTZ,
    rounds INTEGER NOT NULL CHECK (rounds >= 0),
    signing_key TEXT NOT NULL,
    is_origin_known BOOLEAN NOT NULL,
    archived_at TIMESTAMPTZ NOT NULL,
    imported_at TIMESTAMPTZ NOT NULL,
    content BYTEA NOT NULL
);
CREATE INDEX archives_imported_at_idx ON archives (imported_at, id);
SELECT keep_apart('archives', 'false');

-- Imports and removals stand in the platform's log.
CREATE FUNCTION audit_archives() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    archive archives := coalesce(NEW, OLD);
BEGIN
    PERFORM audit_event(audit_author(), CASE TG_OP WHEN 'INSERT' THEN 'archive_imported' ELSE 'archive_removed' END, NULL,
                        'archive', archive.id, archive.title, NULL,
                        jsonb_build_array(jsonb_build_array('hash', CASE TG_OP WHEN 'DELETE' THEN archive.hash END,
                                                            CASE TG_OP WHEN 'INSERT' THEN archive.hash END)));
    RETURN NULL;
END $$;
CREATE TRIGGER archives_audit AFTER INSERT OR DELETE ON archives FOR EACH ROW EXECUTE FUNCTION audit_archives();

-- The log of a deleted client stays, with the deletion as its last entry. Test data is no evidence: the log of a client that is
-- test data goes with it, unless one of its results was real.
CREATE OR REPLACE FUNCTION audit_forget_client() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    author audit_author := audit_author();
    forgotten UUID[] := ARRAY(
        SELECT o.id FROM old_rows o
        WHERE o.is_test AND NOT EXISTS (SELECT FROM result_records r WHERE r.client_id = o.id AND NOT r.is_test));
BEGIN
    DELETE FROM audit_entries WHERE chain = ANY (forgotten);
    DELETE FROM audit_heads WHERE chain = ANY (forgotten);
    INSERT INTO audit_entries (chain, kind, by_role, by_id, by_name, from_address, subject_kind, subject_id, subject_name,
                               meeting_title, changes)
    SELECT o.id, 'client_deleted', author.by_role, author.by_id, author.by_name, author.from_address, 'client', o.id, o.name,
           NULL, '[]'
    FROM old_rows o WHERE o.id <> ALL (forgotten);
    RETURN NULL;
END $$;
