use async_trait::async_trait;
use chrono::{DateTime, Utc};
use diesel::dsl::{count_star, max};
use diesel::prelude::*;
use diesel::sql_types::{Bool, Nullable, Timestamptz, Uuid as SqlUuid};
use plenum_kernel::{ClientId, EndUserId, MeetingId, PortFailure};
use plenum_meetings::{
    AttendanceFacts, AttendanceNote, AttendanceStore, MeetingStatus, Noted, Noting, People, decide_noting,
};
use plenum_voting::LogKind;
use rust_decimal::Decimal;
use uuid::Uuid;

use crate::Db;
use crate::meetings::rows::{meeting_status_text, natural};
use crate::pool::failure::Abort;
use crate::rows::columns::count;
use crate::rows::terms::{NotedQuorumColumn, PlannedQuorumColumn, noted_quorum};
use crate::schema::{attendance, meetings, round_log, rounds};
use crate::voting::absent::checked_in;
use crate::voting::eligible::{Eligibility, Eligible};
use crate::voting::round_log::kind_text;
use crate::voting::rows::is_open;

/// Attendance over the course of meetings, in PostgreSQL.
#[derive(Clone)]
pub struct PostgresAttendance {
    db: Db,
}

impl PostgresAttendance {
    /// The store on this database.
    pub fn new(db: Db) -> Self {
        Self { db }
    }
}

#[async_trait]
impl AttendanceStore for PostgresAttendance {
    async fn note(
        &self,
        meeting: MeetingId,
        connected: Vec<EndUserId>,
        now: DateTime<Utc>,
    ) -> Result<Noted, PortFailure> {
        let connected = connected.into_iter().map(EndUserId::as_uuid).collect();
        self.db
            .platform()
            .transaction(move |conn| note(conn, meeting.as_uuid(), connected, now).map_err(Abort::<PortFailure>::from))
            .await
    }

    async fn list(&self, owner: ClientId, meeting: MeetingId) -> Result<Option<Vec<AttendanceNote>>, PortFailure> {
        self.db
            .of(owner)
            .snapshot(move |conn| {
                let known: Option<Uuid> = meetings::table
                    .find(meeting.as_uuid())
                    .filter(meetings::client_id.eq(owner.as_uuid()))
                    .select(meetings::id)
                    .first(conn)
                    .optional()?;
                known.map(|meeting| notes_of(conn, owner.as_uuid(), meeting)).transpose()
            })
            .await
    }
}

/// Several instances check at the same moment, and one of them records. The others check again afterwards and see its
/// record, because each statement sees all data committed before it.
///
/// The numbers come before the insert, which is the first to lock rows, so steps wait for the insert only. The meeting
/// is locked as the insert does it, but without waiting.
fn note(conn: &mut PgConnection, meeting: Uuid, connected: Vec<Uuid>, now: DateTime<Utc>) -> QueryResult<Noted> {
    if !take_turn(conn, meeting)? {
        return Ok(Noted::Busy);
    }
    let Some((client, question, facts)) = load_facts(conn, meeting)? else { return Ok(Noted::Over) };
    let noting = decide_noting(&facts, now);
    match noting {
        Noting::Over => return Ok(Noted::Over),
        Noting::NotYet => return Ok(Noted::NotYet),
        Noting::IfChanged | Noting::Now => {}
    }
    let now_eligible = Eligibility::load(conn, meeting, question)?;
    let eligible = match checked_in(conn, now_eligible)? {
        Some(by_record) => by_record,
        None => now_eligible.count(conn, connected)?,
    };
    if noting == Noting::IfChanged && is_last(conn, client, meeting, &eligible)? {
        return Ok(Noted::Unchanged);
    }
    let free: Option<Uuid> =
        meetings::table.find(meeting).select(meetings::id).for_key_share().skip_locked().first(conn).optional()?;
    if free.is_none() {
        return Ok(Noted::Busy);
    }
    let (quorum, is_second_call): (Option<PlannedQuorumColumn>, bool) =
        meetings::table.find(meeting).select((meetings::quorum, meetings::is_second_call)).first(conn)?;
    let quorum = quorum.map(|PlannedQuorumColumn(planned)| planned.in_force(is_second_call));
    let row = NoteRow {
        client_id: client,
        meeting_id: meeting,
        noted_at: now,
        present_heads: heads(eligible.present),
        present_weight: eligible.present.weight,
        represented_heads: heads(eligible.represented),
        represented_weight: eligible.represented.weight,
        eligible_heads: heads(eligible.all),
        eligible_weight: eligible.all.weight,
        quorum: Some(NotedQuorumColumn(quorum)),
    };
    let row = (row, attendance::event_at.eq(facts.last_event), attendance::is_second_call.eq(is_second_call));
    let rows = diesel::insert_into(attendance::table).values(row).on_conflict_do_nothing().execute(conn)?;
    Ok(if rows > 0 { Noted::Noted } else { Noted::NotYet })
}

/// Takes the lock of recording attendance in this meeting until the transaction ends. Returns false if another one has it.
fn take_turn(conn: &mut PgConnection, meeting: Uuid) -> QueryResult<bool> {
    // With its own seed, apart from the locks of rounds, because all schemas of a database share these locks.
    let turn: Turn = diesel::sql_query(
        "SELECT pg_try_advisory_xact_lock(hashtextextended(current_schema()::text || $1::text, 1)) AS is_mine",
    )
    .bind::<SqlUuid, _>(meeting)
    .get_result(conn)?;
    Ok(turn.is_mine)
}

#[derive(QueryableByName)]
struct Turn {
    #[diesel(sql_type = Bool)]
    is_mine: bool,
}

diesel::define_sql_function! {
    /// The first of two optional values.
    fn coalesce(first: Nullable<Timestamptz>, second: Timestamptz) -> Timestamptz;
}

/// The client of the meeting, the question on its screen, and the state that decides what is recorded.
fn load_facts(conn: &mut PgConnection, meeting: Uuid) -> QueryResult<Option<(Uuid, Option<Uuid>, AttendanceFacts)>> {
    type Found = (Uuid, Option<Uuid>, String, Option<DateTime<Utc>>, Option<DateTime<Utc>>);
    let found: Option<Found> = meetings::table
        .find(meeting)
        .select((
            meetings::client_id,
            meetings::current_question_id,
            meetings::status,
            meetings::started_at,
            meetings::ended_at,
        ))
        .first(conn)
        .optional()?;
    let Some((client, question, status, started_at, ended_at)) = found else { return Ok(None) };
    let round_events = round_events(conn, client, meeting)?;
    let noted_event = coalesce(attendance::event_at, attendance::noted_at);
    let (notes, last_noted_at, noted_event): (i64, Option<DateTime<Utc>>, Option<DateTime<Utc>>) = attendance::table
        .filter(attendance::client_id.eq(client).and(attendance::meeting_id.eq(meeting)))
        .select((count_star(), max(attendance::noted_at), max(noted_event)))
        .first(conn)?;
    let facts = AttendanceFacts {
        is_active: status == meeting_status_text(MeetingStatus::Active),
        last_event: [started_at, ended_at].into_iter().chain(round_events).flatten().max(),
        notes: count(notes)?,
        last_noted_at,
        noted_event,
    };
    Ok(Some((client, question, facts)))
}

/// The last end of a round in the meeting, and the opening and reopening of the open round. Those of an ended round are earlier
/// than its end.
fn round_events(conn: &mut PgConnection, client: Uuid, meeting: Uuid) -> QueryResult<[Option<DateTime<Utc>>; 3]> {
    let ended_at: Option<Option<DateTime<Utc>>> = rounds::table
        .filter(rounds::meeting_id.eq(meeting).and(rounds::ended_at.is_not_null()))
        .order(rounds::ended_at.desc())
        .select(rounds::ended_at)
        .first(conn)
        .optional()?;
    let open: Option<(Uuid, DateTime<Utc>)> = rounds::table
        .filter(rounds::client_id.eq(client).and(rounds::meeting_id.eq(meeting)).and(is_open()))
        .select((rounds::id, rounds::opened_at))
        .first(conn)
        .optional()?;
    let Some((round, opened_at)) = open else { return Ok([ended_at.flatten(), None, None]) };
    // A reopened round keeps the time of its first opening; its log has the other one.
    let reopened_at = round_log::table
        .filter(round_log::round_id.eq(round).and(round_log::kind.eq(kind_text(LogKind::Reopened))))
        .select(max(round_log::logged_at))
        .first(conn)?;
    Ok([ended_at.flatten(), Some(opened_at), reopened_at])
}

/// Whether the last record has these numbers.
fn is_last(conn: &mut PgConnection, client: Uuid, meeting: Uuid, eligible: &Eligible) -> QueryResult<bool> {
    let last: Option<NoteRow> = attendance::table
        .filter(attendance::client_id.eq(client).and(attendance::meeting_id.eq(meeting)))
        .order(attendance::noted_at.desc())
        .select(NoteRow::as_select())
        .first(conn)
        .optional()?;
    let last = last.map(AttendanceNote::try_from).transpose()?;
    let Eligible { present, represented, all } = *eligible;
    Ok(last.is_some_and(|last| (last.present, last.represented, last.eligible) == (present, represented, all)))
}

/// The records of a meeting, the earliest first.
fn notes_of(conn: &mut PgConnection, client: Uuid, meeting: Uuid) -> QueryResult<Vec<AttendanceNote>> {
    let rows: Vec<NoteRow> = attendance::table
        .filter(attendance::client_id.eq(client).and(attendance::meeting_id.eq(meeting)))
        .order(attendance::noted_at)
        .select(NoteRow::as_select())
        .load(conn)?;
    rows.into_iter().map(TryInto::try_into).collect()
}

/// More people than any client has.
fn heads(people: People) -> i32 {
    i32::try_from(people.heads).unwrap_or(i32::MAX)
}

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = attendance, check_for_backend(diesel::pg::Pg))]
struct NoteRow {
    client_id: Uuid,
    meeting_id: Uuid,
    noted_at: DateTime<Utc>,
    present_heads: i32,
    present_weight: Decimal,
    represented_heads: i32,
    represented_weight: Decimal,
    eligible_heads: i32,
    eligible_weight: Decimal,
    quorum: Option<NotedQuorumColumn>,
}

impl TryFrom<NoteRow> for AttendanceNote {
    type Error = diesel::result::Error;

    fn try_from(row: NoteRow) -> QueryResult<Self> {
        let people = |heads, weight: Decimal| -> QueryResult<People> {
            Ok(People { heads: u64::from(natural(heads)?), weight: weight.normalize() })
        };
        Ok(Self {
            noted_at: row.noted_at,
            present: people(row.present_heads, row.present_weight)?,
            represented: people(row.represented_heads, row.represented_weight)?,
            eligible: people(row.eligible_heads, row.eligible_weight)?,
            quorum: noted_quorum(row.quorum),
        })
    }
}
