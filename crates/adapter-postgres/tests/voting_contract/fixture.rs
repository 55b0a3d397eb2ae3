use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use diesel::connection::SimpleConnection;
use diesel::pg::PgConnection;
use diesel::sql_types::{BigInt, Bool, Integer, Nullable, Numeric, Text, Uuid as SqlUuid};
use diesel::{QueryableByName, RunQueryDsl};
use plenum_adapter_postgres::testkit::TestDatabase;
use plenum_adapter_postgres::{
    BallotBoxSettings, DbSettings, PostgresBallotBox, PostgresLive, PostgresMeetings, PostgresQuestions, PostgresRounds,
};
use plenum_kernel::{ClientId, EndUserId, MeetingId, OptionRole, QuestionId, QuestionType, RoundId};
use plenum_voting::testkit::contract::{SeedMeeting, SeedQuestion, SeedVoter, VotingFixture};
use plenum_voting::{BallotBox, RoundStore};

/// The stores on a database of their own.
pub(crate) struct PostgresVoting {
    ballot_box: Arc<PostgresBallotBox>,
    conn: Mutex<PgConnection>,
    database: TestDatabase,
}

impl PostgresVoting {
    pub(crate) async fn fresh() -> Self {
        Self::with(BallotBoxSettings::default()).await
    }

    pub(crate) async fn with(settings: BallotBoxSettings) -> Self {
        let database = TestDatabase::fresh().await;
        let ballot_box = start_box(&database, settings);
        Self { ballot_box: Arc::new(ballot_box), conn: Mutex::new(database.connection()), database }
    }

    pub(crate) fn database(&self) -> &TestDatabase {
        &self.database
    }

    pub(crate) fn meetings(&self) -> PostgresMeetings {
        PostgresMeetings::new(self.database.db())
    }

    pub(crate) fn questions(&self) -> PostgresQuestions {
        PostgresQuestions::new(self.database.db())
    }

    pub(crate) fn live(&self) -> PostgresLive {
        PostgresLive::new(self.database.db())
    }

    /// Opens a re-vote of a round that was declared: the same wording and register under a new id, without votes.
    pub(crate) fn open_re_vote(&self, declared: RoundId, new_round: RoundId) {
        let re_vote = format!(
            "INSERT INTO rounds
             SELECT '{new_round}', client_id, meeting_id, question_id, number + 1, 'OPEN', question_text, question_type,
                    rating_max, max_choices, opened_at + interval '1 hour', NULL, register_heads, register_weight,
                    is_test
             FROM rounds WHERE id = '{declared}';
             INSERT INTO round_options
             SELECT '{new_round}', option_id, position, option_text, role FROM round_options WHERE round_id = '{declared}';
             INSERT INTO register
             SELECT '{new_round}', end_user_id, username, name, weight, added_at FROM register
             WHERE round_id = '{declared}';"
        );
        self.conn().batch_execute(&re_vote).expect("the test server does it");
    }

    /// The number that `query` gives as `count`.
    pub(crate) fn count(&self, query: &str) -> i64 {
        count(&mut self.conn(), query)
    }

    /// Lets the fixture be dropped and the box live on.
    pub(crate) fn into_parts(self) -> (Arc<PostgresBallotBox>, TestDatabase) {
        (self.ballot_box, self.database)
    }

    fn conn(&self) -> MutexGuard<'_, PgConnection> {
        self.conn.lock().expect("the test server does it")
    }

    fn add_client(&self, client: ClientId) {
        diesel::sql_query(
            "INSERT INTO clients (id, name, client_code, contact_email, status, subscription_plan, created_at) \
             VALUES ($1, 'Rowing club', 'c' || right(replace($1::text, '-', ''), 31), 'club@example.org', 'ACTIVE', \
                     'BASIC', now()) \
             ON CONFLICT DO NOTHING",
        )
        .bind::<SqlUuid, _>(client.as_uuid())
        .execute(&mut *self.conn())
        .expect("the test server does it");
    }
}

pub(crate) fn start_box(database: &TestDatabase, settings: BallotBoxSettings) -> PostgresBallotBox {
    PostgresBallotBox::start(database.db(), &DbSettings::new(database.url()), settings)
        .expect("the test server does it")
}

pub(crate) fn count(conn: &mut PgConnection, query: &str) -> i64 {
    #[derive(QueryableByName)]
    struct Count {
        #[diesel(sql_type = BigInt)]
        count: i64,
    }
    let row: Count = diesel::sql_query(query).get_result(conn).expect("the test server does it");
    row.count
}

/// The ids that `query` gives as `id`.
pub(crate) fn ids(conn: &mut PgConnection, query: &str) -> Vec<uuid::Uuid> {
    #[derive(QueryableByName)]
    struct Id {
        #[diesel(sql_type = SqlUuid)]
        id: uuid::Uuid,
    }
    let rows: Vec<Id> = diesel::sql_query(query).load(conn).expect("the test server does it");
    rows.into_iter().map(|row| row.id).collect()
}

/// A transaction that is held open by the test.
pub(crate) struct HeldTransaction {
    conn: PgConnection,
    pid: i64,
}

impl HeldTransaction {
    pub(crate) fn begin(database: &TestDatabase, statements: &str) -> Self {
        let mut conn = database.connection();
        let pid = count(&mut conn, "SELECT pg_backend_pid()::bigint AS count");
        conn.batch_execute("BEGIN").expect("the test server does it");
        conn.batch_execute(statements).expect("the test server does it");
        Self { conn, pid }
    }

    /// Waits until `number` connections wait for this transaction, directly or behind one another, and returns.
    pub(crate) async fn until_blocking(&self, fixture: &PostgresVoting, number: i64) {
        let query = format!(
            "WITH RECURSIVE behind (pid) AS ( \
                 SELECT {}::integer \
                 UNION \
                 SELECT waiting.pid FROM pg_stat_activity AS waiting \
                 JOIN behind ON behind.pid = ANY (pg_blocking_pids(waiting.pid)) \
             ) SELECT count(*) - 1 AS count FROM behind",
            self.pid
        );
        poll("someone waits for the transaction", || fixture.count(&query) >= number).await;
    }

    /// Ends the connections that wait for this transaction.
    pub(crate) fn terminate_waiting(&self, fixture: &PostgresVoting) {
        let ended = fixture.count(&format!(
            "SELECT count(*) FILTER (WHERE pg_terminate_backend(pid)) AS count \
             FROM pg_stat_activity WHERE {} = ANY (pg_blocking_pids(pid))",
            self.pid
        ));
        assert!(ended > 0, "nobody waited");
    }

    pub(crate) fn commit(mut self) {
        self.conn.batch_execute("COMMIT").expect("the test server does it");
    }

    pub(crate) fn roll_back(mut self) {
        self.conn.batch_execute("ROLLBACK").expect("the test server does it");
    }
}

/// Waits until `is_so`, and not forever.
pub(crate) async fn poll(what: &str, mut is_so: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(20);
    while !is_so() {
        assert!(Instant::now() < deadline, "waited in vain until {what}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[async_trait]
impl VotingFixture for PostgresVoting {
    fn rounds(&self) -> Arc<dyn RoundStore> {
        Arc::new(PostgresRounds::new(self.database.db()))
    }

    fn ballot_box(&self) -> Arc<dyn BallotBox> {
        Arc::clone(&self.ballot_box) as Arc<dyn BallotBox>
    }

    async fn add_meeting(&self, meeting: SeedMeeting) {
        self.add_client(meeting.client);
        diesel::sql_query(
            "INSERT INTO meetings (id, client_id, title, status, scheduled_start_time, scheduled_end_time, \
                                   is_recurring, has_participant_list, created_at) \
             VALUES ($1, $2, 'General assembly', 'ACTIVE', now(), now() + interval '1 hour', false, $3, now())",
        )
        .bind::<SqlUuid, _>(meeting.id.as_uuid())
        .bind::<SqlUuid, _>(meeting.client.as_uuid())
        .bind::<Bool, _>(meeting.has_participant_list)
        .execute(&mut *self.conn())
        .expect("the test server does it");
    }

    async fn rename_client(&self, client: ClientId, name: &str) {
        diesel::sql_query("UPDATE clients SET name = $2 WHERE id = $1")
            .bind::<SqlUuid, _>(client.as_uuid())
            .bind::<Text, _>(name)
            .execute(&mut *self.conn())
            .expect("the test server does it");
    }

    async fn rename_meeting(&self, meeting: MeetingId, title: &str) {
        diesel::sql_query("UPDATE meetings SET title = $2 WHERE id = $1")
            .bind::<SqlUuid, _>(meeting.as_uuid())
            .bind::<Text, _>(title)
            .execute(&mut *self.conn())
            .expect("the test server does it");
    }

    async fn add_question(&self, question: SeedQuestion) {
        let question_type = match question.wording.question_type {
            QuestionType::YesNo => "YES_NO",
            QuestionType::MultipleChoice => "MULTIPLE_CHOICE",
            QuestionType::OpenText => "OPEN_TEXT",
            QuestionType::Rating => "RATING",
            QuestionType::Percentage => "PERCENTAGE",
        };
        diesel::sql_query(
            "INSERT INTO questions (id, client_id, meeting_id, position, question_text, question_type, is_required, \
                                    rating_max, max_choices, created_at) \
             SELECT $1, client_id, id, $3, $4, $5, true, $6, $7, now() FROM meetings WHERE id = $2",
        )
        .bind::<SqlUuid, _>(question.id.as_uuid())
        .bind::<SqlUuid, _>(question.meeting.as_uuid())
        .bind::<Integer, _>(question.position as i32)
        .bind::<Text, _>(&question.wording.text)
        .bind::<Text, _>(question_type)
        .bind::<Nullable<Integer>, _>(question.wording.rating_max.map(|max| max as i32))
        .bind::<Nullable<Integer>, _>(question.wording.max_choices.map(|max| max as i32))
        .execute(&mut *self.conn())
        .expect("the test server does it");
        for option in &question.wording.options {
            let role = match option.role {
                OptionRole::Yes => "yes",
                OptionRole::No => "no",
                OptionRole::Abstain => "abstain",
                OptionRole::Choice => "choice",
            };
            diesel::sql_query(
                "INSERT INTO options (id, client_id, question_id, position, option_text, role) \
                 SELECT $1, client_id, id, $3, $4, $5 FROM questions WHERE id = $2",
            )
            .bind::<SqlUuid, _>(option.id.as_uuid())
            .bind::<SqlUuid, _>(question.id.as_uuid())
            .bind::<Integer, _>(option.position as i32)
            .bind::<Text, _>(&option.text)
            .bind::<Text, _>(role)
            .execute(&mut *self.conn())
            .expect("the test server does it");
        }
    }

    async fn add_voter(&self, voter: SeedVoter) {
        self.add_client(voter.client);
        diesel::sql_query(
            "INSERT INTO end_users (id, client_id, username, name, weight, is_active, password_hash, created_at) \
             VALUES ($1, $2, $3, $4, $5, $6, 'hash', now())",
        )
        .bind::<SqlUuid, _>(voter.id.as_uuid())
        .bind::<SqlUuid, _>(voter.client.as_uuid())
        .bind::<Text, _>(&voter.username)
        .bind::<Text, _>(&voter.name)
        .bind::<Numeric, _>(voter.weight)
        .bind::<Bool, _>(voter.is_active)
        .execute(&mut *self.conn())
        .expect("the test server does it");
    }

    async fn invite(&self, meeting: MeetingId, voter: EndUserId) {
        diesel::sql_query("INSERT INTO participants SELECT client_id, id, $2 FROM meetings WHERE id = $1")
            .bind::<SqlUuid, _>(meeting.as_uuid())
            .bind::<SqlUuid, _>(voter.as_uuid())
            .execute(&mut *self.conn())
            .expect("the test server does it");
    }

    async fn set_voter_active(&self, voter: EndUserId, is_active: bool) {
        diesel::sql_query("UPDATE end_users SET is_active = $2 WHERE id = $1")
            .bind::<SqlUuid, _>(voter.as_uuid())
            .bind::<Bool, _>(is_active)
            .execute(&mut *self.conn())
            .expect("the test server does it");
    }

    async fn remove_voter(&self, voter: EndUserId) {
        diesel::sql_query("DELETE FROM end_users WHERE id = $1")
            .bind::<SqlUuid, _>(voter.as_uuid())
            .execute(&mut *self.conn())
            .expect("the test server does it");
    }

    async fn set_meeting_active(&self, meeting: MeetingId, is_active: bool) {
        diesel::sql_query("UPDATE meetings SET status = CASE WHEN $2 THEN 'ACTIVE' ELSE 'COMPLETED' END WHERE id = $1")
            .bind::<SqlUuid, _>(meeting.as_uuid())
            .bind::<Bool, _>(is_active)
            .execute(&mut *self.conn())
            .expect("the test server does it");
    }

    async fn reword(&self, question: QuestionId, text: &str) {
        diesel::sql_query("UPDATE questions SET question_text = $2 WHERE id = $1")
            .bind::<SqlUuid, _>(question.as_uuid())
            .bind::<Text, _>(text)
            .execute(&mut *self.conn())
            .expect("the test server does it");
    }

    async fn declare(&self, round: RoundId) {
        diesel::sql_query("UPDATE rounds SET status = 'DECLARED' WHERE id = $1")
            .bind::<SqlUuid, _>(round.as_uuid())
            .execute(&mut *self.conn())
            .expect("the test server does it");
    }
}
