//! Timestamps of records, and the queue of records without one. Triggers write the queue with the records.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text, Uuid as SqlUuid};
use plenum_kernel::{ClientId, MeetingId, PortFailure};
use plenum_voting::{MAX_COUNTED_WAITING, NewTimestamp, RecordTimestamps, StoredTimestamp, UnstampedRecord};
use uuid::Uuid;

use crate::Db;
use crate::schema::{closing_records, record_timestamps, result_records, unstamped_records};

/// Timestamps in PostgreSQL.
#[derive(Clone)]
pub struct PostgresTimestamps {
    db: Db,
}

impl PostgresTimestamps {
    /// The store on this database.
    pub fn new(db: Db) -> Self {
        Self { db }
    }
}

#[async_trait]
impl RecordTimestamps for PostgresTimestamps {
    async fn waiting(&self, limit: u32) -> Result<Vec<UnstampedRecord>, PortFailure> {
        self.db.platform().run(move |conn| waiting(conn, limit)).await
    }

    async fn count_waiting(&self) -> Result<u64, PortFailure> {
        let count = format!(
            "SELECT count(*) AS waiting FROM (SELECT FROM unstamped_records LIMIT {MAX_COUNTED_WAITING}) AS counted"
        );
        let counted = self.db.platform().run(move |conn| {
            let row: CountRow = diesel::sql_query(count).get_result(conn)?;
            Ok(row.waiting)
        });
        Ok(u64::try_from(counted.await?).unwrap_or_default())
    }

    async fn keep(&self, new: NewTimestamp) -> Result<bool, PortFailure> {
        self.db.of(new.client).transaction(move |conn| Ok(keep(conn, &new)?)).await
    }

    async fn of_meeting(&self, owner: ClientId, meeting: MeetingId) -> Result<Vec<StoredTimestamp>, PortFailure> {
        self.db
            .of(owner)
            .run(move |conn| {
                let rows: Vec<TimestampRow> = record_timestamps::table
                    .filter(record_timestamps::client_id.eq(owner.as_uuid()))
                    .filter(record_timestamps::meeting_id.eq(meeting.as_uuid()))
                    .order((record_timestamps::stamped_at, record_timestamps::hash))
                    .select(TimestampRow::as_select())
                    .load(conn)?;
                Ok(rows.into_iter().map(StoredTimestamp::from).collect())
            })
            .await
    }
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = record_timestamps, check_for_backend(Pg))]
struct TimestampRow {
    hash: String,
    token: Vec<u8>,
    authority: String,
    stamped_at: DateTime<Utc>,
}

impl From<TimestampRow> for StoredTimestamp {
    fn from(row: TimestampRow) -> Self {
        let TimestampRow { hash, token, authority, stamped_at: at } = row;
        Self { hash, token, authority, at }
    }
}

#[derive(QueryableByName)]
struct CountRow {
    #[diesel(sql_type = BigInt)]
    waiting: i64,
}

#[derive(QueryableByName)]
struct WaitingRow {
    #[diesel(sql_type = SqlUuid)]
    client_id: Uuid,
    #[diesel(sql_type = SqlUuid)]
    meeting_id: Uuid,
    #[diesel(sql_type = Text)]
    hash: String,
}

fn waiting(conn: &mut PgConnection, limit: u32) -> QueryResult<Vec<UnstampedRecord>> {
    // The number is part of the statement: a plan for any number could read and sort the whole queue.
    let find =
        format!("SELECT client_id, meeting_id, hash FROM unstamped_records ORDER BY recorded_at, hash LIMIT {limit}");
    let rows: Vec<WaitingRow> = diesel::sql_query(find).load(conn)?;
    let record = |WaitingRow { client_id, meeting_id, hash }| UnstampedRecord {
        client: ClientId::from_uuid(client_id),
        meeting: MeetingId::from_uuid(meeting_id),
        hash,
    };
    Ok(rows.into_iter().map(record).collect())
}

fn keep(conn: &mut PgConnection, new: &NewTimestamp) -> QueryResult<bool> {
    let (client, meeting) = (new.client.as_uuid(), new.meeting.as_uuid());
    let StoredTimestamp { hash, token, authority, at } = &new.timestamp;
    let of_result: Option<bool> = result_records::table
        .filter(result_records::hash.eq(hash))
        .filter(result_records::client_id.eq(client).and(result_records::meeting_id.eq(meeting)))
        .select(result_records::is_test)
        .first(conn)
        .optional()?;
    let is_test = match of_result {
        Some(is_test) => Some(is_test),
        None => closing_records::table
            .filter(closing_records::hash.eq(hash))
            .filter(closing_records::client_id.eq(client).and(closing_records::meeting_id.eq(meeting)))
            .select(closing_records::is_test)
            .first(conn)
            .optional()?,
    };
    let Some(is_test) = is_test else {
        // A record of test data may have gone with its meeting meanwhile. One that was removed by force must not be asked for
        // again.
        diesel::delete(unstamped_records::table.find(hash)).execute(conn)?;
        return Ok(false);
    };
    // A trigger takes the hash out of the queue.
    let kept = diesel::insert_into(record_timestamps::table)
        .values((
            record_timestamps::hash.eq(hash),
            record_timestamps::client_id.eq(client),
            record_timestamps::meeting_id.eq(meeting),
            record_timestamps::token.eq(token),
            record_timestamps::authority.eq(authority),
            record_timestamps::stamped_at.eq(at),
            record_timestamps::requested_at.eq(new.requested_at),
            record_timestamps::received_at.eq(new.received_at),
            record_timestamps::is_test.eq(is_test),
        ))
        // Another instance may have asked at the same moment.
        .on_conflict_do_nothing()
        .execute(conn)?;
    Ok(kept == 1)
}
