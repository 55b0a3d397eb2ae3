//! Every kind of change between a preparation and its opening is in the register, as if nothing had been prepared.

use std::collections::HashSet;

use chrono::TimeDelta;
use diesel::connection::SimpleConnection as _;
use diesel::sql_types::Text;
use diesel::{QueryableByName, RunQueryDsl as _};
use plenum_adapter_postgres::PostgresPreparedRegisters;
use plenum_kernel::{OptionId, QuestionId, RoundId};
use plenum_voting::testkit::contract::{Scene, VotingFixture};
use plenum_voting::{PreparedRegisters as _, RegisterPreparation, RoundOpening, RoundOption};

use crate::voting_contract::fixture::PostgresVoting;
use crate::voting_contract::held_transaction::HeldTransaction;

/// Two groups, a kind of weight, and proxies that are on.
const BEFORE: &str = "
    INSERT INTO groups (id, client_id, name)
        SELECT md5(named.name)::uuid, clients.id, named.name FROM clients, (VALUES ('Members'), ('Guests')) AS named (name);
    INSERT INTO group_members
        SELECT end_users.client_id, md5('Members')::uuid, end_users.id FROM end_users WHERE username <> 'voter-5';
    INSERT INTO weight_kinds (id, client_id, name, decimals) SELECT md5('Shares')::uuid, id, 'Shares', 2 FROM clients;
    UPDATE end_users SET weights = jsonb_build_object(md5('Shares')::uuid, '2.5');
    INSERT INTO proxy_settings (meeting_id, client_id, is_on, principals_may_grant, holders, without_questions)
        SELECT id, client_id, true, false, 'PARTICIPANTS', '{}' FROM meetings";

/// What changes between a preparation and its opening, one after the other.
const CHANGES: [(&str, &str); 17] = [
    ("nothing", "SELECT 1"),
    ("a weight", "UPDATE end_users SET weight = 9 WHERE username = 'voter-2'"),
    ("a name", "UPDATE end_users SET name = 'Somebody else' WHERE username = 'voter-2'"),
    ("a username", "UPDATE end_users SET username = 'renamed' WHERE username = 'voter-5'"),
    (
        "somebody joins",
        "INSERT INTO end_users (id, client_id, username, name, weight, is_active, password_hash, created_at)
             SELECT gen_random_uuid(), id, 'new', 'New', 1, true, '-', now() FROM clients",
    ),
    ("the questions are for a group", "UPDATE questions SET group_ids = ARRAY[md5('Members')::uuid]"),
    ("the meeting is for a group", "UPDATE meetings SET group_ids = ARRAY[md5('Members')::uuid]"),
    (
        "somebody leaves the group",
        "DELETE FROM group_members USING end_users WHERE end_user_id = end_users.id AND username = 'voter-2'",
    ),
    (
        "somebody enters the group",
        "INSERT INTO group_members SELECT client_id, md5('Members')::uuid, id FROM end_users
         WHERE username IN ('voter-2', 'new')",
    ),
    ("the meeting counts another weight", "UPDATE meetings SET weight_kind_id = md5('Shares')::uuid"),
    ("the questions count a second weight", "UPDATE questions SET second_weight_kind_id = md5('Shares')::uuid"),
    (
        "the rules name groups",
        r#"UPDATE questions SET decision_rule = jsonb_build_object('kind', 'majority', 'onTie', 'rejected', 'conditions',
               '[{"units": "heads", "base": "yes_plus_no", "comparison": "more_than", "numerator": 1, "denominator": 2}]'::jsonb,
               'inEach', jsonb_build_array(md5('Members')::uuid, md5('Guests')::uuid))"#,
    ),
    (
        "somebody is represented",
        "INSERT INTO proxies (id, client_id, meeting_id, principal_id, holder_id, granted_at, granted_by, is_by_principal)
             SELECT gen_random_uuid(), meetings.client_id, meetings.id, principal.id, holder.id, now(), 'Ada', false
             FROM meetings, end_users AS principal, end_users AS holder
             WHERE principal.username = 'voter-4' AND holder.username = 'voter-1'",
    ),
    (
        "somebody is excluded",
        "INSERT INTO exclusions
             SELECT questions.id, end_users.id, 'Conflict of interest', now(), 'Ada' FROM questions, end_users
             WHERE username = 'new'",
    ),
    ("somebody is deactivated", "UPDATE end_users SET is_active = false WHERE username = 'voter-3'"),
    (
        "the meeting gets a list",
        "UPDATE meetings SET has_participant_list = true;
         INSERT INTO participants (client_id, meeting_id, end_user_id)
             SELECT end_users.client_id, meetings.id, end_users.id FROM meetings, end_users
             WHERE username IN ('voter-1', 'voter-2', 'voter-4')",
    ),
    ("somebody is deleted", "DELETE FROM end_users WHERE username = 'voter-2'"),
];

struct Hall {
    fixture: PostgresVoting,
    scene: Scene,
    /// A question for each change.
    questions: Vec<QuestionId>,
}

impl Hall {
    /// Five people, of whom the first two are checked in, if the meeting has check-in.
    async fn new(has_check_in: bool) -> Self {
        let fixture = PostgresVoting::fresh().await;
        let scene = Scene::with_voters(&fixture, 5).await;
        let mut questions = vec![scene.question];
        for position in 2..=CHANGES.len() {
            let mut wording = scene.wording.clone();
            for option in &mut wording.options {
                *option = RoundOption { id: OptionId::new(&scene.ids), ..option.clone() };
            }
            questions.push(scene.add_question(&fixture, u32::try_from(position).unwrap(), wording).await);
        }
        let hall = Self { fixture, scene, questions };
        hall.run(BEFORE);
        if has_check_in {
            hall.fixture.set_check_in(hall.scene.meeting, Some(hall.scene.voters[..2].to_vec())).await;
        }
        hall
    }

    fn run(&self, statements: &str) {
        self.fixture.database().connection().batch_execute(statements).unwrap();
    }

    /// Prepares the register with the first person connected.
    async fn prepare(&self) -> RoundId {
        let new_round = RoundId::new(&self.scene.ids);
        let (meeting, connected) = (self.scene.meeting, vec![self.scene.voters[0]]);
        let preparation = RegisterPreparation { meeting, new_round, connected, at_least: 0 };
        let registers = PostgresPreparedRegisters::new(self.fixture.database().db());
        assert!(registers.prepare(preparation).await.unwrap());
        new_round
    }

    /// Opens a question with the second person connected, and returns the register as text.
    async fn open(&self, question: usize) -> Vec<String> {
        self.scene.clock.advance(TimeDelta::seconds(1));
        let connected = vec![self.scene.voters[1]];
        let opening = RoundOpening { connected, ..self.scene.opening(self.questions[question]) };
        self.fixture.rounds().open(opening).await.unwrap();
        self.register()
    }

    /// The register of the open round, with the sums that the round keeps.
    fn register(&self) -> Vec<String> {
        #[derive(QueryableByName)]
        struct Row {
            #[diesel(sql_type = Text)]
            text: String,
        }
        let statement = "SELECT concat_ws('|', username, name, weight, second_weight, was_connected, groups) AS text \
                         FROM register WHERE round_id = (SELECT id FROM rounds WHERE status = 'OPEN') \
                         UNION ALL \
                         SELECT concat_ws('|', 'sums', register_heads, register_weight, connected_heads, connected_weight) \
                         FROM rounds WHERE status = 'OPEN' ORDER BY text";
        let rows: Vec<Row> = diesel::sql_query(statement).load(&mut self.fixture.database().connection()).unwrap();
        rows.into_iter().map(|row| row.text).collect()
    }
}

#[tokio::test]
async fn every_kind_of_change_is_in_the_register() {
    for has_check_in in [false, true] {
        let (with, without) = (Hall::new(has_check_in).await, Hall::new(has_check_in).await);
        let mut registers = HashSet::new();
        for (question, (what, change)) in CHANGES.into_iter().enumerate() {
            let prepared = with.prepare().await;
            with.run(change);
            without.run(change);
            let (register, expected) = (with.open(question).await, without.open(question).await);
            assert_eq!(register, expected, "{what}, with check-in: {has_check_in}");
            let taken = format!("SELECT count(*) FROM rounds WHERE id = '{prepared}'");
            assert_eq!(with.fixture.count(&taken), 1, "{what}: the prepared register is used");
            registers.insert(register);
        }
        assert!(registers.len() > 8, "the changes change registers: {registers:?}");
    }
}

#[tokio::test]
async fn somebody_who_is_checked_in_while_the_question_opens_is_in_the_register() {
    let hall = Hall::new(true).await;
    hall.prepare().await;
    // As a desk does it: the meeting is locked, and the check-in not stored yet.
    let mut desk = HeldTransaction::begin(hall.fixture.database(), "SELECT FROM meetings FOR UPDATE");
    let (rounds, opening) = (hall.fixture.rounds(), hall.scene.opening(hall.scene.question));
    let opening = tokio::spawn(async move { rounds.open(opening).await });
    desk.until_blocking(&hall.fixture, 1).await;
    desk.run(&format!(
        "WITH came AS (
             INSERT INTO presence_entries (meeting_id, number, client_id, id, end_user_id, username, name, kind, happened_at,
                                           noted_at, by_role, by_name)
                 SELECT meetings.id, 99, meetings.client_id, gen_random_uuid(), person.id, person.username, person.name, 'IN',
                        now(), now(), 'DESK', 'Desk 1'
                 FROM meetings, end_users AS person WHERE person.id = '{}'
                 RETURNING meeting_id, end_user_id, client_id, happened_at, number)
         INSERT INTO people_present SELECT * FROM came",
        hall.scene.voters[2]
    ));
    desk.commit();
    opening.await.unwrap().unwrap();
    assert_eq!(hall.register().iter().filter(|entry| entry.starts_with("voter-")).count(), 3);
}
