//! The contracts of the stores of organizations, people and sessions, on PostgreSQL.

use std::sync::{Arc, Mutex, MutexGuard};

use async_trait::async_trait;
use diesel::RunQueryDsl;
use diesel::pg::PgConnection;
use diesel::sql_types::{Array, Integer, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use plenum_adapter_postgres::testkit::TestDatabase;
use plenum_adapter_postgres::{
    PostgresAccounts, PostgresActivity, PostgresBranding, PostgresClientReports, PostgresClients, PostgresEndUsers,
    PostgresGroups, PostgresJoinLinks, PostgresPasswords, PostgresSecondFactors, PostgresSessions, PostgresWeightKinds,
};
use plenum_clients::testkit::contract::{ForeignFixture, SeedMeeting, SeedQuestion, SeedRound, SeedStatus, Stores};

async fn fresh() -> Stores {
    let database = TestDatabase::fresh().await;
    Stores {
        clients: Arc::new(PostgresClients::new(database.db())),
        end_users: Arc::new(PostgresEndUsers::new(database.db())),
        groups: Arc::new(PostgresGroups::new(database.db())),
        weight_kinds: Arc::new(PostgresWeightKinds::new(database.db())),
        accounts: Arc::new(PostgresAccounts::new(database.db())),
        sessions: Arc::new(PostgresSessions::new(database.db())),
        passwords: Arc::new(PostgresPasswords::new(database.db())),
        factors: Arc::new(PostgresSecondFactors::new(database.db())),
        join_links: Arc::new(PostgresJoinLinks::new(database.db())),
        branding: Arc::new(PostgresBranding::new(database.db())),
        activity: Arc::new(PostgresActivity::new(database.db())),
        reports: Arc::new(PostgresClientReports::new(database.db())),
        foreign: Arc::new(PostgresNeighbours(Mutex::new(database.connection()))),
        keeps_alive: Box::new(database),
    }
}

plenum_clients::clients_contract!(fresh);

/// Rows of other domains.
struct PostgresNeighbours(Mutex<PgConnection>);

impl PostgresNeighbours {
    fn conn(&self) -> MutexGuard<'_, PgConnection> {
        self.0.lock().unwrap()
    }
}

#[async_trait]
impl ForeignFixture for PostgresNeighbours {
    async fn add_meeting(&self, meeting: SeedMeeting) {
        let status = match meeting.status {
            SeedStatus::Scheduled => "SCHEDULED",
            SeedStatus::Active => "ACTIVE",
            SeedStatus::Completed => "COMPLETED",
            SeedStatus::Cancelled => "CANCELLED",
        };
        diesel::sql_query(
            "INSERT INTO meetings (id, client_id, title, status, scheduled_start_time, scheduled_end_time, started_at, \
                                   ended_at, is_recurring, has_participant_list, created_at) \
             VALUES ($1, $2, $3, $4, $5, $5 + interval '1 hour', $6, $7, false, false, $5)",
        )
        .bind::<SqlUuid, _>(meeting.id.as_uuid())
        .bind::<SqlUuid, _>(meeting.client.as_uuid())
        .bind::<Text, _>(&meeting.title)
        .bind::<Text, _>(status)
        .bind::<Timestamptz, _>(meeting.created_at)
        .bind::<Nullable<Timestamptz>, _>(meeting.started_at)
        .bind::<Nullable<Timestamptz>, _>(meeting.ended_at)
        .execute(&mut *self.conn())
        .unwrap();
    }

    async fn add_question(&self, question: SeedQuestion) {
        diesel::sql_query(
            "INSERT INTO questions (id, client_id, meeting_id, position, question_text, question_type, is_required, \
                                    created_at) \
             SELECT $1, client_id, id, (SELECT count(*) + 1 FROM questions WHERE meeting_id = $2), $3, 'OPEN_TEXT', \
                    true, now() \
             FROM meetings WHERE id = $2",
        )
        .bind::<SqlUuid, _>(question.id.as_uuid())
        .bind::<SqlUuid, _>(question.meeting.as_uuid())
        .bind::<Text, _>(&question.text)
        .execute(&mut *self.conn())
        .unwrap();
    }

    async fn add_round(&self, round: SeedRound) {
        let votes: Vec<i32> = round.votes_by_writer.iter().map(|votes| *votes as i32).collect();
        diesel::sql_query(
            "WITH made AS ( \
                 INSERT INTO rounds (id, client_id, meeting_id, question_id, number, status, question_text, \
                                     question_type, opened_at, ended_at, register_heads, register_weight) \
                 SELECT $1, client_id, meeting_id, id, (SELECT count(*) + 1 FROM rounds WHERE question_id = $2), \
                        CASE WHEN $4 IS NULL THEN 'OPEN' ELSE 'ENDED' END, question_text, question_type, $3, $4, $5, 0 \
                 FROM questions WHERE id = $2 RETURNING id) \
             INSERT INTO round_counters SELECT made.id, writer, votes_cast \
             FROM made, unnest($6) WITH ORDINALITY AS counter (votes_cast, writer)",
        )
        .bind::<SqlUuid, _>(round.id.as_uuid())
        .bind::<SqlUuid, _>(round.question.as_uuid())
        .bind::<Timestamptz, _>(round.opened_at)
        .bind::<Nullable<Timestamptz>, _>(round.ended_at)
        .bind::<Integer, _>(round.register_heads as i32)
        .bind::<Array<Integer>, _>(votes)
        .execute(&mut *self.conn())
        .unwrap();
    }
}
