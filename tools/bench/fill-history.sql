-- Fills a database with the history of years: past meetings of many organizations, with rounds, registers and votes, and
-- end users beside those who are measured (`plenum-load growth --fill`). Set-based; every constraint holds.
--
--   node tools/bench/carry-out.mjs tools/bench/fill-history.sql client="$PLENUM_LOAD_CLIENT_ID"
--
-- client      the organization that is measured; it gets its share of everything, and most of the end users
-- clients     how many other organizations there are
-- meetings    how many past meetings all of them have together
-- votes       how many past votes there are; each past meeting has one round, in which all of its register voted
-- end_users   how many end users are added to the organization that is measured
--
-- Accounts that are made here cannot sign in: their passwords are the hashes of nothing.

BEGIN;
SET LOCAL synchronous_commit = off;

SELECT set_config('bench.' || name, coalesce(current_setting('bench.' || name, true), usual), true)
FROM (VALUES ('clients', '1000'), ('meetings', '100000'), ('votes', '10000000'), ('end_users', '20000')) AS known (name, usual);

CREATE FUNCTION pg_temp.given(name text) RETURNS integer STABLE
RETURN current_setting('bench.' || name)::integer;

-- So that it can be carried out again on the same database.
SELECT set_config('bench.run', md5(clock_timestamp()::text || random()::text), true);

CREATE TEMPORARY TABLE filled_clients ON COMMIT DROP AS
SELECT number, gen_random_uuid() AS id FROM generate_series(1, pg_temp.given('clients')) AS number;
INSERT INTO filled_clients VALUES (0, current_setting('bench.client')::uuid);

INSERT INTO clients (id, name, client_code, contact_email, status, subscription_plan, created_at)
SELECT id, 'Past ' || number, 'past-' || left(current_setting('bench.run'), 12) || '-' || number,
       'office-' || number || '@past.example', 'ACTIVE', 'PRO', now() - interval '3 years'
FROM filled_clients
WHERE number > 0;

INSERT INTO accounts (id, client_id, role, email, password_hash, first_name, last_name, created_at)
SELECT gen_random_uuid(), id, 'CLIENT', 'admin-' || current_setting('bench.run') || '-' || number || '@past.example',
       '$2b$10$LqWw4kYjYlFQeGm1cJc0Ke8N3kqVYz8m4p0tTSvJvM3nQXvGkq5iW', 'Past', 'Organizer', now() - interval '3 years'
FROM filled_clients
WHERE number > 0;

-- As many voters in each round as it takes; every organization has them as end users.
SELECT set_config('bench.voters', greatest(1, ceil(pg_temp.given('votes')::numeric / pg_temp.given('meetings')))::text, true);

INSERT INTO end_users (id, client_id, username, name, weight, is_active, password_hash, created_at)
SELECT gen_random_uuid(), filled_clients.id, 'past-' || left(current_setting('bench.run'), 8) || '-' || person,
       'Past Person ' || person, 1, true,
       '$2b$04$LqWw4kYjYlFQeGm1cJc0Ke8N3kqVYz8m4p0tTSvJvM3nQXvGkq5iW',
       now() - interval '3 years' + person * interval '1 minute'
FROM filled_clients,
     generate_series(1, greatest(pg_temp.given('voters'), CASE number WHEN 0 THEN pg_temp.given('end_users') END)) AS person;

CREATE TEMPORARY TABLE filled_people ON COMMIT DROP AS
SELECT end_users.id, end_users.client_id, end_users.username, end_users.name,
       row_number() OVER (PARTITION BY end_users.client_id ORDER BY end_users.username) AS place
FROM end_users
JOIN filled_clients ON filled_clients.id = end_users.client_id
WHERE end_users.username LIKE 'past-' || left(current_setting('bench.run'), 8) || '-%';
DELETE FROM filled_people WHERE place > pg_temp.given('voters');
CREATE INDEX ON filled_people (client_id);

-- Past meetings go round the organizations.
CREATE TEMPORARY TABLE filled_meetings ON COMMIT DROP AS
SELECT gen_random_uuid() AS id, gen_random_uuid() AS question_id, gen_random_uuid() AS round_id,
       gen_random_uuid() AS yes_id, gen_random_uuid() AS no_id, filled_clients.id AS client_id, meeting,
       now() - interval '3 years' + meeting * (interval '1050 days' / pg_temp.given('meetings')) AS held_at
FROM generate_series(1, pg_temp.given('meetings')) AS meeting
JOIN filled_clients ON filled_clients.number = meeting % (pg_temp.given('clients') + 1);

INSERT INTO meetings (id, client_id, title, status, scheduled_start_time, scheduled_end_time, started_at, ended_at,
                      is_recurring, has_participant_list, created_at)
SELECT id, client_id, 'Past meeting ' || meeting, 'COMPLETED', held_at, held_at + interval '2 hours', held_at,
       held_at + interval '2 hours', false, false, held_at - interval '14 days'
FROM filled_meetings;

INSERT INTO questions (id, client_id, meeting_id, position, question_text, question_type, is_required, created_at)
SELECT question_id, client_id, id, 1, 'Do you approve the minutes?', 'YES_NO', false, held_at - interval '14 days'
FROM filled_meetings;

INSERT INTO options (id, client_id, question_id, position, option_text, role)
SELECT yes_id, client_id, question_id, 1, 'Yes', 'yes' FROM filled_meetings
UNION ALL
SELECT no_id, client_id, question_id, 2, 'No', 'no' FROM filled_meetings;

INSERT INTO rounds (id, client_id, meeting_id, question_id, number, status, question_text, question_type, opened_at,
                    ended_at, register_heads, register_weight, is_named, counted_at, declared_at, declared_by)
SELECT round_id, client_id, id, question_id, 1, 'DECLARED', 'Do you approve the minutes?', 'YES_NO',
       held_at + interval '10 minutes', held_at + interval '11 minutes', pg_temp.given('voters'), pg_temp.given('voters'),
       false, held_at + interval '12 minutes', held_at + interval '13 minutes', 'Past Organizer'
FROM filled_meetings;

INSERT INTO round_options (round_id, option_id, position, option_text, role)
SELECT round_id, yes_id, 1, 'Yes', 'yes' FROM filled_meetings
UNION ALL
SELECT round_id, no_id, 2, 'No', 'no' FROM filled_meetings;

INSERT INTO register (round_id, end_user_id, username, name, weight, added_at)
SELECT round_id, filled_people.id, username, name, 1, held_at + interval '10 minutes'
FROM filled_meetings
JOIN filled_people USING (client_id);

INSERT INTO votes (id, round_id, end_user_id, option_ids, cast_at)
SELECT gen_random_uuid(), round_id, filled_people.id,
       ARRAY[CASE WHEN (place + meeting) % 3 = 0 THEN no_id ELSE yes_id END], held_at + interval '10 minutes 30 seconds'
FROM filled_meetings
JOIN filled_people USING (client_id);

INSERT INTO round_counters (round_id, writer, votes_cast)
SELECT round_id, 0, pg_temp.given('voters') FROM filled_meetings;

COMMIT;

-- As autovacuum does in a database that grew by itself.
VACUUM (ANALYZE);
