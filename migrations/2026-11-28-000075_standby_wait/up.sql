-- Whether a commit waits for a standby, for longer than a healthy one takes. PostgreSQL shows what a session waits for only to
-- its own user, and pooled connections may have changed to a role without rights: so the function has those of its owner.
CREATE FUNCTION waits_for_standby() RETURNS BOOLEAN
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog
AS $$
    SELECT EXISTS (
        SELECT FROM pg_stat_activity
        WHERE wait_event = 'SyncRep' AND usename = session_user
          AND query_start < clock_timestamp() - interval '3 seconds'
    )
$$;
