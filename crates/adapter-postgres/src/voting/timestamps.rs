//! Timestamps of records. The records without one are the queue.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use diesel::dsl::{exists, not};
use diesel::pg::Pg;
use diesel::prelude::*;
use plenum_kernel::{ClientId, MeetingId, PortFailure};
use plenum_voting::{NewTimestamp, RecordTimestamps, StoredTimestamp, UnstampedRecord};
use uuid::Uuid;

use crate::Db;
use crate::schema::{closing_records, record_timestamps, result_records};

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
        self.db.platform().snapshot(move |conn| waiting(conn, i64::from(limit))).await
    }

    async fn count_waiting(&self) -> Result<u64, PortFailure> {
        let counted = self.db.platform().snapshot(|conn| {
            let results: i64 = result_records::table
                .filter(not(exists(record_timestamps::table.filter(record_timestamps::hash.eq(result_records::hash)))))
                .count()
                .get_result(conn)?;
            let closings: i64 = closing_records::table
                .filter(not(exists(record_timestamps::table.filter(record_timestamps::hash.eq(closing_records::hash)))))
                .count()
                .get_result(conn)?;
            Ok(results + closings)
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

/// The time, client, meeting and hash of a record.
type WaitingRow = (DateTime<Utc>, Uuid, Uuid, String);

fn waiting(conn: &mut PgConnection, limit: i64) -> QueryResult<Vec<UnstampedRecord>> {
    let mut rows: Vec<WaitingRow> = result_records::table
        .filter(not(exists(record_timestamps::table.filter(record_timestamps::hash.eq(result_records::hash)))))
        .order((result_records::recorded_at, result_records::hash))
        .limit(limit)
        .select((
            result_records::recorded_at,
            result_records::client_id,
            result_records::meeting_id,
            result_records::hash,
        ))
        .load(conn)?;
    let closings: Vec<WaitingRow> = closing_records::table
        .filter(not(exists(record_timestamps::table.filter(record_timestamps::hash.eq(closing_records::hash)))))
        .order((closing_records::recorded_at, closing_records::hash))
        .limit(limit)
        .select((
            closing_records::recorded_at,
            closing_records::client_id,
            closing_records::meeting_id,
            closing_records::hash,
        ))
        .load(conn)?;
    rows.extend(closings);
    rows.sort_by(|left, right| (left.0, &left.3).cmp(&(right.0, &right.3)));
    let record = |(_, client, meeting, hash)| UnstampedRecord {
        client: ClientId::from_uuid(client),
        meeting: MeetingId::from_uuid(meeting),
        hash,
    };
    Ok(rows.into_iter().take(usize::try_from(limit).unwrap_or_default()).map(record).collect())
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
    // A record of test data may have gone with its meeting.
    let Some(is_test) = is_test else { return Ok(false) };
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
