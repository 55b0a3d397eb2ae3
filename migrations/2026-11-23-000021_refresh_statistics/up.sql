-- Tells the planner how many rows a table has now, for whoever has just written very many or is about to refer to them. The
-- checks of foreign keys are planned once for a connection, perhaps while a client had one person, when an index by the client
-- is as good as the one by the person's id; this makes PostgreSQL plan them anew. It belongs to the owner of the tables, who
-- alone may do it. Where somebody else does it at this moment, it is done.
CREATE FUNCTION refresh_statistics(table_name TEXT) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path FROM CURRENT SET lock_timeout = '2s' AS $$
BEGIN
    IF table_name NOT IN ('end_users', 'meetings', 'participants') THEN
        RAISE EXCEPTION 'the statistics of % are not refreshed', table_name USING ERRCODE = 'insufficient_privilege';
    END IF;
    EXECUTE format('ANALYZE %I', table_name);
EXCEPTION WHEN lock_not_available THEN
    NULL;
END $$;
