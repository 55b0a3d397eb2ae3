use std::sync::{Arc, Mutex, MutexGuard};

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use diesel::connection::SimpleConnection;
use diesel::pg::PgConnection;
use diesel::sql_types::{Bool, Integer, Jsonb, Nullable, Numeric, Text, Timestamptz, Uuid as SqlUuid};
use diesel::{QueryableByName, RunQueryDsl};
use plenum_adapter_postgres::testkit::TestDatabase;
use plenum_adapter_postgres::{
    BallotBoxSettings, DbSettings, PostgresArchives, PostgresBallotBox, PostgresCurations, PostgresEndUsers,
    PostgresLive, PostgresMeetingRecords, PostgresMeetings, PostgresPaperVotes, PostgresProxies,
    PostgresPurgeDocuments, PostgresPurges, PostgresQuestions, PostgresRecords, PostgresRegisterChanges,
    PostgresResults, PostgresRounds, PostgresTimestamps, PostgresUrns,
};
use plenum_clients::{
    ChangeEndUserError, EndUserChanges, EndUserStore as _, EndUserUpdate, ImportError, ImportedPeople, PasswordHash,
    SetPassword,
};
use plenum_kernel::{
    AccountId, AtOpening, ClientId, DeskId, EndUserId, GroupId, MeetingId, MeetingQuorum, NamedGroup, OptionRole,
    PasswordReason, PasswordSetter, Person, PresenceRule, QuestionId, QuestionType, Quorum, RoundId, Secrecy,
    WeightKind, WeightKindId,
};
use plenum_result_format::{DecisionRuleFormat, PlannedQuorumFormat, QuorumFormat};
use plenum_voting::testkit::contract::{
    SeedKinds, SeedMeeting, SeedPassword, SeedQuestion, SeedTerms, SeedVoter, VotingFixture,
};
use plenum_voting::testkit::{InMemoryUrnKeys, PlainRecords};
use plenum_voting::{
    Archives, BallotBox, CurationStore, LogEntry, LoggedPerson, MeetingRecords, PaperVotes, ProxyStore, PurgeDocuments,
    PurgeStore, RecordTimestamps, RegisterChanges, ResultRecords, ResultStore, RoundStore, UrnStore,
};
use rust_decimal::Decimal;
use serde_json::Value;

use crate::voting_contract::prepared_rounds::PreparedRounds;
use crate::voting_contract::queries::{change_own_password, count, log_kind};

/// The stores on their own database.
pub(crate) struct PostgresVoting {
    ballot_box: Arc<PostgresBallotBox>,
    conn: Mutex<PgConnection>,
    database: TestDatabase,
    urn_keys: InMemoryUrnKeys,
    prepares: bool,
}

impl PostgresVoting {
    pub(crate) async fn fresh() -> Self {
        Self::with(BallotBoxSettings::default()).await
    }

    pub(crate) async fn with(settings: BallotBoxSettings) -> Self {
        let database = TestDatabase::fresh().await;
        let ballot_box = start_box(&database, settings);
        let (ballot_box, conn) = (Arc::new(ballot_box), Mutex::new(database.connection()));
        Self { ballot_box, conn, database, urn_keys: InMemoryUrnKeys::default(), prepares: false }
    }

    /// Lets each opening find a register that was prepared, and spoiled.
    pub(crate) fn with_prepared_registers(self) -> Self {
        Self { prepares: true, ..self }
    }

    pub(crate) fn database(&self) -> &TestDatabase {
        &self.database
    }

    pub(crate) fn meetings(&self) -> PostgresMeetings {
        PostgresMeetings::new(self.database.db(), Arc::new(PlainRecords))
    }

    pub(crate) fn questions(&self) -> PostgresQuestions {
        PostgresQuestions::new(self.database.db())
    }

    pub(crate) fn records(&self) -> Arc<dyn MeetingRecords> {
        Arc::new(PostgresMeetingRecords::new(self.database.db()))
    }

    pub(crate) fn live(&self) -> PostgresLive {
        PostgresLive::new(self.database.db())
    }

    /// The `count` that `query` returns.
    pub(crate) fn count(&self, query: &str) -> i64 {
        count(&mut self.conn(), query)
    }

    /// Drops the fixture and keeps the box.
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

fn json_of(quorum: Quorum) -> Value {
    serde_json::to_value(QuorumFormat::from(quorum)).expect("it is JSON")
}

pub(crate) fn start_box(database: &TestDatabase, settings: BallotBoxSettings) -> PostgresBallotBox {
    PostgresBallotBox::start(database.db(), &DbSettings::new(database.url()), settings)
        .expect("the test server does it")
}

#[async_trait]
impl VotingFixture for PostgresVoting {
    fn rounds(&self) -> Arc<dyn RoundStore> {
        if self.prepares {
            return PreparedRounds::on(&self.database);
        }
        Arc::new(PostgresRounds::new(self.database.db()))
    }

    fn results(&self) -> Arc<dyn ResultStore> {
        Arc::new(PostgresResults::new(self.database.db(), Arc::new(PlainRecords)).with_urn_keys(self.urn_keys()))
    }

    fn result_records(&self) -> Arc<dyn ResultRecords> {
        Arc::new(PostgresRecords::new(self.database.db(), Arc::new(PlainRecords)))
    }

    fn timestamps(&self) -> Arc<dyn RecordTimestamps> {
        Arc::new(PostgresTimestamps::new(self.database.db()))
    }

    fn curations(&self) -> Arc<dyn CurationStore> {
        Arc::new(PostgresCurations::new(self.database.db()))
    }

    fn urns(&self) -> Arc<dyn UrnStore> {
        Arc::new(PostgresUrns::new(self.database.db()))
    }

    fn urn_keys(&self) -> Arc<InMemoryUrnKeys> {
        Arc::new(self.urn_keys.clone())
    }

    fn archives(&self) -> Arc<dyn Archives> {
        Arc::new(PostgresArchives::new(self.database.db()))
    }

    fn purges(&self) -> Arc<dyn PurgeStore> {
        Arc::new(PostgresPurges::new(self.database.db(), Arc::new(PlainRecords)))
    }

    fn purge_documents(&self) -> Arc<dyn PurgeDocuments> {
        Arc::new(PostgresPurgeDocuments::new(self.database.db()))
    }

    async fn forget_record(&self, round: RoundId) {
        let forget = format!(
            "ALTER TABLE result_records DISABLE TRIGGER USER; DELETE FROM result_records WHERE round_id = '{round}'; \
             ALTER TABLE result_records ENABLE TRIGGER USER"
        );
        self.database.connection().batch_execute(&forget).unwrap();
    }

    fn ballot_box(&self) -> Arc<dyn BallotBox> {
        Arc::clone(&self.ballot_box) as Arc<dyn BallotBox>
    }

    fn proxies(&self) -> Arc<dyn ProxyStore> {
        Arc::new(PostgresProxies::new(self.database.db()))
    }

    fn paper_votes(&self) -> Arc<dyn PaperVotes> {
        Arc::new(PostgresPaperVotes::new(self.database.db()))
    }

    async fn add_desk(&self, client: ClientId, meeting: MeetingId, desk: DeskId, name: &str) {
        let insert = format!(
            "INSERT INTO desks (id, client_id, meeting_id, name, token_hash, made_at, made_by) \
             VALUES ('{desk}', '{client}', '{meeting}', '{name}', uuid_send('{desk}'), now(), 'Anna Berg')"
        );
        self.database.connection().batch_execute(&insert).unwrap();
    }

    fn register_changes(&self) -> Arc<dyn RegisterChanges> {
        Arc::new(PostgresRegisterChanges::new(self.database.db()))
    }

    async fn log_of(&self, round: RoundId) -> Vec<LogEntry> {
        #[derive(QueryableByName)]
        struct Row {
            #[diesel(sql_type = Timestamptz)]
            logged_at: DateTime<Utc>,
            #[diesel(sql_type = Text)]
            kind: String,
            #[diesel(sql_type = Nullable<Text>)]
            done_by: Option<String>,
            #[diesel(sql_type = Nullable<SqlUuid>)]
            end_user_id: Option<uuid::Uuid>,
            #[diesel(sql_type = Nullable<Text>)]
            username: Option<String>,
            #[diesel(sql_type = Nullable<Text>)]
            name: Option<String>,
            #[diesel(sql_type = Nullable<Numeric>)]
            weight: Option<Decimal>,
            #[diesel(sql_type = Nullable<Text>)]
            reason: Option<String>,
        }
        let rows: Vec<Row> =
            diesel::sql_query("SELECT * FROM round_log WHERE round_id = $1 ORDER BY logged_at, position, id")
                .bind::<SqlUuid, _>(round.as_uuid())
                .load(&mut *self.conn())
                .expect("the test server does it");
        let person = |row: &Row| {
            Some(LoggedPerson {
                end_user_id: EndUserId::from_uuid(row.end_user_id?),
                username: row.username.clone()?,
                name: row.name.clone()?,
                weight: row.weight?.normalize(),
            })
        };
        rows.into_iter()
            .map(|row| LogEntry {
                at: row.logged_at,
                kind: log_kind(&row.kind),
                person: person(&row),
                by: row.done_by,
                reason: row.reason,
            })
            .collect()
    }

    async fn is_listed(&self, meeting: MeetingId, voter: EndUserId) -> bool {
        let listed = format!("meeting_id = '{meeting}' AND end_user_id = '{voter}'");
        self.count(&format!("SELECT count(*) FROM participants WHERE {listed}")) > 0
    }

    async fn add_meeting(&self, meeting: SeedMeeting) {
        self.add_client(meeting.client);
        diesel::sql_query(
            "INSERT INTO meetings (id, client_id, title, status, scheduled_start_time, scheduled_end_time, \
                                   is_recurring, has_participant_list, created_at, counts_surveys_at_end) \
             VALUES ($1, $2, 'General assembly', 'ACTIVE', now(), now() + interval '1 hour', false, $3, now(), false)",
        )
        .bind::<SqlUuid, _>(meeting.id.as_uuid())
        .bind::<SqlUuid, _>(meeting.client.as_uuid())
        .bind::<Bool, _>(meeting.has_participant_list)
        .execute(&mut *self.conn())
        .expect("the test server does it");
    }

    async fn add_account(&self, client: ClientId, account: AccountId, first_name: &str, last_name: &str) {
        diesel::sql_query(
            "INSERT INTO accounts (id, client_id, role, email, password_hash, first_name, last_name, created_at) \
             VALUES ($1, $2, 'CLIENT', $1::text || '@example.org', 'hash', $3, $4, now())",
        )
        .bind::<SqlUuid, _>(account.as_uuid())
        .bind::<SqlUuid, _>(client.as_uuid())
        .bind::<Text, _>(first_name)
        .bind::<Text, _>(last_name)
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
            QuestionType::Election => "ELECTION",
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

    async fn add_group(&self, client: ClientId, group: NamedGroup, members: &[EndUserId]) {
        let NamedGroup { id, name } = group;
        let add = format!("INSERT INTO groups (id, client_id, name) VALUES ('{id}', '{client}', '{name}')");
        self.conn().batch_execute(&add).expect("the test server does it");
        for member in members {
            self.set_member(id, *member, true).await;
        }
    }

    async fn set_member(&self, group: GroupId, voter: EndUserId, is_member: bool) {
        let change = if is_member {
            format!("INSERT INTO group_members SELECT client_id, id, '{voter}' FROM groups WHERE id = '{group}'")
        } else {
            format!("DELETE FROM group_members WHERE group_id = '{group}' AND end_user_id = '{voter}'")
        };
        self.conn().batch_execute(&change).expect("the test server does it");
    }

    async fn set_meeting_groups(&self, meeting: MeetingId, groups: &[GroupId]) {
        let groups: Vec<String> = groups.iter().map(ToString::to_string).collect();
        let change = format!("UPDATE meetings SET group_ids = '{{{}}}' WHERE id = '{meeting}'", groups.join(","));
        self.conn().batch_execute(&change).expect("the test server does it");
    }

    async fn set_question_groups(&self, question: QuestionId, groups: &[GroupId]) {
        let groups: Vec<String> = groups.iter().map(ToString::to_string).collect();
        let change = format!("UPDATE questions SET group_ids = '{{{}}}' WHERE id = '{question}'", groups.join(","));
        self.conn().batch_execute(&change).expect("the test server does it");
    }

    async fn set_weight_kind(&self, client: ClientId, kind: &WeightKind, values: &[(EndUserId, Decimal)]) {
        let WeightKind { id, name, unit, decimals } = kind;
        let unit = unit.as_ref().map_or_else(|| "NULL".to_owned(), |unit| format!("'{unit}'"));
        let mut statements = format!(
            "INSERT INTO weight_kinds (id, client_id, name, unit, decimals) \
             VALUES ('{id}', '{client}', '{name}', {unit}, {}) \
             ON CONFLICT (id) DO UPDATE SET name = excluded.name;",
            decimals.get()
        );
        for (person, value) in values {
            statements.push_str(&format!(
                "UPDATE end_users SET weights = weights || jsonb_build_object('{id}', '{value}') WHERE id = '{person}';"
            ));
        }
        self.conn().batch_execute(&statements).expect("the test server does it");
    }

    async fn set_kinds(&self, meeting: MeetingId, question: QuestionId, kinds: SeedKinds) {
        let id = |kind: Option<WeightKindId>| kind.map_or_else(|| "NULL".to_owned(), |kind| format!("'{kind}'"));
        let statements = format!(
            "UPDATE meetings SET weight_kind_id = {} WHERE id = '{meeting}'; \
             UPDATE questions SET weight_kind_id = {}, second_weight_kind_id = {} WHERE id = '{question}';",
            id(kinds.meeting),
            id(kinds.question),
            id(kinds.second)
        );
        self.conn().batch_execute(&statements).expect("the test server does it");
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

    async fn rename_option(&self, question: QuestionId, position: u32, text: &str) {
        diesel::sql_query("UPDATE options SET option_text = $3 WHERE question_id = $1 AND position = $2")
            .bind::<SqlUuid, _>(question.as_uuid())
            .bind::<Integer, _>(position as i32)
            .bind::<Text, _>(text)
            .execute(&mut *self.conn())
            .expect("the test server does it");
    }

    async fn set_terms(&self, question: QuestionId, terms: SeedTerms) {
        let rule = terms.rule.as_ref().map(DecisionRuleFormat::from);
        diesel::sql_query(
            "UPDATE questions SET decision_rule = $2, quorum = $3, secrecy = $4, counts_heads = $5 WHERE id = $1",
        )
        .bind::<SqlUuid, _>(question.as_uuid())
        .bind::<Nullable<Jsonb>, _>(rule.map(|rule| serde_json::to_value(rule).expect("it is JSON")))
        .bind::<Nullable<Jsonb>, _>(terms.quorum.map(json_of))
        .bind::<Text, _>(match terms.secrecy {
            Secrecy::Named => "NAMED",
            Secrecy::Unshown => "UNSHOWN",
            Secrecy::Secret => "SECRET",
        })
        .bind::<Bool, _>(terms.counts_heads)
        .execute(&mut *self.conn())
        .expect("the test server does it");
    }

    async fn set_second_call(&self, meeting: MeetingId, is_second_call: bool) {
        diesel::sql_query("UPDATE meetings SET is_second_call = $2 WHERE id = $1")
            .bind::<SqlUuid, _>(meeting.as_uuid())
            .bind::<Bool, _>(is_second_call)
            .execute(&mut *self.conn())
            .expect("the test server does it");
    }

    async fn set_meeting_quorum(&self, meeting: MeetingId, quorum: Option<MeetingQuorum>) {
        let at_opening = quorum.map(|quorum| match quorum.at_opening {
            AtOpening::Warn => "WARN",
            AtOpening::Bar => "BAR",
        });
        diesel::sql_query("UPDATE meetings SET quorum = $2, quorum_at_opening = $3 WHERE id = $1")
            .bind::<SqlUuid, _>(meeting.as_uuid())
            .bind::<Nullable<Jsonb>, _>(
                quorum
                    .map(|quorum| serde_json::to_value(PlannedQuorumFormat::from(quorum.planned)).expect("it is JSON")),
            )
            .bind::<Nullable<Text>, _>(at_opening)
            .execute(&mut *self.conn())
            .expect("the test server does it");
    }

    /// One password by a change, several by an import.
    async fn set_passwords(&self, client: ClientId, voters: &[EndUserId], password: SeedPassword) -> bool {
        let reason = password.reason.map(PasswordReason::from_stored);
        let setter = PasswordSetter { by: password.by, reason };
        let update = |voter: &EndUserId| EndUserUpdate {
            id: *voter,
            changes: EndUserChanges::default(),
            password: Some(SetPassword { hash: PasswordHash::new("new".to_owned()), setter: setter.clone() }),
        };
        let end_users = PostgresEndUsers::new(self.database.db());
        if let [voter] = voters {
            return match end_users.update(client, update(voter), password.now).await {
                Ok(_) => true,
                Err(ChangeEndUserError::ReasonNeeded(_)) => false,
                Err(error) => panic!("{error}"),
            };
        }
        let changed = voters.iter().map(update).collect();
        let people = ImportedPeople { changed, ..ImportedPeople::default() };
        match end_users.import(client, people, password.now).await {
            Ok(()) => true,
            Err(ImportError::ReasonNeeded(_)) => false,
            Err(error) => panic!("{error}"),
        }
    }

    async fn change_own_password(&self, client: ClientId, voter: EndUserId) {
        change_own_password(self.database.db(), Person::EndUser { end_user: voter, client }).await;
    }

    async fn rename_voter(&self, voter: EndUserId, username: &str) {
        diesel::sql_query("UPDATE end_users SET username = $2 WHERE id = $1")
            .bind::<SqlUuid, _>(voter.as_uuid())
            .bind::<Text, _>(username)
            .execute(&mut *self.conn())
            .expect("the test server does it");
    }

    async fn set_weight(&self, voter: EndUserId, weight: Decimal) {
        diesel::sql_query("UPDATE end_users SET weight = $2 WHERE id = $1")
            .bind::<SqlUuid, _>(voter.as_uuid())
            .bind::<Numeric, _>(weight)
            .execute(&mut *self.conn())
            .expect("the test server does it");
    }

    async fn set_presence_rule(&self, round: RoundId, rule: PresenceRule) {
        let stored = match rule {
            PresenceRule::ConnectedOrVoted => "CONNECTED_OR_VOTED",
            PresenceRule::CheckedIn => "CHECKED_IN",
            PresenceRule::LargerNumber => "LARGER_NUMBER",
        };
        diesel::sql_query("UPDATE rounds SET presence = $2 WHERE id = $1")
            .bind::<SqlUuid, _>(round.as_uuid())
            .bind::<Text, _>(stored)
            .execute(&mut *self.conn())
            .expect("the test server does it");
    }

    async fn set_check_in(&self, meeting: MeetingId, present: Option<Vec<EndUserId>>) {
        let setting = if present.is_some() { "ON" } else { "OFF" };
        let mut statements = format!(
            "UPDATE meetings SET check_in = '{setting}' WHERE id = '{meeting}'; \
             DELETE FROM people_present WHERE meeting_id = '{meeting}';"
        );
        for person in present.unwrap_or_default() {
            statements += &format!(
                "WITH came AS ( \
                     INSERT INTO presence_entries (meeting_id, number, client_id, id, end_user_id, username, name, kind, \
                                                   happened_at, noted_at, by_role, by_name) \
                     SELECT meetings.id, 1 + (SELECT count(*) FROM presence_entries WHERE meeting_id = meetings.id), \
                            meetings.client_id, gen_random_uuid(), person.id, person.username, person.name, 'IN', now(), now(), \
                            'DESK', 'Desk 1' \
                     FROM meetings, end_users AS person WHERE meetings.id = '{meeting}' AND person.id = '{person}' \
                     RETURNING meeting_id, end_user_id, client_id, happened_at, number) \
                 INSERT INTO people_present SELECT * FROM came;"
            );
        }
        self.conn().batch_execute(&statements).expect("the test server does it");
    }

    async fn set_counting_at_end(&self, meeting: MeetingId, counts: bool) {
        diesel::sql_query("UPDATE meetings SET counts_surveys_at_end = $2 WHERE id = $1")
            .bind::<SqlUuid, _>(meeting.as_uuid())
            .bind::<Bool, _>(counts)
            .execute(&mut *self.conn())
            .expect("the test server does it");
    }

    async fn declare(&self, round: RoundId) {
        diesel::sql_query(
            "UPDATE rounds SET status = 'DECLARED', declared_at = now(), declared_by = 'Maria Keller' WHERE id = $1",
        )
        .bind::<SqlUuid, _>(round.as_uuid())
        .execute(&mut *self.conn())
        .expect("the test server does it");
    }
}
