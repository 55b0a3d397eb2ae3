-- Opens a session for every end user of an organization, so that thousands of simulated voters do not have to sign in
-- before something else is measured (`plenum-load --open-sessions`). Each gets a refresh token that plenum-load can work
-- out: the SHA-256 of the secret that it made up for this run, a colon and the username, in base64 for addresses. So it has
-- the form of every token. What is stored is its SHA-256, as always, and the voter exchanges it over HTTP for tokens as
-- real as any.
--
--   node tools/loadtest/bench/run-sql.mjs tools/loadtest/bench/open-sessions.sql client="$PLENUM_LOAD_CLIENT_ID" secret="$PLENUM_LOAD_SECRET"

WITH opened AS (
    INSERT INTO sessions (id, client_id, end_user_id, remember_me, started_at, expires_at)
    SELECT gen_random_uuid(), client_id, id, false, now(), now() + interval '1 day'
    FROM end_users
    WHERE client_id = current_setting('bench.client')::uuid
    RETURNING id, end_user_id
)
INSERT INTO refresh_tokens (token_hash, session_id, issued_at, expires_at)
SELECT sha256(convert_to(rtrim(translate(encode(secret, 'base64'), '+/', '-_'), '='), 'UTF8')), opened.id, now(),
       now() + interval '1 day'
FROM opened
JOIN end_users ON end_users.id = opened.end_user_id,
     LATERAL sha256(convert_to(current_setting('bench.secret') || ':' || end_users.username, 'UTF8')) AS secret;
