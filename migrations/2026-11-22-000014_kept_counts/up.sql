-- How many end users and meetings each client has, so that the total beside a page of a list is read and not counted
-- (decision 31). PostgreSQL keeps the numbers itself, whoever writes: each statement that adds, changes or deletes rows
-- changes them once, however many rows it is about, and not at all where nothing that is counted has changed.

-- In the order in which a removal of a client writes them; who waits here holds up everybody who signs in.
SET LOCAL lock_timeout = '10s';
LOCK TABLE end_users, clients, meetings IN SHARE ROW EXCLUSIVE MODE;

-- One row for each client and kind, those of which there is nothing included.
CREATE TABLE end_user_counts (
    client_id UUID NOT NULL,
    is_active BOOLEAN NOT NULL,
    is_test BOOLEAN NOT NULL,
    number BIGINT NOT NULL,
    weight NUMERIC(20, 4) NOT NULL,
    CONSTRAINT end_user_counts_pkey PRIMARY KEY (client_id, is_active, is_test),
    CONSTRAINT end_user_counts_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients (id) ON DELETE CASCADE
) WITH (fillfactor = 50);

CREATE TABLE meeting_counts (
    client_id UUID NOT NULL,
    status TEXT NOT NULL,
    is_test BOOLEAN NOT NULL,
    number BIGINT NOT NULL,
    CONSTRAINT meeting_counts_pkey PRIMARY KEY (client_id, status, is_test),
    CONSTRAINT meeting_counts_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients (id) ON DELETE CASCADE
) WITH (fillfactor = 50);

CREATE FUNCTION start_counts() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    INSERT INTO end_user_counts (client_id, is_active, is_test, number, weight)
        SELECT added.id, activity.is_active, kinds.is_test, 0, 0
        FROM added
        CROSS JOIN (VALUES (false), (true)) AS activity (is_active)
        CROSS JOIN (VALUES (false), (true)) AS kinds (is_test);
    INSERT INTO meeting_counts (client_id, status, is_test, number)
        SELECT added.id, statuses.status, kinds.is_test, 0
        FROM added
        CROSS JOIN (VALUES ('DRAFT'), ('SCHEDULED'), ('ACTIVE'), ('COMPLETED'), ('CANCELLED')) AS statuses (status)
        CROSS JOIN (VALUES (false), (true)) AS kinds (is_test);
    RETURN NULL;
END $$;

CREATE TRIGGER clients_start_counts AFTER INSERT ON clients
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION start_counts();

-- All numbers of a client are locked before one is changed: two transactions that change several of them, one after the
-- other, would otherwise wait for each other in a circle. Those of a client that is being removed are gone, and stay so.
CREATE FUNCTION add_to_end_user_counts(client UUID, active BOOLEAN, test BOOLEAN, more BIGINT, more_weight NUMERIC)
RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    PERFORM FROM end_user_counts WHERE client_id = client ORDER BY is_active, is_test FOR NO KEY UPDATE;
    UPDATE end_user_counts SET number = number + more, weight = weight + more_weight
        WHERE client_id = client AND is_active = active AND is_test = test;
END $$;

CREATE FUNCTION add_to_meeting_counts(client UUID, in_status TEXT, test BOOLEAN, more BIGINT)
RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    PERFORM FROM meeting_counts WHERE client_id = client ORDER BY status, is_test FOR NO KEY UPDATE;
    UPDATE meeting_counts SET number = number + more
        WHERE client_id = client AND status = in_status AND is_test = test;
END $$;

-- `rows_now` are those that were added, those that were deleted, or what those are now that were changed, who had been
-- `rows_before`.
CREATE FUNCTION keep_end_user_counts() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    change record;
    direction INTEGER := CASE TG_OP WHEN 'DELETE' THEN -1 ELSE 1 END;
BEGIN
    IF TG_OP = 'UPDATE' THEN
        FOR change IN
            SELECT client_id, is_active, is_test, sum(number) AS number, sum(weight) AS weight
            FROM (SELECT client_id, is_active, is_test, 1 AS number, weight FROM rows_now
                  UNION ALL
                  SELECT client_id, is_active, is_test, -1, -weight FROM rows_before) AS moves
            GROUP BY client_id, is_active, is_test
            HAVING sum(number) <> 0 OR sum(weight) <> 0
            ORDER BY client_id, is_active, is_test
        LOOP
            PERFORM add_to_end_user_counts(
                change.client_id, change.is_active, change.is_test, change.number, change.weight);
        END LOOP;
    ELSE
        FOR change IN
            SELECT client_id, is_active, is_test, direction * count(*) AS number, direction * sum(weight) AS weight
            FROM rows_now
            GROUP BY client_id, is_active, is_test
            ORDER BY client_id, is_active, is_test
        LOOP
            PERFORM add_to_end_user_counts(
                change.client_id, change.is_active, change.is_test, change.number, change.weight);
        END LOOP;
    END IF;
    RETURN NULL;
END $$;

CREATE FUNCTION keep_meeting_counts() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    change record;
    direction INTEGER := CASE TG_OP WHEN 'DELETE' THEN -1 ELSE 1 END;
BEGIN
    IF TG_OP = 'UPDATE' THEN
        FOR change IN
            SELECT client_id, status, is_test, sum(number) AS number
            FROM (SELECT client_id, status, is_test, 1 AS number FROM rows_now
                  UNION ALL
                  SELECT client_id, status, is_test, -1 FROM rows_before) AS moves
            GROUP BY client_id, status, is_test
            HAVING sum(number) <> 0
            ORDER BY client_id, status, is_test
        LOOP
            PERFORM add_to_meeting_counts(change.client_id, change.status, change.is_test, change.number);
        END LOOP;
    ELSE
        FOR change IN
            SELECT client_id, status, is_test, direction * count(*) AS number
            FROM rows_now
            GROUP BY client_id, status, is_test
            ORDER BY client_id, status, is_test
        LOOP
            PERFORM add_to_meeting_counts(change.client_id, change.status, change.is_test, change.number);
        END LOOP;
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER end_users_count_inserted AFTER INSERT ON end_users
    REFERENCING NEW TABLE AS rows_now FOR EACH STATEMENT EXECUTE FUNCTION keep_end_user_counts();
CREATE TRIGGER end_users_count_updated AFTER UPDATE ON end_users
    REFERENCING OLD TABLE AS rows_before NEW TABLE AS rows_now FOR EACH STATEMENT EXECUTE FUNCTION keep_end_user_counts();
CREATE TRIGGER end_users_count_deleted AFTER DELETE ON end_users
    REFERENCING OLD TABLE AS rows_now FOR EACH STATEMENT EXECUTE FUNCTION keep_end_user_counts();

CREATE TRIGGER meetings_count_inserted AFTER INSERT ON meetings
    REFERENCING NEW TABLE AS rows_now FOR EACH STATEMENT EXECUTE FUNCTION keep_meeting_counts();
CREATE TRIGGER meetings_count_updated AFTER UPDATE ON meetings
    REFERENCING OLD TABLE AS rows_before NEW TABLE AS rows_now FOR EACH STATEMENT EXECUTE FUNCTION keep_meeting_counts();
CREATE TRIGGER meetings_count_deleted AFTER DELETE ON meetings
    REFERENCING OLD TABLE AS rows_now FOR EACH STATEMENT EXECUTE FUNCTION keep_meeting_counts();

-- Counts everything anew, for what was there before and for whoever has written past the triggers. Nobody writes meanwhile.
CREATE FUNCTION recount_clients() RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    LOCK TABLE end_users, clients, meetings IN SHARE ROW EXCLUSIVE MODE;
    DELETE FROM end_user_counts;
    DELETE FROM meeting_counts;
    INSERT INTO end_user_counts (client_id, is_active, is_test, number, weight)
        SELECT clients.id, activity.is_active, kinds.is_test, coalesce(counted.number, 0), coalesce(counted.weight, 0)
        FROM clients
        CROSS JOIN (VALUES (false), (true)) AS activity (is_active)
        CROSS JOIN (VALUES (false), (true)) AS kinds (is_test)
        LEFT JOIN (SELECT client_id, is_active, is_test, count(*) AS number, sum(weight) AS weight
                   FROM end_users GROUP BY client_id, is_active, is_test) AS counted
            ON counted.client_id = clients.id AND counted.is_active = activity.is_active
               AND counted.is_test = kinds.is_test;
    INSERT INTO meeting_counts (client_id, status, is_test, number)
        SELECT clients.id, statuses.status, kinds.is_test, coalesce(counted.number, 0)
        FROM clients
        CROSS JOIN (VALUES ('DRAFT'), ('SCHEDULED'), ('ACTIVE'), ('COMPLETED'), ('CANCELLED')) AS statuses (status)
        CROSS JOIN (VALUES (false), (true)) AS kinds (is_test)
        LEFT JOIN (SELECT client_id, status, is_test, count(*) AS number
                   FROM meetings GROUP BY client_id, status, is_test) AS counted
            ON counted.client_id = clients.id AND counted.status = statuses.status
               AND counted.is_test = kinds.is_test;
END $$;

SELECT recount_clients();
