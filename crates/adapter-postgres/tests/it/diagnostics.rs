//! The checks find damage, name it, and show no client the rows of another one.

mod marks;

use std::collections::BTreeSet;

use diesel::connection::SimpleConnection;
use diesel::pg::PgConnection;
use plenum_adapter_postgres::testkit::TestDatabase;
use plenum_adapter_postgres::{IntegrityCheck, PostgresDiagnostics};
use plenum_kernel::ClientId;

/// Rows of every kind that a client can have, all valid. `@1` and so on become ids of this client.
const HEALTHY: &str = "
    INSERT INTO clients VALUES (@1, 'Club', 'club-@', 'club@example.org', 'ACTIVE', 'BASIC', now());
    INSERT INTO accounts VALUES (@2, @1, 'CLIENT', '@@example.org', 'hash', 'A', 'B', NULL, now());
    INSERT INTO end_users (id, client_id, username, name, weight, is_active, password_hash, created_at) VALUES
        (@3, @1, 'ada', 'Ada', 1, true, 'hash', now()), (@4, @1, 'ben', 'Ben', 2.5, true, 'hash', now());
    INSERT INTO sessions VALUES
        (@5, @1, @2, NULL, false, now(), now(), NULL), (@6, @1, NULL, @3, false, now(), now(), NULL);
    INSERT INTO refresh_tokens VALUES ('@', @6, now(), now(), NULL);
    INSERT INTO meetings (id, client_id, title, status, scheduled_start_time, scheduled_end_time, started_at, ended_at,
                          is_recurring, has_participant_list, created_at) VALUES
        (@10, @1, 'Assembly', 'ACTIVE', now(), now() + interval '1 hour', now(), NULL, false, true, now()),
        (@20, @1, 'Last one', 'COMPLETED', now(), now() + interval '1 hour', now(), now(), false, false, now()),
        (@30, @1, 'Called off', 'CANCELLED', now(), now() + interval '1 hour', NULL, NULL, false, false, now());
    INSERT INTO participants VALUES (@1, @10, @3), (@1, @10, @4);
    INSERT INTO questions VALUES
        (@11, @1, @10, 1, '?', 'YES_NO', true, NULL, NULL, now()),
        (@12, @1, @10, 2, '?', 'MULTIPLE_CHOICE', true, NULL, 2, now()),
        (@13, @1, @10, 3, '?', 'RATING', true, 5, NULL, now()),
        (@14, @1, @10, 4, '?', 'PERCENTAGE', true, NULL, NULL, now()),
        (@15, @1, @10, 5, '?', 'OPEN_TEXT', true, NULL, NULL, now()),
        (@21, @1, @20, 1, '?', 'OPEN_TEXT', true, NULL, NULL, now());
    UPDATE meetings SET current_question_id = @11 WHERE id = @10;
    INSERT INTO options VALUES
        (@101, @1, @11, 1, 'Yes', 'yes'), (@102, @1, @11, 2, 'No', 'no'),
        (@103, @1, @12, 1, 'A', 'choice'), (@104, @1, @12, 2, 'B', 'choice'), (@105, @1, @12, 3, 'C', 'choice');
    INSERT INTO rounds VALUES
        (@201, @1, @10, @11, 1, 'OPEN', '?', 'YES_NO', NULL, NULL, now(), NULL, 2, 3.5, false),
        (@202, @1, @10, @12, 1, 'ENDED', '?', 'MULTIPLE_CHOICE', NULL, 2, now(), now(), 2, 3.5, false),
        (@203, @1, @10, @13, 1, 'ENDED', '?', 'RATING', 5, NULL, now(), now(), 2, 3.5, false),
        (@204, @1, @10, @14, 1, 'ENDED', '?', 'PERCENTAGE', NULL, NULL, now(), now(), 2, 3.5, false),
        (@205, @1, @10, @15, 1, 'ENDED', '?', 'OPEN_TEXT', NULL, NULL, now(), now(), 2, 3.5, false),
        (@206, @1, @20, @21, 1, 'ENDED', '?', 'OPEN_TEXT', NULL, NULL, now(), now(), 0, 0, false);
    INSERT INTO round_options SELECT @201, id, position, option_text, role FROM options WHERE question_id = @11;
    INSERT INTO round_options SELECT @202, id, position, option_text, role FROM options WHERE question_id = @12;
    INSERT INTO register SELECT rounds.id, end_users.id, username, name, weight, now()
        FROM rounds JOIN end_users USING (client_id) WHERE client_id = @1 AND meeting_id = @10;
    INSERT INTO votes VALUES
        (@301, @201, @3, ARRAY[@101], NULL, NULL, now()), (@302, @202, @3, ARRAY[@103, @105], NULL, NULL, now()),
        (@303, @203, @3, NULL, 5, NULL, now()), (@304, @204, @3, NULL, 12.5, NULL, now()),
        (@305, @205, @3, NULL, NULL, 'Trees', now()), (@306, @205, @4, NULL, NULL, 'Benches', now());
    INSERT INTO round_counters VALUES
        (@201, 1, 1), (@202, 1, 1), (@203, 1, 1), (@204, 1, 2), (@204, -1, -1), (@205, 1, 1), (@205, 2, 1);
    UPDATE rounds SET status = 'DECLARED', declared_at = now(), declared_by = 'Ada' WHERE id = @205;";

/// Kinds of damage, with the checks that find them and their number of findings. `@` is our client, `~` the other one. The
/// last column is what our administrators see, if that is less: rows without a parent belong to no client.
type Damage = (&'static str, &'static [(&'static str, u64)], Option<u64>);

const DAMAGES: &[Damage] = &[
    // One account, two end users, two sessions, three meetings, and their maintained counts.
    ("DELETE FROM clients WHERE id = @1", &[("missing_parent", 10)], None),
    ("DELETE FROM accounts WHERE id = @2", &[("missing_parent", 1)], None),
    ("DELETE FROM end_users WHERE id = @3", &[("missing_parent", 2)], None),
    ("INSERT INTO password_resets VALUES ('@', @99, 'a@b.example', 'hash', now())", &[("missing_parent", 1)], Some(0)),
    ("INSERT INTO second_factors VALUES (@99, '', now())", &[("missing_parent", 1)], Some(0)),
    ("INSERT INTO recovery_codes VALUES (@99, 'a'), (@99, 'b')", &[("missing_parent", 1)], Some(0)),
    ("DELETE FROM sessions WHERE id = @6", &[("missing_parent", 1)], Some(0)),
    // Two participants, five questions and five rounds.
    ("DELETE FROM meetings WHERE id = @10", &[("missing_parent", 12)], None),
    ("DELETE FROM questions WHERE id = @15", &[("missing_parent", 1)], None),
    ("INSERT INTO options VALUES (@106, @1, @99, 1, 'A', 'choice')", &[("missing_parent", 1)], None),
    // Three options, two in the register, a counter and a vote.
    ("DELETE FROM rounds WHERE id = @202", &[("missing_parent", 7)], Some(0)),
    ("INSERT INTO participants VALUES (@1, ~10, @3)", &[("foreign_client", 1)], None),
    ("INSERT INTO participants VALUES (@1, @10, ~3)", &[("foreign_client", 1)], None),
    (
        "INSERT INTO invitations VALUES (@1, @99, @3, 'PENDING', NULL, 'a@b.example', NULL, 0, 'https://a.example', 'UTC', now(), now())",
        &[("missing_parent", 1)],
        None,
    ),
    (
        "INSERT INTO invitations VALUES (@1, @10, @99, 'PENDING', NULL, 'a@b.example', NULL, 0, 'https://a.example', 'UTC', now(), now())",
        &[("missing_parent", 1)],
        None,
    ),
    (
        "INSERT INTO invitations VALUES (@1, ~10, @3, 'PENDING', NULL, 'a@b.example', NULL, 0, 'https://a.example', 'UTC', now(), now())",
        &[("foreign_client", 1)],
        None,
    ),
    (
        "INSERT INTO invitations VALUES (@1, @10, ~3, 'PENDING', NULL, 'a@b.example', NULL, 0, 'https://a.example', 'UTC', now(), now())",
        &[("foreign_client", 1)],
        None,
    ),
    ("INSERT INTO exclusions VALUES (@99, @3, 'Why', now(), 'Ada')", &[("missing_parent", 1)], Some(0)),
    ("INSERT INTO exclusions VALUES (@11, @99, 'Why', now(), 'Ada')", &[("missing_parent", 1)], None),
    ("INSERT INTO exclusions VALUES (@11, ~3, 'Why', now(), 'Ada')", &[("foreign_client", 1)], None),
    ("INSERT INTO round_log VALUES (@99, @99, now(), 'OPENED', 'Ada')", &[("missing_parent", 1)], Some(0)),
    ("INSERT INTO remarks VALUES (@99, @1, @99, 'REMARK', '?', now(), 'Ada')", &[("missing_parent", 1)], None),
    ("INSERT INTO remarks VALUES (@99, @1, ~10, 'REMARK', '?', now(), 'Ada')", &[("foreign_client", 1)], None),
    ("INSERT INTO prepared_registers VALUES (@99, @1, @98)", &[("missing_parent", 1)], None),
    (
        "INSERT INTO prepared_registers VALUES (@10, @1, @98);
         INSERT INTO register VALUES (@98, @3, 'ada', 'Ada', 1, 'epoch'), (@97, @3, 'ada', 'Ada', 1, 'epoch')",
        &[("missing_parent", 1)],
        Some(0),
    ),
    ("INSERT INTO rehearsals VALUES (@99, @1, @98, now(), NULL, 'Ada')", &[("missing_parent", 1)], None),
    ("INSERT INTO rehearsals VALUES (~10, @1, @98, now(), NULL, 'Ada')", &[("foreign_client", 1)], None),
    ("INSERT INTO rehearsal_answers VALUES (@98, @3, now(), NULL)", &[("missing_parent", 1)], Some(0)),
    (
        "INSERT INTO rehearsals VALUES (@10, @1, @98, now(), now(), 'Ada');
         INSERT INTO rehearsal_answers VALUES (@98, @3, now(), now()), (@98, @99, now(), NULL)",
        &[("missing_parent", 1)],
        None,
    ),
    (
        "INSERT INTO rehearsals VALUES (@10, @1, @98, now(), now(), 'Ada');
         INSERT INTO rehearsal_answers VALUES (@98, @3, now(), now()), (@98, ~3, now(), NULL)",
        &[("foreign_client", 1)],
        None,
    ),
    ("INSERT INTO attendance VALUES (@1, @99, now(), 1, 1, 1, 1)", &[("missing_parent", 1)], None),
    ("INSERT INTO attendance VALUES (@1, ~10, now(), 1, 1, 1, 1)", &[("foreign_client", 1)], None),
    (
        "INSERT INTO questions VALUES (@31, @1, ~30, 1, '?', 'OPEN_TEXT', true, NULL, NULL, now())",
        &[("foreign_client", 1)],
        None,
    ),
    ("INSERT INTO options VALUES (@106, @1, ~11, 3, 'A', 'choice')", &[("foreign_client", 1)], None),
    ("UPDATE rounds SET meeting_id = ~20, question_id = ~21 WHERE id = @206", &[("foreign_client", 1)], None),
    ("UPDATE sessions SET client_id = @1 WHERE id = ~5", &[("foreign_client", 1)], None),
    ("UPDATE sessions SET end_user_id = ~3 WHERE id = @6", &[("foreign_client", 1)], None),
    ("UPDATE meetings SET current_question_id = @11 WHERE id = @20", &[("foreign_question", 1)], None),
    ("UPDATE meetings SET current_question_id = ~11 WHERE id = @10", &[("foreign_question", 1)], None),
    ("UPDATE meetings SET current_question_id = @99 WHERE id = @10", &[("foreign_question", 1)], None),
    ("UPDATE rounds SET question_id = @21 WHERE id = @205", &[("foreign_question", 1)], None),
    (
        "UPDATE end_user_counts SET number = 3 WHERE client_id = @1 AND is_active AND NOT is_test",
        &[("end_user_counts", 1)],
        None,
    ),
    (
        "UPDATE end_user_counts SET weight = 3.4 WHERE client_id = @1 AND is_active AND NOT is_test",
        &[("end_user_counts", 1)],
        None,
    ),
    ("DELETE FROM end_user_counts WHERE client_id = @1 AND is_test", &[("end_user_counts", 2)], None),
    (
        "UPDATE meeting_counts SET number = number - 1 WHERE client_id = @1 AND NOT is_test",
        &[("meeting_counts", 5)],
        None,
    ),
    ("DELETE FROM meeting_counts WHERE client_id = @1 AND status = 'DRAFT'", &[("meeting_counts", 2)], None),
    ("UPDATE questions SET position = 6 WHERE id = @15", &[("agenda_places", 1)], None),
    ("UPDATE questions SET position = 4 WHERE id = @15", &[("agenda_places", 1)], None),
    ("UPDATE questions SET position = 2 WHERE id IN (@13, @14)", &[("agenda_places", 1)], None),
    ("UPDATE questions SET position = 0 WHERE id = @21", &[("agenda_places", 1)], None),
    ("UPDATE meetings SET started_at = NULL WHERE id = @10", &[("active_meeting_times", 1)], None),
    ("UPDATE meetings SET ended_at = now() WHERE id = @10", &[("active_meeting_times", 1)], None),
    ("UPDATE rounds SET status = 'OPEN' WHERE id IN (@202, @203)", &[("several_open_rounds", 1)], None),
    ("UPDATE meetings SET status = 'COMPLETED' WHERE id = @10", &[("open_round_in_inactive_meeting", 1)], None),
    ("UPDATE rounds SET status = 'OPEN' WHERE id = @206", &[("open_round_in_inactive_meeting", 1)], None),
    ("UPDATE end_users SET weight = 100.0001 WHERE id = @3", &[("weight_out_of_range", 1)], None),
    ("UPDATE end_users SET weight = 'NaN' WHERE client_id = @1", &[("weight_out_of_range", 2)], None),
    (
        "UPDATE register SET weight = -0.0001 WHERE round_id = @204 AND end_user_id = @3",
        &[("weight_out_of_range", 1), ("register_totals", 1)],
        None,
    ),
    (
        "UPDATE rounds SET weight_kind = '{}' WHERE id = @204;
         UPDATE register SET weight = 1000000000000000000 WHERE round_id = @204 AND end_user_id = @3",
        &[("weight_out_of_range", 1), ("register_totals", 1)],
        None,
    ),
    (
        "UPDATE rounds SET weight_kind = '{}' WHERE id = @204;
         UPDATE register SET weight = 999999999999999999.999999 WHERE round_id = @204 AND end_user_id = @3",
        &[("register_totals", 1)],
        None,
    ),
    (
        "UPDATE register SET second_weight = -1 WHERE round_id = @204 AND end_user_id = @3",
        &[("weight_out_of_range", 1)],
        None,
    ),
    (
        "INSERT INTO weight_kinds VALUES (@40, @1, 'Shares', NULL, 2, now());
         UPDATE end_users SET weights = jsonb_build_object(@40, '1.250') WHERE id = @3;
         UPDATE end_users SET weights = jsonb_build_object(@40, '999999999999999999.99') WHERE id = @4",
        &[("weights_misfit", 1)],
        None,
    ),
    (
        "INSERT INTO weight_kinds VALUES (@40, @1, 'Shares', NULL, 0, now());
         UPDATE end_users SET weights = jsonb_build_object(@40, '1.5') WHERE id = @3;
         UPDATE end_users SET weights = jsonb_build_object(@40, '-1') WHERE id = @4",
        &[("weights_misfit", 2)],
        None,
    ),
    (
        "INSERT INTO weight_kinds VALUES (@40, @1, 'Shares', NULL, 0, now());
         UPDATE end_users SET weights = jsonb_build_object(@40, 1) WHERE id = @3;
         UPDATE end_users SET weights = jsonb_build_object(@40, '1000000000000000000') WHERE id = @4",
        &[("weights_misfit", 2)],
        None,
    ),
    (
        "INSERT INTO weight_kinds VALUES (~40, ~1, 'Shares', NULL, 0, now());
         UPDATE end_users SET weights = jsonb_build_object(~40, '1') WHERE id = @3;
         UPDATE end_users SET weights = '{\"none\": \"1\"}' WHERE id = @4",
        &[("weights_misfit", 2)],
        None,
    ),
    ("UPDATE end_users SET weights = '[]' WHERE id = @3", &[("weights_misfit", 1)], None),
    ("UPDATE rounds SET register_heads = 3 WHERE id = @203", &[("register_totals", 1)], None),
    ("UPDATE rounds SET register_weight = 3.4999 WHERE id = @203", &[("register_totals", 1)], None),
    ("DELETE FROM register WHERE round_id = @204 AND end_user_id = @4", &[("register_totals", 1)], None),
    ("UPDATE round_counters SET votes_cast = 2 WHERE round_id = @201", &[("vote_count", 1)], None),
    ("DELETE FROM round_counters WHERE round_id = @201", &[("vote_count", 1)], None),
    ("DELETE FROM votes WHERE id = @301", &[("vote_count", 1)], None),
    ("INSERT INTO round_counters VALUES (@206, 1, 1)", &[("vote_count", 1)], None),
    (
        "UPDATE rounds SET register_heads = 1 WHERE id = @205",
        &[("register_totals", 1), ("more_votes_than_register", 1)],
        None,
    ),
    ("UPDATE votes SET end_user_id = @99 WHERE id = @304", &[("vote_outside_register", 1)], None),
    ("UPDATE votes SET end_user_id = ~3 WHERE id = @304", &[("vote_outside_register", 1)], None),
    ("UPDATE votes SET end_user_id = @3 WHERE id = @306", &[("several_votes_of_one_voter", 1)], None),
    ("UPDATE votes SET option_ids = ARRAY[@103] WHERE id = @301", &[("unknown_option", 1)], None),
    ("UPDATE votes SET option_ids = ARRAY[@103, ~103] WHERE id = @302", &[("unknown_option", 1)], None),
    ("UPDATE votes SET option_ids = ARRAY[NULL::uuid] WHERE id = @301", &[("unknown_option", 1)], None),
    ("UPDATE votes SET option_ids = ARRAY[@101, @102] WHERE id = @301", &[("answer_misfit", 1)], None),
    ("UPDATE votes SET option_ids = ARRAY[@103, @104, @105] WHERE id = @302", &[("answer_misfit", 1)], None),
    ("UPDATE votes SET option_ids = ARRAY[@103, @103] WHERE id = @302", &[("answer_misfit", 1)], None),
    ("UPDATE votes SET option_ids = '{}' WHERE id = @302", &[("answer_misfit", 1)], None),
    ("UPDATE votes SET option_ids = NULL, number = 1 WHERE id = @301", &[("answer_misfit", 1)], None),
    ("UPDATE votes SET answer_text = 'Yes' WHERE id = @301", &[("answer_misfit", 1)], None),
    ("UPDATE votes SET number = 6 WHERE id = @303", &[("answer_misfit", 1)], None),
    ("UPDATE votes SET number = 0 WHERE id = @303", &[("answer_misfit", 1)], None),
    ("UPDATE votes SET number = 2.5 WHERE id = @303", &[("answer_misfit", 1)], None),
    ("UPDATE votes SET number = 100.0001 WHERE id = @304", &[("answer_misfit", 1)], None),
    ("UPDATE votes SET number = NULL WHERE id = @304", &[("answer_misfit", 1)], None),
    ("UPDATE votes SET answer_text = '' WHERE id = @305", &[("answer_misfit", 1)], None),
    ("UPDATE votes SET answer_text = repeat('a', 2001) WHERE id = @305", &[("answer_misfit", 1)], None),
    ("UPDATE votes SET cast_on = 'PAPER' WHERE id = @301", &[("unexplained_way", 1)], None),
    ("UPDATE votes SET cast_on = 'VOTING_PLACE' WHERE id = @301", &[("unexplained_way", 1)], None),
    (
        "UPDATE votes SET is_sealed = true WHERE id = @305;
         UPDATE rounds SET counted_at = NULL WHERE id = (SELECT round_id FROM votes WHERE id = @305)",
        &[("answer_misfit", 1), ("envelope", 1)],
        None,
    ),
];

/// Drops every key, check, unique index and guard of declared rounds, so that all damage can be written.
const UNGUARDED: &str = "
    DO $$
    DECLARE guard record;
    BEGIN
        FOR guard IN
            SELECT conrelid::regclass AS of_table, conname FROM pg_constraint
            WHERE connamespace = current_schema()::regnamespace AND contype IN ('f', 'c', 'u')
            ORDER BY contype = 'u'
        LOOP
            EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', guard.of_table, guard.conname);
        END LOOP;
        FOR guard IN
            SELECT tgrelid::regclass AS of_table, tgname FROM pg_trigger
            WHERE (tgname LIKE '%_declared_%' OR tgname LIKE 'register_round_id_%'
                   OR tgname IN ('rounds_register_delete', 'rounds_id_update')) AND tgrelid IN
                (SELECT oid FROM pg_class WHERE relnamespace = current_schema()::regnamespace)
        LOOP
            EXECUTE format('DROP TRIGGER %I ON %s', guard.tgname, guard.of_table);
        END LOOP;
    END $$;
    DROP INDEX rounds_meeting_id_open_key";

const EMPTY: &str = "TRUNCATE clients, accounts, end_users, sessions, refresh_tokens, password_resets, second_factors, recovery_codes, meetings, participants, questions, \
                     options, rounds, round_options, register, votes, round_counters, \
                     end_user_counts, meeting_counts, weight_kinds, invitations, exclusions, round_log, remarks, attendance, rehearsals, \
                     rehearsal_answers, prepared_registers";

/// Replaces `@` and a number by ids of the client `letter`.
fn with_ids(statements: &str, mark: char, letter: char) -> String {
    let mut text = String::new();
    let mut parts = statements.split(mark);
    text.push_str(parts.next().unwrap());
    for part in parts {
        let digits = part.len() - part.trim_start_matches(|digit: char| digit.is_ascii_digit()).len();
        let (number, rest) = part.split_at(digits);
        match number {
            "" => text.push(letter),
            _ => text.push_str(&format!("'{letter}0000000-0000-0000-0000-{number:0>12}'::uuid")),
        }
        text.push_str(rest);
    }
    text
}

fn run(conn: &mut PgConnection, statements: &str) {
    conn.batch_execute(statements).unwrap_or_else(|error| panic!("{error}: {statements}"));
}

fn add_healthy_client(conn: &mut PgConnection, letter: char) -> ClientId {
    run(conn, &with_ids(HEALTHY, '@', letter));
    format!("{letter}0000000-0000-0000-0000-000000000001").parse().unwrap()
}

fn found(checks: &[IntegrityCheck]) -> Vec<(&'static str, u64)> {
    checks.iter().filter(|check| check.found > 0).map(|check| (check.name, check.found)).collect()
}

struct Examined {
    conn: PgConnection,
    diagnostics: PostgresDiagnostics,
    /// Dropped last, after all its users.
    _database: TestDatabase,
}

impl Examined {
    async fn fresh() -> Self {
        let database = TestDatabase::fresh().await;
        Self { conn: database.connection(), diagnostics: PostgresDiagnostics::new(database.db()), _database: database }
    }

    async fn integrity(&self, owner: Option<ClientId>) -> Vec<IntegrityCheck> {
        self.diagnostics.integrity(owner).await.unwrap()
    }

    async fn found(&self, owner: Option<ClientId>) -> Vec<(&'static str, u64)> {
        found(&self.integrity(owner).await)
    }
}

#[tokio::test]
async fn nothing_is_found_where_nothing_is_or_where_nothing_is_wrong() {
    let mut examined = Examined::fresh().await;
    assert_eq!(examined.found(None).await, []);
    let owners = ['a', 'b'].map(|letter| add_healthy_client(&mut examined.conn, letter));
    let checks = examined.integrity(None).await;
    assert_eq!(found(&checks), []);
    let names: BTreeSet<_> = checks.iter().map(|check| check.name).collect();
    assert_eq!((names.len(), checks.len()), (20, 20));
    for owner in owners {
        assert_eq!(examined.found(Some(owner)).await, []);
    }
}

#[tokio::test]
async fn every_damage_is_found_and_shown_only_to_its_owner() {
    let mut examined = Examined::fresh().await;
    run(&mut examined.conn, UNGUARDED);
    let mut tried = BTreeSet::new();
    for (damage, expected, shown_to_owner) in DAMAGES {
        run(&mut examined.conn, EMPTY);
        let [ours, theirs] = ['a', 'b'].map(|letter| add_healthy_client(&mut examined.conn, letter));
        let damage = with_ids(&with_ids(damage, '@', 'a'), '~', 'b');
        run(&mut examined.conn, &damage);

        let checks = examined.integrity(None).await;
        assert_eq!(found(&checks), *expected, "{damage}: {checks:#?}");
        for check in checks.iter().filter(|check| check.found > 0) {
            tried.insert(check.name);
            assert_eq!(check.issues.len() as u64, check.found, "{damage}");
            for issue in &check.issues {
                assert!(issue.message.ends_with('.') && !issue.table.is_empty(), "{issue:?}");
            }
        }
        let shown = examined.found(Some(ours)).await;
        match shown_to_owner {
            None => assert_eq!(shown, *expected, "{damage}"),
            Some(number) => assert_eq!(shown.iter().map(|(_, found)| found).sum::<u64>(), *number, "{damage}"),
        }
        assert_eq!(examined.found(Some(theirs)).await, [], "{damage}");
    }
    let all: BTreeSet<_> = examined.integrity(None).await.iter().map(|check| check.name).collect();
    assert_eq!(tried, all, "every check is made to fail once");
}

#[tokio::test]
async fn a_check_that_lacks_a_column_does_not_stop_the_others() {
    let mut examined = Examined::fresh().await;
    let owner = add_healthy_client(&mut examined.conn, 'a');
    let damage = "UPDATE meetings SET started_at = NULL WHERE id = @10; ALTER TABLE votes DROP COLUMN number CASCADE; \
                  DROP TABLE round_counters";
    run(&mut examined.conn, &with_ids(damage, '@', 'a'));
    for owner in [None, Some(owner)] {
        let checks = examined.integrity(owner).await;
        assert_eq!((found(&checks), checks.len()), (vec![("active_meeting_times", 1)], 20));
        let failed: Vec<_> = checks.iter().filter_map(|check| Some((check.name, check.failure.as_deref()?))).collect();
        let of = |name: &str| failed.iter().find(|(failed, _)| *failed == name).map(|(_, failure)| *failure);
        assert!(of("answer_misfit").unwrap().contains("number"), "{failed:?}");
        assert!(of("vote_count").unwrap().contains("round_counters"), "{failed:?}");
        assert_eq!(of("agenda_places"), None);
    }
}

#[tokio::test]
async fn an_orphan_that_was_put_in_past_the_keys_is_named() {
    let mut examined = Examined::fresh().await;
    let owner = add_healthy_client(&mut examined.conn, 'a');
    let orphan = "SET session_replication_role = replica; \
                  INSERT INTO questions (id, client_id, meeting_id, position, question_text, question_type, is_required, \
                                         created_at) VALUES (@99, @1, @98, 1, '?', 'OPEN_TEXT', true, now()); \
                  SET session_replication_role = DEFAULT";
    run(&mut examined.conn, &with_ids(orphan, '@', 'a'));
    let checks = examined.integrity(None).await;
    assert_eq!(found(&checks), [("missing_parent", 1)]);
    let issue = checks.iter().find_map(|check| check.issues.first()).unwrap();
    assert_eq!(
        (issue.table.as_str(), issue.id.to_string()),
        ("questions", "a0000000-0000-0000-0000-000000000099".into())
    );
    assert_eq!(examined.found(Some(owner)).await.iter().map(|(_, number)| number).sum::<u64>(), 1);
}

#[tokio::test]
async fn many_issues_are_counted_and_a_hundred_of_them_named() {
    let mut examined = Examined::fresh().await;
    let owner = add_healthy_client(&mut examined.conn, 'a');
    run(
        &mut examined.conn,
        &with_ids(
            "INSERT INTO meetings (id, client_id, title, status, scheduled_start_time, scheduled_end_time, \
                                   is_recurring, has_participant_list, created_at) \
             SELECT gen_random_uuid(), @1, 'Never started', 'ACTIVE', now(), now() + interval '1 hour', false, false, \
                    now() FROM generate_series(1, 150)",
            '@',
            'a',
        ),
    );
    for owner in [None, Some(owner)] {
        let checks = examined.integrity(owner).await;
        assert_eq!(found(&checks), [("active_meeting_times", 150)]);
        assert_eq!(checks.iter().map(|check| check.issues.len()).sum::<usize>(), 100);
    }
}

#[tokio::test]
async fn a_change_that_is_not_committed_is_not_there_with_any_of_its_parts() {
    let mut examined = Examined::fresh().await;
    let owner = add_healthy_client(&mut examined.conn, 'a');
    let ballot = with_ids(
        "BEGIN; INSERT INTO votes VALUES (@311, @201, @4, ARRAY[@102], NULL, NULL, now()); \
         UPDATE round_counters SET votes_cast = 2 WHERE round_id = @201",
        '@',
        'a',
    );
    run(&mut examined.conn, &ballot);
    assert_eq!(examined.found(Some(owner)).await, []);
    run(&mut examined.conn, "COMMIT");
    assert_eq!(examined.found(Some(owner)).await, []);
}

#[tokio::test]
async fn the_schema_that_the_migrations_make_is_the_expected_one() {
    let mut examined = Examined::fresh().await;
    assert_eq!(examined.diagnostics.schema_differences().await.unwrap(), Vec::<String>::new());
    run(
        &mut examined.conn,
        "CREATE TABLE of_others (id integer PRIMARY KEY); CREATE INDEX mine_idx ON votes (cast_at)",
    );
    assert_eq!(examined.diagnostics.schema_differences().await.unwrap(), Vec::<String>::new());
}

/// Changes to the schema, each with the differences that the diagnosis names.
const SCHEMA_CHANGES: &[(&str, &[&str])] = &[
    ("DROP TABLE refresh_tokens", &["The table refresh_tokens is missing."]),
    (
        "ALTER TABLE accounts DROP COLUMN last_name",
        &[
            "The column last_name of accounts is missing.",
            "The index accounts_first_name_last_name_idx of accounts is missing.",
        ],
    ),
    (
        "ALTER TABLE accounts ALTER first_name DROP NOT NULL",
        &["The column first_name of accounts is \"text\" instead of \"text NOT NULL\"."],
    ),
    (
        "ALTER TABLE meetings ALTER is_recurring SET DEFAULT false",
        &["The column is_recurring of meetings is \"boolean NOT NULL DEFAULT false\" instead of \
           \"boolean NOT NULL\"."],
    ),
    (
        "ALTER TABLE register ALTER weight TYPE numeric(9, 2)",
        &["The column weight of register is \"numeric(9,2) NOT NULL\" instead of \"numeric NOT NULL\"."],
    ),
    (
        "ALTER TABLE votes DROP CONSTRAINT votes_round_id_end_user_id_key",
        &["The constraint votes_round_id_end_user_id_key of votes is missing."],
    ),
    (
        "ALTER TABLE votes DROP CONSTRAINT votes_answer_check, ADD CONSTRAINT votes_answer_check CHECK (true)",
        &["The constraint votes_answer_check of votes is \"CHECK (true)\" instead of \
           \"CHECK ( CASE WHEN is_sealed THEN (num_nonnulls(option_ids, number, answer_text, cast_at, session_id) = 0) \
           ELSE ((num_nonnulls(option_ids, number, answer_text) = 1) AND (cast_at IS NOT NULL) AND (sealed IS NULL)) \
           END)\"."],
    ),
    ("DROP INDEX rounds_meeting_id_open_key", &["The index rounds_meeting_id_open_key of rounds is missing."]),
    (
        "DROP INDEX meetings_client_id_created_at_idx",
        &["The index meetings_client_id_created_at_idx of meetings is missing."],
    ),
    (
        "DROP INDEX clients_id_is_test_idx; CREATE INDEX clients_id_is_test_idx ON clients (id)",
        &["The index clients_id_is_test_idx of clients is \"USING btree (id)\" instead of \
           \"USING btree (id) WHERE is_test\"."],
    ),
    (
        "DROP TRIGGER end_users_audit_update ON end_users",
        &["The trigger end_users_audit_update of end_users is missing."],
    ),
    (
        "ALTER TABLE audit_entries DISABLE TRIGGER audit_entries_keep",
        &[
            "The trigger audit_entries_keep of audit_entries is \"BEFORE DELETE OR UPDATE FOR EACH ROW EXECUTE FUNCTION \
           audit_keep() NOT AS USUAL\" instead of \"BEFORE DELETE OR UPDATE FOR EACH ROW EXECUTE FUNCTION audit_keep()\".",
        ],
    ),
    ("ALTER TABLE rounds ADD COLUMN more text", &["The column more of rounds is not expected."]),
    ("CREATE UNIQUE INDEX one ON options (role)", &["The index one of options is not expected."]),
    (
        "DROP TRIGGER end_users_count_deleted ON end_users",
        &["The trigger end_users_count_deleted of end_users is missing."],
    ),
    (
        "ALTER TABLE clients DISABLE TRIGGER clients_start_counts",
        &["The trigger clients_start_counts of clients is \"AFTER INSERT REFERENCING NEW TABLE AS added FOR EACH \
           STATEMENT EXECUTE FUNCTION start_counts() NOT AS USUAL\" instead of \"AFTER INSERT REFERENCING NEW \
           TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION start_counts()\"."],
    ),
    (
        "ALTER TABLE remarks NO FORCE ROW LEVEL SECURITY",
        &["The row_security state of remarks is \"not forced\" instead of \"forced\"."],
    ),
    (
        "ALTER TABLE attendance DISABLE ROW LEVEL SECURITY",
        &["The row_security state of attendance is \"off\" instead of \"forced\"."],
    ),
    ("DROP POLICY remarks_tenant_policy ON remarks", &["The policy remarks_tenant_policy of remarks is missing."]),
    ("CREATE POLICY more ON options USING (true)", &["The policy more of options is not expected."]),
];

#[tokio::test]
async fn every_kind_of_change_to_the_schema_is_named() {
    let mut examined = Examined::fresh().await;
    for (change, differences) in SCHEMA_CHANGES {
        let before = examined.diagnostics.schema_differences().await.unwrap();
        run(&mut examined.conn, change);
        let after = examined.diagnostics.schema_differences().await.unwrap();
        let new: Vec<_> = after.iter().filter(|difference| !before.contains(difference)).collect();
        assert_eq!(new, *differences, "{change}");
    }
}

#[tokio::test]
async fn migrations_are_counted_and_what_is_missing_is_named() {
    let mut examined = Examined::fresh().await;
    let migrated = examined.diagnostics.migrations().await.unwrap();
    assert!(migrated.applied >= 3 && migrated.pending.is_empty(), "{migrated:?}");
    run(&mut examined.conn, "DELETE FROM __diesel_schema_migrations WHERE version LIKE '%000003'");
    let behind = examined.diagnostics.migrations().await.unwrap();
    assert_eq!((behind.applied, behind.pending.len()), (migrated.applied - 1, 1));
    assert!(behind.pending[0].ends_with("_voting"), "{behind:?}");
}

#[tokio::test]
async fn a_database_that_answers_says_who_it_is() {
    let examined = Examined::fresh().await;
    let state = examined.diagnostics.database().await.unwrap();
    let major: u32 = state.server_version.split(['.', ' ']).next().unwrap().parse().unwrap();
    assert!(major >= 14, "{state:?}");
    assert!(state.connections <= state.max_connections && state.max_connections > 0, "{state:?}");
}
