-- Fills a database with the history of years: past meetings of many organizations, with rounds, registers and votes, and
-- end users beside those who are measured (`plenum-load growth --fill`). Set-based; every constraint holds, which
-- fill-history.test.mjs looks at. Only a superuser of the database may do it.
--
--   node tools/loadtest/bench/run-sql.mjs tools/loadtest/bench/fill-history.sql client="$PLENUM_LOAD_CLIENT_ID"
--
-- client            the organization that is measured; it gets more of everything than any other
-- clients           how many other organizations there are
-- meetings          how many past meetings all of them have together
-- client_meetings   about how many of these are of the organization that is measured
-- votes             how many past votes there are; each past meeting has one round, in which all of its register voted
-- end_users         how many end users are added to the organization that is measured
--
-- Accounts that are made here cannot sign in: their passwords are the hashes of nothing.

BEGIN;
SET LOCAL synchronous_commit = off;

SELECT set_config('bench.' || name, coalesce(current_setting('bench.' || name, true), usual), true)
FROM (VALUES ('clients', '1000'), ('meetings', '100000'), ('client_meetings', '2000'), ('votes', '10000000'),
             ('end_users', '20000')) AS known (name, usual);

CREATE FUNCTION pg_temp.given(name text) RETURNS integer STABLE
RETURN current_setting('bench.' || name)::integer;

-- Ids begin with the time, as the product's own do (version 7): what is added comes last in each index, where random ids
-- would write all over indexes that are larger than the memory of the database.
CREATE FUNCTION pg_temp.id_of(made_at timestamptz) RETURNS uuid VOLATILE
RETURN (lpad(to_hex((extract(epoch FROM made_at) * 1000)::bigint), 12, '0') || '7' || right(gen_random_uuid()::text, 21))::uuid;

-- So that it can be carried out again on the same database.
SELECT set_config('bench.run', md5(clock_timestamp()::text || random()::text), true);

CREATE TEMPORARY TABLE filled_clients ON COMMIT DROP AS
SELECT number, pg_temp.id_of(now() - interval '3 years') AS id FROM generate_series(1, pg_temp.given('clients')) AS number;
INSERT INTO filled_clients VALUES (0, current_setting('bench.client')::uuid);

INSERT INTO clients (id, name, client_code, contact_email, status, subscription_plan, created_at)
SELECT id, 'Past ' || number, 'past-' || left(current_setting('bench.run'), 12) || '-' || number,
       'office-' || number || '@past.example', 'ACTIVE', 'PRO', now() - interval '3 years'
FROM filled_clients
WHERE number > 0;

INSERT INTO accounts (id, client_id, role, email, password_hash, first_name, last_name, created_at)
SELECT pg_temp.id_of(now() - interval '3 years'), id, 'CLIENT',
       'admin-' || current_setting('bench.run') || '-' || number || '@past.example',
       '$2b$10$LqWw4kYjYlFQeGm1cJc0Ke8N3kqVYz8m4p0tTSvJvM3nQXvGkq5iW', 'Past', 'Organizer', now() - interval '3 years'
FROM filled_clients
WHERE number > 0;

-- As many voters in each round as it takes; every organization has them as end users.
SELECT set_config('bench.voters', greatest(1, ceil(pg_temp.given('votes')::numeric / pg_temp.given('meetings')))::text, true);

INSERT INTO end_users (id, client_id, username, name, weight, is_active, password_hash, created_at)
SELECT pg_temp.id_of(made_at), filled_clients.id, 'past-' || left(current_setting('bench.run'), 8) || '-' || person,
       'Past Person ' || person, 1, true, '$2b$04$LqWw4kYjYlFQeGm1cJc0Ke8N3kqVYz8m4p0tTSvJvM3nQXvGkq5iW', made_at
FROM filled_clients,
     generate_series(1, greatest(pg_temp.given('voters'), CASE number WHEN 0 THEN pg_temp.given('end_users') END)) AS person,
     LATERAL (SELECT now() - interval '3 years' + person * interval '1 minute' AS made_at) AS moment;

CREATE TEMPORARY TABLE filled_people ON COMMIT DROP AS
SELECT end_users.id, end_users.client_id, end_users.username, end_users.name,
       row_number() OVER (PARTITION BY end_users.client_id ORDER BY end_users.created_at) AS place
FROM end_users
JOIN filled_clients ON filled_clients.id = end_users.client_id
WHERE end_users.username LIKE 'past-' || left(current_setting('bench.run'), 8) || '-%';
DELETE FROM filled_people WHERE place > pg_temp.given('voters');
CREATE UNIQUE INDEX ON filled_people (client_id, place);

-- Every so many past meetings one is of the organization that is measured; the others go round the other organizations.
CREATE TEMPORARY TABLE filled_meetings ON COMMIT DROP AS
SELECT pg_temp.id_of(planned_at) AS id, pg_temp.id_of(planned_at) AS question_id, pg_temp.id_of(opened_at) AS round_id,
       pg_temp.id_of(planned_at) AS yes_id, pg_temp.id_of(planned_at) AS no_id, filled_clients.id AS client_id, meeting,
       planned_at, held_at, opened_at
FROM generate_series(1, pg_temp.given('meetings')) AS meeting
CROSS JOIN greatest(1, pg_temp.given('meetings') / greatest(1, pg_temp.given('client_meetings'))) AS every
CROSS JOIN LATERAL (
    SELECT now() - interval '3 years' + meeting * (interval '1050 days' / pg_temp.given('meetings'))
) AS held (held_at)
CROSS JOIN LATERAL (SELECT held_at - interval '14 days', held_at + interval '10 minutes') AS moments (planned_at, opened_at)
JOIN filled_clients ON filled_clients.number =
     CASE WHEN meeting % every = 0 THEN 0 ELSE 1 + (meeting - meeting / every) % pg_temp.given('clients') END
ORDER BY meeting;
ANALYZE filled_people, filled_meetings;

INSERT INTO meetings (id, client_id, title, status, scheduled_start_time, scheduled_end_time, started_at, ended_at,
                      is_recurring, has_participant_list, created_at)
SELECT id, client_id, 'Past meeting ' || meeting, 'COMPLETED', held_at, held_at + interval '2 hours', held_at,
       held_at + interval '2 hours', false, false, planned_at
FROM filled_meetings;

-- From here on nothing is done for each single row: no foreign key is looked up twenty million times, and none would miss
-- what it looks for. What else happens when end users or meetings are added does happen above.
SET LOCAL session_replication_role = replica;

INSERT INTO questions (id, client_id, meeting_id, position, question_text, question_type, is_required, created_at)
SELECT question_id, client_id, id, 1, 'Do you approve the minutes?', 'YES_NO', false, planned_at
FROM filled_meetings;

INSERT INTO options (id, client_id, question_id, position, option_text, role)
SELECT yes_id, client_id, question_id, 1, 'Yes', 'yes' FROM filled_meetings
UNION ALL
SELECT no_id, client_id, question_id, 2, 'No', 'no' FROM filled_meetings;

INSERT INTO rounds (id, client_id, meeting_id, question_id, number, status, question_text, question_type, opened_at,
                    ended_at, register_heads, register_weight, secrecy, counted_at, declared_at, declared_by)
SELECT round_id, client_id, id, question_id, 1, 'DECLARED', 'Do you approve the minutes?', 'YES_NO',
       opened_at, held_at + interval '11 minutes', pg_temp.given('voters'), pg_temp.given('voters'),
       'UNSHOWN', held_at + interval '12 minutes', held_at + interval '13 minutes', 'Past Organizer'
FROM filled_meetings;

INSERT INTO round_options (round_id, option_id, position, option_text, role)
SELECT round_id, yes_id, 1, 'Yes', 'yes' FROM filled_meetings
UNION ALL
SELECT round_id, no_id, 2, 'No', 'no' FROM filled_meetings;

-- One meeting after another, in the order of the indexes.
INSERT INTO register (round_id, end_user_id, username, name, weight, added_at)
SELECT round_id, voter.id, voter.username, voter.name, 1, opened_at
FROM filled_meetings,
     LATERAL (SELECT * FROM filled_people WHERE client_id = filled_meetings.client_id ORDER BY place OFFSET 0) AS voter;

INSERT INTO votes (id, round_id, end_user_id, option_ids, cast_at)
SELECT (left(round_id_text, -8) || lpad(to_hex(place), 8, '0'))::uuid, round_id, voter.id,
       ARRAY[CASE WHEN (place + meeting) % 3 = 0 THEN no_id ELSE yes_id END],
       opened_at + place * (interval '50 seconds' / pg_temp.given('voters'))
FROM (SELECT *, round_id::text AS round_id_text FROM filled_meetings OFFSET 0) AS held,
     LATERAL (SELECT * FROM filled_people WHERE client_id = held.client_id ORDER BY place OFFSET 0) AS voter;

INSERT INTO round_counters (round_id, writer, votes_cast)
SELECT round_id, 0, pg_temp.given('voters') FROM filled_meetings;

COMMIT;

-- As autovacuum does in a database that grew by itself.
VACUUM (ANALYZE);
-- What is measured next does not wait while all of this is written to its place.
CHECKPOINT;
