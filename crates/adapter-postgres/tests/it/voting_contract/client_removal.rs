//! Removes a client while its people vote, are invited or sign in. Each test holds the window open, so that a lock taken in
//! another order would be a deadlock.

use std::collections::BTreeMap;

use diesel::connection::SimpleConnection;
use diesel::sql_types::Text;
use diesel::{QueryableByName, RunQueryDsl};
use plenum_adapter_postgres::{AuditChains, PostgresClients, PostgresEndUsers, PostgresParticipants};
use plenum_clients::testkit::{InstantHasher, Samples};
use plenum_clients::{AddEndUserError, ClientStore, EndUserStore};
use plenum_kernel::{Clock, EndUserId, PortFailure, QuestionType, RoundId};
use plenum_meetings::{Invitees, ParticipantStore};
use plenum_voting::testkit::contract::{Scene, VotingFixture};
use plenum_voting::{CastOutcome, Wording};
use tokio::task::JoinHandle;

use crate::voting_contract::fixture::PostgresVoting;
use crate::voting_contract::held_transaction::HeldTransaction;
use crate::voting_contract::held_windows::{hand_in, held_ballot};

/// A client with an open round that will be removed, next to another one with rows in every table.
struct Removal {
    fixture: PostgresVoting,
    scene: Scene,
    round: RoundId,
    /// The number of rows in each table before the client existed.
    before: BTreeMap<String, i64>,
}

impl Removal {
    async fn ahead() -> Self {
        let fixture = PostgresVoting::fresh().await;
        let bystander = Scene::with_voters(&fixture, 2).await;
        fill(&fixture, &bystander).await;
        bystander.open(&fixture).await;
        prepare(&fixture, &bystander);
        AuditChains::new(fixture.database().db()).link().await.expect("the entries are chained");
        let before = row_counts(&fixture);
        assert!(before.values().all(|rows| *rows > 0), "{before:?}");
        let scene = Scene::with_voters(&fixture, 3).await;
        fill(&fixture, &scene).await;
        let round = scene.open(&fixture).await;
        prepare(&fixture, &scene);
        Self { fixture, scene, round, before }
    }

    /// Starts the removal of the client.
    fn start(&self) -> JoinHandle<Result<bool, PortFailure>> {
        let clients = PostgresClients::new(self.fixture.database().db());
        let (client, now) = (self.scene.client, self.scene.clock.now());
        tokio::spawn(async move { clients.remove(client, now).await })
    }

    fn hold(&self, statements: &str) -> HeldTransaction {
        HeldTransaction::begin(self.fixture.database(), statements)
    }

    fn hold_meeting(&self) -> HeldTransaction {
        self.hold(&format!("SELECT FROM meetings WHERE id = '{}' FOR UPDATE", self.scene.meeting))
    }

    /// Checks that no table has rows of the client, and that the other client is unchanged.
    fn assert_nothing_is_left(&self) {
        assert_eq!(row_counts(&self.fixture), self.before);
    }
}

/// Rows of the scene's client in the tables that a scene does not fill, and a round that has ended.
async fn fill(fixture: &PostgresVoting, scene: &Scene) {
    let (client, meeting, voter) = (scene.client, scene.meeting, scene.voters[0]);
    let mut conn = fixture.database().connection();
    let people = format!(
        "INSERT INTO accounts VALUES (gen_random_uuid(), '{client}', 'CLIENT', '{client}@example.org', 'hash', 'Ada',
                                      'Lovelace', NULL, now());
         INSERT INTO sessions SELECT gen_random_uuid(), client_id, id, NULL, false, now(), now() FROM accounts
             WHERE client_id = '{client}';
         INSERT INTO sessions VALUES (gen_random_uuid(), '{client}', NULL, '{voter}', false, now(), now());
         INSERT INTO refresh_tokens SELECT uuid_send(id), id, now(), now() FROM sessions WHERE client_id = '{client}';
         INSERT INTO password_resets SELECT uuid_send(id), id, email, password_hash, now() FROM accounts
             WHERE client_id = '{client}';
         INSERT INTO second_factors SELECT id, uuid_send(id), now() FROM accounts WHERE client_id = '{client}';
         INSERT INTO recovery_codes SELECT id, uuid_send(id) FROM accounts WHERE client_id = '{client}';
         INSERT INTO groups VALUES ('{voter}', '{client}', 'Delegates', now());
         INSERT INTO group_members VALUES ('{client}', '{voter}', '{voter}');
         INSERT INTO weight_kinds VALUES ('{voter}', '{client}', 'Shares', NULL, 0, now()); UPDATE meetings SET weight_kind_id = '{voter}' WHERE id = '{meeting}';
         INSERT INTO participants VALUES ('{client}', '{meeting}', '{voter}');
         INSERT INTO invitations (client_id, meeting_id, end_user_id, status, email, tries, site_address, time_zone,
                                  queued_at, due_at)
             VALUES ('{client}', '{meeting}', '{voter}', 'PENDING', 'ada@example.org', 0, 'https://plenum.example',
                     'UTC', now(), now());
         INSERT INTO remarks VALUES (gen_random_uuid(), '{client}', '{meeting}', 'INCIDENT', 'It rained.', now(), 'Ada');
         INSERT INTO attendance VALUES ('{client}', '{meeting}', now(), 2, 2, 3, 3);
         INSERT INTO rehearsals VALUES ('{meeting}', '{client}', '{client}', now(), now(), 'Ada');
         INSERT INTO rehearsal_answers VALUES ('{client}', '{voter}', now(), now());
         INSERT INTO join_links (id, client_id, end_user_id, meeting_id, token_hash, password_hash, is_single_use, made_at)
             VALUES (gen_random_uuid(), '{client}', '{voter}', '{meeting}', uuid_send('{voter}'), 'hash', false, now());
         INSERT INTO join_codes SELECT id, client_id, 'hash', now(), now(), 0 FROM join_links WHERE client_id = '{client}';
         INSERT INTO join_link_settings VALUES ('{client}', 'PASSWORD');
         INSERT INTO client_branding VALUES ('{client}', '#0f5e5a', 'logo', 'image/png', 'a1')"
    );
    conn.batch_execute(&people).expect("the test server does it");
    let wording = Wording { question_type: QuestionType::OpenText, options: Vec::new(), ..scene.wording.clone() };
    let other = scene.add_question(fixture, 2, wording).await;
    // The log of the round contains it, too.
    let exclusion = format!(
        "INSERT INTO exclusions VALUES ('{other}', '{}', 'Conflict of interest', now(), 'Ada')",
        scene.voters[1]
    );
    conn.batch_execute(&exclusion).expect("the test server does it");
    let ended = scene.open_question(fixture, other).await;
    let holder = scene.voters[1];
    let vote = format!(
        "INSERT INTO votes VALUES (gen_random_uuid(), '{ended}', '{voter}', NULL, NULL, 'Aye', now());
         INSERT INTO proxy_settings (meeting_id, client_id, is_on, principals_may_grant, holders, without_questions)
             SELECT meeting_id, client_id, true, true, 'ANYBODY', '{{}}' FROM rounds WHERE id = '{ended}';
         INSERT INTO proxies (id, client_id, meeting_id, principal_id, holder_id, granted_at, granted_by, is_by_principal)
             SELECT gen_random_uuid(), client_id, meeting_id, '{voter}', '{holder}', now(), 'Ada', false
             FROM rounds WHERE id = '{ended}';
         INSERT INTO round_proxies (round_id, principal_id, proxy_id, holder_id, holder_name, holder_username,
                                    was_represented)
             SELECT '{ended}', '{voter}', id, holder_id, 'Ben', 'ben', false FROM proxies
             WHERE principal_id = '{voter}';
         INSERT INTO round_counters VALUES ('{ended}', 1, 1);
         INSERT INTO answer_curations (round_id, client_id, version, is_shown, picked, groups, hidden)
             SELECT '{ended}', client_id, 1, true, '[]', '[]', '[]' FROM rounds WHERE id = '{ended}';
         INSERT INTO seat_answers (round_id, number, client_id, candidate, answer, noted_at, noted_by, is_continued, before,
                              seated, drawn, tied)
             SELECT '{ended}', 1, client_id, 1, 'ACCEPTED', now(), 'Ada', false, '[1]', '[1]', '[]', '[]' FROM rounds WHERE id = '{ended}';
         INSERT INTO desks (id, client_id, meeting_id, name, token_hash, made_at, made_by)
             SELECT id, client_id, meeting_id, 'Desk 1', decode(replace(id::text, '-', ''), 'hex'), now(), 'Ada'
             FROM rounds WHERE id = '{ended}';
         INSERT INTO presence_entries (meeting_id, number, client_id, id, end_user_id, username, name, kind, happened_at,
                                       noted_at, by_role, by_name)
             SELECT rounds.meeting_id, 1, rounds.client_id, rounds.id, register.end_user_id, 'ada', 'Ada', 'IN', now(), now(),
                    'DESK', 'Desk 1'
             FROM rounds JOIN register ON register.round_id = rounds.id WHERE rounds.id = '{ended}' LIMIT 1;
         INSERT INTO people_present (meeting_id, end_user_id, client_id, since, number)
             SELECT meeting_id, end_user_id, client_id, happened_at, number FROM presence_entries
             WHERE id = '{ended}';
         INSERT INTO urns (round_id, client_id, public_key, holders)
             SELECT id, client_id, decode(repeat('04', 65), 'hex'), 1 FROM rounds WHERE id = '{ended}';
         INSERT INTO urn_shares SELECT round_id, client_id, decode(repeat('07', 32), 'hex') FROM urns
             WHERE round_id = '{ended}'"
    );
    conn.batch_execute(&vote).expect("the test server does it");
    conn.batch_execute(&papers(ended, voter)).expect("the test server does it");
    scene.end(fixture).await;
}

/// A vote on paper that waits, and a ballot of a voting place.
fn papers(round: RoundId, voter: EndUserId) -> String {
    format!(
        "INSERT INTO paper_batches (id, client_id, round_id, number, state, entered_at, entered_by_id, entered_by, ballots)
             SELECT '{round}', client_id, '{round}', 1, 'WAITING', now(), '{voter}', 'Ada', 1 FROM rounds WHERE id = '{round}';
         INSERT INTO paper_ballots (batch_id, end_user_id, client_id, answer_text, outcome)
             SELECT '{round}', '{voter}', client_id, 'Yes', 'WAITING' FROM rounds WHERE id = '{round}';
         INSERT INTO issued_ballots (id, client_id, round_id, end_user_id, desk_id, issued_at)
             SELECT '{round}', client_id, '{round}', '{voter}', '{voter}', now() FROM rounds WHERE id = '{round}';"
    )
}

/// The register of the next opening.
fn prepare(fixture: &PostgresVoting, scene: &Scene) {
    let (meeting, client, voter) = (scene.meeting, scene.client, scene.voters[0]);
    let statements = format!(
        "INSERT INTO prepared_registers VALUES ('{meeting}', '{client}', '{voter}');
         INSERT INTO register (round_id, end_user_id, username, name, weight, added_at)
             VALUES ('{voter}', '{voter}', 'ada', 'Ada', 1, 'epoch')"
    );
    fixture.database().connection().batch_execute(&statements).expect("the test server does it");
}

fn row_counts(fixture: &PostgresVoting) -> BTreeMap<String, i64> {
    #[derive(QueryableByName)]
    struct Table {
        #[diesel(sql_type = Text)]
        name: String,
    }
    let tables: Vec<Table> = diesel::sql_query(
        "SELECT tablename::text AS name FROM pg_tables
         WHERE schemaname = current_schema() AND tablename NOT IN
             ('__diesel_schema_migrations', 'amendments', 'archives', 'closing_records', 'demonstration', 'installation_keys',
               'purges', 'record_timestamps', 'result_records', 'unstamped_records')",
    )
    .load(&mut fixture.database().connection())
    .expect("the test server does it");
    assert!(tables.len() >= 15);
    tables
        .into_iter()
        .map(|table| {
            // The audit logs of the platform and of removed clients are kept.
            let of_clients = match table.name.starts_with("audit_") {
                true => "WHERE chain IN (SELECT id FROM clients)",
                false => "",
            };
            let rows = fixture.count(&format!("SELECT count(*) FROM {} {of_clients}", table.name));
            (table.name, rows)
        })
        .collect()
}

#[tokio::test]
async fn a_client_is_removed_with_everything_in_every_table() {
    let removal = Removal::ahead().await;
    let Removal { fixture, scene, round, .. } = &removal;
    assert_eq!(scene.cast(fixture, *round, scene.voters[1], scene.yes()).await, CastOutcome::Counted);
    assert!(removal.start().await.unwrap().unwrap());
    removal.assert_nothing_is_left();
    assert_eq!(scene.cast(fixture, *round, scene.voters[2], scene.yes()).await, CastOutcome::NotOpen);
    assert!(!removal.start().await.unwrap().unwrap(), "it is gone already");
}

#[tokio::test]
async fn the_removal_waits_for_the_ballot_that_is_being_written_and_later_ballots_are_refused() {
    let removal = Removal::ahead().await;
    let Removal { fixture, scene, round, .. } = &removal;
    let ballot = held_ballot(fixture, scene, *round, scene.voters[0]);
    let removing = removal.start();
    ballot.until_blocking(fixture, 1).await;
    let late = hand_in(fixture, scene.ballot(*round, scene.voters[1], scene.yes()));
    ballot.until_blocking(fixture, 2).await;
    assert!(!removing.is_finished() && !late.is_finished());
    ballot.commit();
    assert!(removing.await.unwrap().unwrap());
    assert_eq!(late.await.unwrap(), CastOutcome::NotOpen);
    removal.assert_nothing_is_left();
}

/// Ballots of other clients are in the same batches: none may wait while years of votes are deleted.
#[tokio::test]
async fn ballots_do_not_wait_while_the_past_of_their_client_is_deleted() {
    let removal = Removal::ahead().await;
    let Removal { fixture, scene, round, .. } = &removal;
    let past = removal.hold("SELECT FROM votes WHERE answer_text IS NOT NULL FOR UPDATE");
    let removing = removal.start();
    past.until_blocking(fixture, 1).await;
    assert_eq!(scene.cast(fixture, *round, scene.voters[1], scene.yes()).await, CastOutcome::Counted);
    assert!(!removing.is_finished());
    past.commit();
    assert!(removing.await.unwrap().unwrap());
    removal.assert_nothing_is_left();
}

#[tokio::test]
async fn an_invitation_that_came_first_is_carried_out_and_goes_with_the_client() {
    let removal = Removal::ahead().await;
    let Removal { fixture, scene, .. } = &removal;
    // The invitation has the meeting and waits for its first end user, who is after the others on the disk. A deletion
    // of end users at this moment would have the others, and wait for this one too.
    let voter = scene.voters[0];
    removal.hold(&format!("UPDATE end_users SET address = 'Elsewhere' WHERE id = '{voter}'")).commit();
    let held = removal.hold(&format!("SELECT FROM end_users WHERE id = '{voter}' FOR UPDATE"));
    let participants = PostgresParticipants::new(fixture.database().db());
    let (client, meeting, everybody) = (scene.client, scene.meeting, Invitees::These(scene.voters.clone()));
    let inviting = tokio::spawn(async move { participants.invite(client, meeting, everybody).await });
    held.until_blocking(fixture, 1).await;
    let removing = removal.start();
    held.until_blocking(fixture, 2).await;
    held.commit();
    assert_eq!(inviting.await.unwrap().unwrap().count.total, 3);
    assert!(removing.await.unwrap().unwrap());
    removal.assert_nothing_is_left();
}

#[tokio::test]
async fn an_opening_that_came_first_is_carried_out_and_goes_with_the_client() {
    let removal = Removal::ahead().await;
    let Removal { fixture, scene, .. } = &removal;
    scene.end(fixture).await;
    let held = removal.hold_meeting();
    let (rounds, opening) = (fixture.rounds(), scene.opening(scene.question));
    let opening = tokio::spawn(async move { rounds.open(opening).await });
    held.until_blocking(fixture, 1).await;
    let removing = removal.start();
    held.until_blocking(fixture, 2).await;
    held.commit();
    opening.await.unwrap().unwrap();
    assert!(removing.await.unwrap().unwrap());
    removal.assert_nothing_is_left();
}

#[tokio::test]
async fn a_client_that_is_being_removed_accepts_no_sign_in() {
    let removal = Removal::ahead().await;
    let Removal { fixture, scene, .. } = &removal;
    let held = removal.hold_meeting();
    let removing = removal.start();
    held.until_blocking(fixture, 1).await;
    let end_users = PostgresEndUsers::new(fixture.database().db());
    let samples = Samples::new();
    let mut newcomer = samples.end_user(&samples.client("club"), "newcomer");
    newcomer.client_id = scene.client;
    let coming = tokio::spawn(async move { end_users.add(newcomer, InstantHasher::hash_of("a password")).await });
    held.until_blocking(fixture, 2).await;
    held.commit();
    assert!(removing.await.unwrap().unwrap());
    let refused = coming.await.unwrap();
    assert!(matches!(&refused, Err(AddEndUserError::Port(failure)) if failure.is_outdated()), "{refused:?}");
    removal.assert_nothing_is_left();
}

/// A batch of ballots passes the gates of its rounds in the order of ids, across clients.
#[tokio::test]
async fn running_rounds_are_ended_in_the_order_in_which_ballots_pass_their_gates() {
    let removal = Removal::ahead().await;
    let Removal { fixture, scene, round, .. } = &removal;
    // An earlier meeting with a later round.
    let (meeting, later) = ("00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff");
    let second = format!(
        "INSERT INTO meetings (id, client_id, title, status, scheduled_start_time, scheduled_end_time, started_at,
                               is_recurring, has_participant_list, created_at)
             SELECT '{meeting}', client_id, title, status, scheduled_start_time, scheduled_end_time, started_at,
                    is_recurring, has_participant_list, created_at FROM meetings WHERE id = '{old}';
         CREATE TEMP TABLE question AS SELECT questions.* FROM questions JOIN rounds ON question_id = questions.id
             WHERE rounds.id = '{round}';
         UPDATE question SET id = '{later}', meeting_id = '{meeting}';
         INSERT INTO questions SELECT * FROM question;
         CREATE TEMP TABLE round AS SELECT * FROM rounds WHERE id = '{round}';
         UPDATE round SET id = '{later}', meeting_id = '{meeting}', question_id = '{later}';
         INSERT INTO rounds SELECT * FROM round",
        old = scene.meeting,
    );
    fixture.database().connection().batch_execute(&second).expect("the test server does it");

    let gate = |round: &str| format!("pg_try_advisory_xact_lock_shared(hashtextextended('{round}', 0))");
    let batch = removal.hold(&format!("SELECT {}", gate(&round.to_string())));
    let removing = removal.start();
    batch.until_blocking(fixture, 1).await;
    let passed = fixture.count(&format!("SELECT count(*) AS count FROM (SELECT 1) AS one WHERE {}", gate(later)));
    assert_eq!(passed, 1, "the batch that waits for nobody goes on to its second round");
    batch.commit();
    assert!(removing.await.unwrap().unwrap());
    removal.assert_nothing_is_left();
}
