use async_trait::async_trait;
use diesel::dsl::max;
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Text, Uuid as SqlUuid};
use plenum_kernel::{ClientId, EndUserId, MeetingId, PortFailure};
use plenum_meetings::{
    AttendanceFilter, AttendancePage, AttendanceRecord, AttendanceTotals, Attendee, CheckIn, CheckInRule, CheckInStore,
    NewPresence, NotePresenceError, OwnCheckIn, PresenceBy, PresenceEntry, PresenceKind, PresenceOutcome,
    PresenceVerdict, check_taking, decide_presence,
};
use uuid::Uuid;

use crate::Db;
use crate::check_in::entries::{EntryRow, entry, kind_text};
use crate::check_in::people::{PeopleOf, may_be_checked_in};
use crate::meetings::rows::{check_in, meeting_status, natural};
use crate::pool::failure::Abort;
use crate::rows::end_user_owner::is_of;
use crate::rows::meeting_owner::is_meeting_of;
use crate::schema::{desks, end_users, meetings, people_present, presence_entries};
use crate::voting::absent::check_in_totals;
use crate::voting::eligible::Eligibility;
use crate::voting::round_log::account_name;
use crate::voting::round_proxies::lock_ballots_by_proxy;
use crate::voting::steps::LockedMeeting;

/// Who came and went, in PostgreSQL.
#[derive(Clone)]
pub struct PostgresCheckIns {
    db: Db,
    /// For calls that may read very many rows.
    general: Db,
}

impl PostgresCheckIns {
    /// The store on this database.
    pub fn new(db: Db) -> Self {
        Self { general: db.clone(), db }
    }

    /// Lists, which may have very many rows, use other connections than the rest.
    #[must_use]
    pub fn with_general(self, general: Db) -> Self {
        Self { general, ..self }
    }
}

#[async_trait]
impl CheckInStore for PostgresCheckIns {
    async fn note(&self, new: NewPresence) -> Result<PresenceOutcome, NotePresenceError> {
        self.db.of(new.client).transaction(move |conn| note(conn, &new)).await
    }

    async fn people(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        filter: &AttendanceFilter,
    ) -> Result<Option<AttendancePage>, PortFailure> {
        let filter = filter.clone();
        self.general
            .of(owner)
            .snapshot(move |conn| {
                if !is_meeting_of(conn, owner, meeting)? {
                    return Ok(None);
                }
                let people = PeopleOf { owner, meeting: meeting.as_uuid(), filter: &filter };
                let rows = people.page(conn)?;
                let total = if filter.page.is_some() { people.total(conn)? } else { rows.len() as u64 };
                Ok(Some(AttendancePage { rows, total, totals: totals(conn, meeting)? }))
            })
            .await
    }

    async fn totals(&self, owner: ClientId, meeting: MeetingId) -> Result<Option<AttendanceTotals>, PortFailure> {
        self.general
            .of(owner)
            .snapshot(move |conn| match is_meeting_of(conn, owner, meeting)? {
                true => totals(conn, meeting).map(Some),
                false => Ok(None),
            })
            .await
    }

    async fn record(&self, owner: ClientId, meeting: MeetingId) -> Result<Option<AttendanceRecord>, PortFailure> {
        self.general
            .of(owner)
            .snapshot(move |conn| {
                if !is_meeting_of(conn, owner, meeting)? {
                    return Ok(None);
                }
                let filter = AttendanceFilter::default();
                let people = PeopleOf { owner, meeting: meeting.as_uuid(), filter: &filter }.plain(conn)?;
                let log = log_after(conn, (owner, meeting), 0, i64::MAX)?;
                Ok(Some(AttendanceRecord { people, log }))
            })
            .await
    }

    async fn people_after(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        after: Option<EndUserId>,
        limit: u32,
    ) -> Result<Vec<Attendee>, PortFailure> {
        self.general
            .of(owner)
            .snapshot(move |conn| {
                if !is_meeting_of(conn, owner, meeting)? {
                    return Ok(Vec::new());
                }
                let filter = AttendanceFilter::default();
                PeopleOf { owner, meeting: meeting.as_uuid(), filter: &filter }.after(conn, after, i64::from(limit))
            })
            .await
    }

    async fn entries_after(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        number: u32,
        limit: u32,
    ) -> Result<Vec<PresenceEntry>, PortFailure> {
        self.db.of(owner).run(move |conn| log_after(conn, (owner, meeting), number, i64::from(limit))).await
    }

    async fn own(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        voter: EndUserId,
    ) -> Result<Option<OwnCheckIn>, PortFailure> {
        self.db
            .of(owner)
            .snapshot(move |conn| {
                let found: Option<(String, bool)> = meetings::table
                    .find(meeting.as_uuid())
                    .filter(meetings::client_id.eq(owner.as_uuid()))
                    .select((meetings::check_in, meetings::self_check_in))
                    .first(conn)
                    .optional()?;
                let Some((setting, is_self)) = found else { return Ok(None) };
                let present = present_entry(conn, meeting.as_uuid(), voter.as_uuid())?;
                Ok(Some(OwnCheckIn { is_on: check_in(&setting)? == CheckIn::On, is_self, present }))
            })
            .await
    }

    async fn codes(&self, meeting: MeetingId, numbers: Vec<i64>) -> Result<Option<Vec<String>>, PortFailure> {
        #[derive(QueryableByName)]
        struct Row {
            #[diesel(sql_type = Text)]
            code: String,
        }
        self.db
            .platform()
            .run(move |conn| {
                let rows: Vec<Row> = diesel::sql_query(CODES)
                    .bind::<SqlUuid, _>(meeting.as_uuid())
                    .bind::<Array<BigInt>, _>(numbers)
                    .load(conn)?;
                let codes: Vec<String> = rows.into_iter().map(|row| row.code).collect();
                Ok((!codes.is_empty()).then_some(codes))
            })
            .await
    }
}

/// Six digits for each number.
const CODES: &str = "
    SELECT lpad((('x' || substr(encode(sha256(convert_to(meetings.check_in_key::text || ':' || given.number, 'UTF8')), 'hex'),
                                1, 8))::bit(32)::bigint % 1000000)::text, 6, '0') AS code
    FROM meetings
    JOIN clients ON clients.id = meetings.client_id AND clients.status = 'ACTIVE'
    CROSS JOIN unnest($2) WITH ORDINALITY AS given (number, place)
    WHERE meetings.id = $1 AND meetings.check_in = 'ON' AND meetings.self_check_in
      AND meetings.status NOT IN ('COMPLETED', 'CANCELLED')
    ORDER BY given.place";

fn log_after(
    conn: &mut PgConnection,
    (owner, meeting): (ClientId, MeetingId),
    number: u32,
    limit: i64,
) -> QueryResult<Vec<PresenceEntry>> {
    let rows: Vec<EntryRow> = presence_entries::table
        .filter(presence_entries::meeting_id.eq(meeting.as_uuid()))
        .filter(presence_entries::client_id.eq(owner.as_uuid()))
        .filter(presence_entries::number.gt(i32::try_from(number).unwrap_or(i32::MAX)))
        .order(presence_entries::number)
        .limit(limit)
        .select(EntryRow::as_select())
        .load(conn)?;
    rows.into_iter().map(PresenceEntry::try_from).collect()
}

/// The entry by which a person is in.
fn present_entry(conn: &mut PgConnection, meeting: Uuid, end_user: Uuid) -> QueryResult<Option<PresenceEntry>> {
    let number: Option<i32> =
        people_present::table.find((meeting, end_user)).select(people_present::number).first(conn).optional()?;
    number.map(|number| entry(conn, meeting, number)).transpose()
}

/// The last entry of a person.
fn last_entry(conn: &mut PgConnection, meeting: Uuid, end_user: Uuid) -> QueryResult<Option<PresenceEntry>> {
    let row: Option<EntryRow> = presence_entries::table
        .filter(presence_entries::meeting_id.eq(meeting).and(presence_entries::end_user_id.eq(end_user)))
        .order((presence_entries::happened_at.desc(), presence_entries::number.desc()))
        .select(EntryRow::as_select())
        .first(conn)
        .optional()?;
    row.map(PresenceEntry::try_from).transpose()
}

fn totals(conn: &mut PgConnection, meeting: MeetingId) -> QueryResult<AttendanceTotals> {
    let sums = check_in_totals(conn, Eligibility { meeting: meeting.as_uuid(), question: None, open_round: None })?;
    let entries = natural(last_number(conn, meeting.as_uuid())?)?;
    Ok(AttendanceTotals { present: sums.present, eligible: sums.all, entries })
}

/// The number of the last entry.
fn last_number(conn: &mut PgConnection, meeting: Uuid) -> QueryResult<i32> {
    let last: Option<i32> = presence_entries::table
        .filter(presence_entries::meeting_id.eq(meeting))
        .select(max(presence_entries::number))
        .first(conn)?;
    Ok(last.unwrap_or_default())
}

/// Everything happens under the lock of the meeting, as steps do, so that an opening sees all of it or nothing, and numbers are
/// in the order of the commits.
fn note(conn: &mut PgConnection, new: &NewPresence) -> Result<PresenceOutcome, Abort<NotePresenceError>> {
    let locked = LockedMeeting::lock(conn, new.client.as_uuid(), new.meeting.as_uuid())?;
    let meeting = locked.ok_or(Abort::Refused(NotePresenceError::MeetingNotFound))?.id;
    let repeated: Option<EntryRow> = presence_entries::table
        .filter(presence_entries::meeting_id.eq(meeting).and(presence_entries::id.eq(new.id.as_uuid())))
        .select(EntryRow::as_select())
        .first(conn)
        .optional()?;
    if let Some(row) = repeated {
        return Ok(PresenceOutcome::Repeated(row.try_into()?));
    }
    let (setting, status): (String, String) =
        meetings::table.find(meeting).select((meetings::check_in, meetings::status)).first(conn)?;
    let entries = last_number(conn, meeting)?;
    check_taking(check_in(&setting)?, meeting_status(&status)?, natural(entries)?)
        .map_err(|rule| Abort::Refused(rule.into()))?;
    let end_user = new.end_user.as_uuid();
    let present = present_entry(conn, meeting, end_user)?;
    let last = last_entry(conn, meeting, end_user)?;
    let (username, name) = person(conn, new, meeting, present.is_some())?;
    let at = match decide_presence(new, present.is_some(), last.as_ref().map(|last| last.at)) {
        PresenceVerdict::Note(at) => at,
        PresenceVerdict::AlreadyIn | PresenceVerdict::AlreadyOut | PresenceVerdict::Overtaken => {
            return Ok(match (new.kind, present, last) {
                (PresenceKind::In, Some(present), _) => PresenceOutcome::AlreadyIn(present),
                (PresenceKind::Out, None, last) => PresenceOutcome::AlreadyOut(last),
                (_, Some(later), _) | (_, None, Some(later)) => PresenceOutcome::Overtaken(later),
                (PresenceKind::In, None, None) => PresenceOutcome::AlreadyOut(None),
            });
        }
    };
    if new.kind == PresenceKind::In {
        lock_ballots_by_proxy(conn, meeting, end_user)?;
    }
    let (by_role, by_name) = author(conn, new, &name)?;
    let row = EntryRow {
        meeting_id: meeting,
        number: entries + 1,
        client_id: new.client.as_uuid(),
        id: new.id.as_uuid(),
        end_user_id: end_user,
        username,
        name,
        kind: kind_text(new.kind).to_owned(),
        happened_at: at,
        noted_at: new.now.max(at),
        by_role: by_role.to_owned(),
        by_name,
    };
    let stored = insert(conn, row, new.kind)?;
    Ok(PresenceOutcome::Noted(stored.try_into()?))
}

/// Stores the entry, and whether the person is present now.
fn insert(conn: &mut PgConnection, row: EntryRow, kind: PresenceKind) -> QueryResult<EntryRow> {
    let stored: EntryRow = diesel::insert_into(presence_entries::table)
        .values(row)
        .returning(EntryRow::as_returning())
        .get_result(conn)?;
    match kind {
        PresenceKind::In => diesel::insert_into(people_present::table)
            .values((
                people_present::meeting_id.eq(stored.meeting_id),
                people_present::end_user_id.eq(stored.end_user_id),
                people_present::client_id.eq(stored.client_id),
                people_present::since.eq(stored.happened_at),
                people_present::number.eq(stored.number),
            ))
            .execute(conn)?,
        PresenceKind::Out => {
            diesel::delete(people_present::table.find((stored.meeting_id, stored.end_user_id))).execute(conn)?
        }
    };
    Ok(stored)
}

/// The username and the name of the person, who must be allowed to vote in the meeting or hold proxies in it, or be in. Locked
/// against deletion.
fn person(
    conn: &mut PgConnection,
    new: &NewPresence,
    meeting: Uuid,
    is_in: bool,
) -> Result<(String, String), Abort<NotePresenceError>> {
    let known: Option<(String, String)> = end_users::table
        .find(new.end_user.as_uuid())
        .filter(is_of(new.client))
        .select((end_users::username, end_users::name))
        .for_key_share()
        .first(conn)
        .optional()?;
    let known = known.ok_or(Abort::Refused(NotePresenceError::EndUserNotFound))?;
    if !is_in && !may_be_checked_in(conn, meeting, new.end_user.as_uuid())? {
        return Err(Abort::Refused(CheckInRule::NotEligible.into()));
    }
    Ok(known)
}

/// The role and the name of the author.
fn author(conn: &mut PgConnection, new: &NewPresence, name: &str) -> QueryResult<(&'static str, String)> {
    Ok(match new.by {
        PresenceBy::Organizer(account) => ("ORGANIZER", account_name(conn, account.as_uuid())?),
        PresenceBy::Desk(desk) => ("DESK", desks::table.find(desk.as_uuid()).select(desks::name).first(conn)?),
        PresenceBy::Person => ("SELF", name.to_owned()),
    })
}
