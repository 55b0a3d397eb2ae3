use std::collections::HashMap;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use diesel::dsl::{count_star, sql, sum};
use diesel::prelude::*;
use diesel::sql_types::{Array, Bool, Nullable, Timestamptz, Uuid as SqlUuid};
use plenum_clients::{Client, ClientFilter, ClientReport, ClientReportSource, MeetingCounts};
use plenum_kernel::{Page, PortFailure};
use plenum_meetings::MeetingStatus;
use uuid::Uuid;

use crate::Db;
use crate::clients::activity::newest_in;
use crate::clients::end_users::end_user_stats;
use crate::clients::organizations::page_of_real_clients;
use crate::meetings::planning::kept_by_status;
use crate::rows::columns::count;
use crate::rows::test_data::counts_in_its_client;
use crate::schema::{meetings, questions, round_counters, rounds};

/// Usage of clients, counted in PostgreSQL.
#[derive(Clone)]
pub struct PostgresClientReports {
    db: Db,
}

impl PostgresClientReports {
    /// The store on this database.
    pub fn new(db: Db) -> Self {
        Self { db }
    }
}

#[async_trait]
impl ClientReportSource for PostgresClientReports {
    async fn list(&self, filter: &ClientFilter) -> Result<Page<ClientReport>, PortFailure> {
        let filter = filter.clone();
        self.db
            .platform()
            .snapshot(move |conn| {
                let Page { rows, total } = page_of_real_clients(conn, &filter)?;
                Ok(Page { rows: reports(conn, rows)?, total })
            })
            .await
    }
}

/// Adds counts, by one statement for each table and all clients.
fn reports(conn: &mut PgConnection, clients: Vec<Client>) -> QueryResult<Vec<ClientReport>> {
    let ids: Vec<Uuid> = clients.iter().map(|client| client.id.as_uuid()).collect();
    let end_users = end_user_stats(conn, &ids)?;
    let meetings = meeting_counts(conn, &ids)?;
    let questions = question_counts(conn, &ids)?;
    let rounds = round_counts(conn, &ids)?;
    let votes = vote_counts(conn, &ids)?;
    let last_activities = last_activities(conn, &ids)?;
    let number = |numbers: &HashMap<Uuid, i64>, id| count(numbers.get(&id).copied().unwrap_or_default());
    clients
        .into_iter()
        .map(|client| {
            let id = client.id.as_uuid();
            Ok(ClientReport {
                client,
                end_users: end_users.get(&id).copied().unwrap_or_default(),
                meetings: meetings.get(&id).copied().unwrap_or_default(),
                questions: number(&questions, id)?,
                rounds: number(&rounds, id)?,
                votes_cast: number(&votes, id)?,
                last_activity_at: last_activities.get(&id).copied().flatten(),
            })
        })
        .collect()
}

fn meeting_counts(conn: &mut PgConnection, ids: &[Uuid]) -> QueryResult<HashMap<Uuid, MeetingCounts>> {
    let mut all: HashMap<Uuid, MeetingCounts> = HashMap::new();
    for (client, status, number) in kept_by_status(conn, ids)? {
        let counts = all.entry(client).or_default();
        counts.total += number;
        match status {
            MeetingStatus::Active => counts.active += number,
            MeetingStatus::Completed => counts.completed += number,
            MeetingStatus::Draft | MeetingStatus::Scheduled | MeetingStatus::Cancelled => {}
        }
    }
    Ok(all)
}

fn question_counts(conn: &mut PgConnection, ids: &[Uuid]) -> QueryResult<HashMap<Uuid, i64>> {
    let counts: Vec<(Uuid, i64)> = questions::table
        .inner_join(meetings::table.on(meetings::id.eq(questions::meeting_id)))
        .filter(questions::client_id.eq_any(ids))
        .filter(sql::<Bool>(counts_in_its_client!("meetings")))
        .group_by(questions::client_id)
        .select((questions::client_id, count_star()))
        .load(conn)?;
    Ok(counts.into_iter().collect())
}

fn round_counts(conn: &mut PgConnection, ids: &[Uuid]) -> QueryResult<HashMap<Uuid, i64>> {
    let counts: Vec<(Uuid, i64)> = rounds::table
        .inner_join(meetings::table.on(meetings::id.eq(rounds::meeting_id)))
        .filter(rounds::client_id.eq_any(ids))
        .filter(sql::<Bool>(counts_in_its_client!("meetings")))
        .group_by(rounds::client_id)
        .select((rounds::client_id, count_star()))
        .load(conn)?;
    Ok(counts.into_iter().collect())
}

/// From the counters, so that no vote is read.
fn vote_counts(conn: &mut PgConnection, ids: &[Uuid]) -> QueryResult<HashMap<Uuid, i64>> {
    let counts: Vec<(Uuid, Option<i64>)> = round_counters::table
        .inner_join(rounds::table)
        .inner_join(meetings::table.on(meetings::id.eq(rounds::meeting_id)))
        .filter(rounds::client_id.eq_any(ids))
        .filter(sql::<Bool>(counts_in_its_client!("meetings")))
        .group_by(rounds::client_id)
        .select((rounds::client_id, sum(round_counters::votes_cast)))
        .load(conn)?;
    Ok(counts.into_iter().map(|(client, cast)| (client, cast.unwrap_or_default())).collect())
}

/// The time of each client's newest activity: one lookup at the end of an index for each source.
fn last_activities(conn: &mut PgConnection, ids: &[Uuid]) -> QueryResult<HashMap<Uuid, Option<DateTime<Utc>>>> {
    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = SqlUuid)]
        client_id: Uuid,
        #[diesel(sql_type = Nullable<Timestamptz>)]
        at: Option<DateTime<Utc>>,
    }
    let newest = newest_in("asked.client_id");
    let statement = format!("SELECT asked.client_id, {newest} AS at FROM unnest($1) AS asked (client_id)");
    let rows: Vec<Row> = diesel::sql_query(statement).bind::<Array<SqlUuid>, _>(ids).load(conn)?;
    Ok(rows.into_iter().map(|row| (row.client_id, row.at)).collect())
}
