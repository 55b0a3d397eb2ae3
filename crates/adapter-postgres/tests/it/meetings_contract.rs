//! The contract of the meeting stores, on PostgreSQL.

use plenum_clients::testkit::PlainRefreshTokens;
use plenum_kernel::testkit::PlainLinkTokens;
use plenum_voting::testkit::PlainRecords;
use std::sync::{Arc, Mutex, MutexGuard};

use async_trait::async_trait;
use diesel::connection::SimpleConnection;
use diesel::pg::PgConnection;
use diesel::sql_types::{Bool, Nullable, Numeric, Text, Timestamptz, Uuid as SqlUuid};
use diesel::{QueryableByName, RunQueryDsl};
use plenum_adapter_postgres::testkit::TestDatabase;
use plenum_adapter_postgres::{
    PostgresAttendance, PostgresCheckIns, PostgresDesks, PostgresInvitations, PostgresMeetings, PostgresParticipants,
    PostgresQuestions, PostgresRehearsals, PostgresRemarks, PostgresVoterMeetings,
};
use plenum_kernel::{AccountId, ClientId, EndUserId, MeetingId, NamedGroup, QuestionId, WeightKindId};
use plenum_meetings::testkit::contract::{Amended, MeetingsFixture};
use plenum_meetings::{
    AttendanceStore, CheckInStore, DeskStore, InvitationStore, MeetingClient, MeetingStore, Participant,
    ParticipantStore, QuestionStore, QuestionUse, RehearsalStore, RemarkStore, VoterMeetings,
};

plenum_meetings::meetings_contract!(PostgresFixture::fresh().await);

#[derive(QueryableByName)]
struct Line {
    #[diesel(sql_type = Nullable<Text>)]
    text: Option<String>,
}

#[derive(QueryableByName)]
struct AmendmentLine {
    #[diesel(sql_type = Text)]
    subject: String,
    #[diesel(sql_type = Text)]
    field: String,
    #[diesel(sql_type = Nullable<Text>)]
    was: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    became: Option<String>,
}

impl AmendmentLine {
    fn into_amended(self) -> Amended {
        let known = |text: &str, all: &[&'static str]| all.iter().copied().find(|one| *one == text).unwrap_or("?");
        Amended {
            about: known(&self.subject, &["MEETING", "QUESTION", "REMARK", "RESULT"]),
            field: known(
                &self.field,
                &["title", "scheduledStart", "scheduledEnd", "quorum", "status", "text", "struck"],
            ),
            was: self.was,
            became: self.became,
        }
    }
}

/// The stores on their own database.
struct PostgresFixture {
    conn: Mutex<PgConnection>,
    database: TestDatabase,
}

impl PostgresFixture {
    async fn fresh() -> Self {
        let database = TestDatabase::fresh().await;
        Self { conn: Mutex::new(database.connection()), database }
    }

    fn conn(&self) -> MutexGuard<'_, PgConnection> {
        self.conn.lock().expect("the test server does it")
    }
}

#[async_trait]
impl MeetingsFixture for PostgresFixture {
    fn meetings(&self) -> Arc<dyn MeetingStore> {
        Arc::new(PostgresMeetings::new(self.database.db(), Arc::new(PlainRecords)))
    }

    fn participants(&self) -> Arc<dyn ParticipantStore> {
        Arc::new(PostgresParticipants::new(self.database.db()))
    }

    fn questions(&self) -> Arc<dyn QuestionStore> {
        Arc::new(PostgresQuestions::new(self.database.db()))
    }

    fn voter_meetings(&self) -> Arc<dyn VoterMeetings> {
        Arc::new(PostgresVoterMeetings::new(self.database.db()))
    }

    fn invitations(&self) -> Arc<dyn InvitationStore> {
        Arc::new(PostgresInvitations::new(self.database.db(), Arc::new(PlainLinkTokens), Arc::new(PlainRefreshTokens)))
    }

    fn attendance(&self) -> Arc<dyn AttendanceStore> {
        Arc::new(PostgresAttendance::new(self.database.db()))
    }

    fn check_ins(&self) -> Arc<dyn CheckInStore> {
        Arc::new(PostgresCheckIns::new(self.database.db()))
    }

    fn desks(&self) -> Arc<dyn DeskStore> {
        Arc::new(PostgresDesks::new(self.database.db()))
    }

    fn remarks(&self) -> Arc<dyn RemarkStore> {
        Arc::new(PostgresRemarks::new(self.database.db()))
    }

    fn rehearsals(&self) -> Arc<dyn RehearsalStore> {
        Arc::new(PostgresRehearsals::new(self.database.db()))
    }

    async fn add_account(&self, client: ClientId, id: AccountId, first_name: &str, last_name: &str) {
        let account = format!(
            "INSERT INTO accounts (id, client_id, role, email, password_hash, first_name, last_name, created_at)
             VALUES ('{id}', '{client}', 'CLIENT', '{id}@example.org', 'hash', '{first_name}', '{last_name}', now())"
        );
        self.conn().batch_execute(&account).expect("the test server does it");
    }

    async fn add_client(&self, client: MeetingClient) {
        diesel::sql_query(
            "INSERT INTO clients (id, name, client_code, contact_email, status, subscription_plan, created_at) \
             VALUES ($1, $2, $3, 'club@example.org', 'ACTIVE', 'BASIC', now())",
        )
        .bind::<SqlUuid, _>(client.id.as_uuid())
        .bind::<Text, _>(&client.name)
        .bind::<Text, _>(&client.code)
        .execute(&mut *self.conn())
        .expect("the test server does it");
    }

    async fn add_weight_kind(&self, client: ClientId, id: WeightKindId, name: &str) {
        let statement = format!(
            "INSERT INTO weight_kinds (id, client_id, name, decimals) VALUES ('{id}', '{client}', '{name}', 2)"
        );
        self.conn().batch_execute(&statement).expect("the test server does it");
    }

    async fn add_group(&self, client: ClientId, group: NamedGroup, members: Vec<EndUserId>) {
        let NamedGroup { id, name } = group;
        let mut statements = format!("INSERT INTO groups (id, client_id, name) VALUES ('{id}', '{client}', '{name}');");
        for member in members {
            statements.push_str(&format!("INSERT INTO group_members VALUES ('{client}', '{id}', '{member}');"));
        }
        self.conn().batch_execute(&statements).expect("the test server does it");
    }

    async fn add_end_user(&self, client: ClientId, person: Participant) {
        diesel::sql_query(
            "INSERT INTO end_users (id, client_id, username, name, email, address, weight, is_active, password_hash, \
                                    last_login_at, created_at, erased_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'hash', $9, $10, CASE WHEN $11 THEN now() END)",
        )
        .bind::<SqlUuid, _>(person.id.as_uuid())
        .bind::<SqlUuid, _>(client.as_uuid())
        .bind::<Text, _>(&person.username)
        .bind::<Text, _>(&person.name)
        .bind::<Nullable<Text>, _>(&person.email)
        .bind::<Nullable<Text>, _>(&person.address)
        .bind::<Numeric, _>(person.weight.as_decimal())
        .bind::<Bool, _>(person.is_active)
        .bind::<Nullable<Timestamptz>, _>(person.last_login_at)
        .bind::<Timestamptz, _>(person.created_at)
        .bind::<Bool, _>(person.is_erased)
        .execute(&mut *self.conn())
        .expect("the test server does it");
    }

    async fn change_end_user(&self, changed: Participant) {
        diesel::sql_query("UPDATE end_users SET username = $2, name = $3, email = $4, is_active = $5 WHERE id = $1")
            .bind::<SqlUuid, _>(changed.id.as_uuid())
            .bind::<Text, _>(&changed.username)
            .bind::<Text, _>(&changed.name)
            .bind::<Nullable<Text>, _>(&changed.email)
            .bind::<Bool, _>(changed.is_active)
            .execute(&mut *self.conn())
            .expect("the test server does it");
    }

    async fn remove_end_user(&self, id: EndUserId) {
        diesel::sql_query("DELETE FROM end_users WHERE id = $1")
            .bind::<SqlUuid, _>(id.as_uuid())
            .execute(&mut *self.conn())
            .expect("the test server does it");
    }

    async fn closings(&self, meeting: MeetingId) -> Vec<String> {
        let hashes = format!("SELECT hash AS text FROM closing_records WHERE meeting_id = '{meeting}' ORDER BY number");
        let rows: Vec<Line> = diesel::sql_query(hashes).load(&mut *self.conn()).expect("the test server does it");
        rows.into_iter().filter_map(|row| row.text).collect()
    }

    async fn amendments(&self, meeting: MeetingId) -> Vec<Amended> {
        let told = format!(
            "SELECT subject, field, was, became FROM amendments WHERE meeting_id = '{meeting}' ORDER BY number"
        );
        let rows: Vec<AmendmentLine> =
            diesel::sql_query(told).load(&mut *self.conn()).expect("the test server does it");
        rows.into_iter().map(AmendmentLine::into_amended).collect()
    }

    async fn forget_closings(&self, meeting: MeetingId) {
        let forget = format!(
            "ALTER TABLE closing_records DISABLE TRIGGER USER;
             DELETE FROM closing_records WHERE meeting_id = '{meeting}';
             ALTER TABLE closing_records ENABLE TRIGGER USER;
             UPDATE meetings SET closing_hash = NULL WHERE id = '{meeting}'"
        );
        self.conn().batch_execute(&forget).expect("the test server does it");
    }

    async fn mark_used(&self, question: QuestionId, used: QuestionUse) {
        let (status, ended_at) = match used {
            QuestionUse::Open => ("OPEN", "NULL"),
            QuestionUse::Unused | QuestionUse::Voted => ("ENDED", "now()"),
        };
        let round = format!(
            "INSERT INTO rounds
             SELECT id, client_id, meeting_id, id, 1, '{status}', question_text, question_type, rating_max, max_choices,
                    now(), {ended_at}, 1, 1, false
             FROM questions WHERE id = '{question}';
             INSERT INTO round_options
             SELECT question_id, id, position, option_text, role FROM options WHERE question_id = '{question}';
             INSERT INTO register VALUES ('{question}', '{question}', 'anna', 'Anna', 1, now());"
        );
        let vote = format!(
            "INSERT INTO votes VALUES ('{question}', '{question}', '{question}', NULL, 1, NULL, now());
             INSERT INTO round_counters VALUES ('{question}', 1, 1);"
        );
        let votes = if used == QuestionUse::Voted { vote } else { String::new() };
        self.conn().batch_execute(&format!("{round} {votes}")).expect("the test server does it");
    }

    async fn add_to_register(&self, question: QuestionId, voter: EndUserId) {
        let row = format!("INSERT INTO register VALUES ('{question}', '{voter}', '{voter}', 'Someone', 1, now());");
        self.conn().batch_execute(&row).expect("the test server does it");
    }
}
