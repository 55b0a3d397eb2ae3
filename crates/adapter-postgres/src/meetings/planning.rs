use std::collections::HashMap;
use std::sync::Arc;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use diesel::dsl::{count_star, exists, sql};
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Bool, Timestamptz, Uuid as SqlUuid};
use plenum_kernel::{AccountId, ClientId, GroupId, MeetingId, Page, PortFailure};
use plenum_meetings::{
    InvitationTarget, Meeting, MeetingClient, MeetingCopy, MeetingDecision, MeetingFilter, MeetingOverview,
    MeetingSort, MeetingStats, MeetingStatus, MeetingStore, Question, UpdateMeetingError,
};
use plenum_voting::RecordWriter;
use uuid::Uuid;

use crate::Db;
use crate::clients::groups::lock_audience;
use crate::meetings::closings::{NewClosing, write_closing};
use crate::meetings::invited::lock_people;
use crate::meetings::participants::put_on_list;
use crate::meetings::questions::{insert, load_agenda};
use crate::meetings::rows::{MeetingRow, meeting_status, meeting_status_text};
use crate::meetings::starts::lock_starts;
use crate::meetings::weight_kinds::require_kinds;
use crate::pool::failure::{Abort, damaged};
use crate::rows::columns::{allow_long_removal, count, kept, lower};
use crate::rows::test_data::{counts_in_its_client, has_a_vote, is_for_tests};
use crate::schema::{clients, end_user_counts, meeting_counts, meetings, participants, questions, rounds};
use crate::voting::rehearsals::end_running_rehearsal;
use crate::voting::round_log::account_name;
use crate::voting::rows::end_running_round;
use crate::voting::steps::time_in;

/// The maximum number of meetings that one call lists for closing.
const AT_ONCE: i64 = 100;

/// Meetings in PostgreSQL.
#[derive(Clone)]
pub struct PostgresMeetings {
    db: Db,
    /// For calls that may read very many rows.
    general: Db,
    /// Writes closing records.
    writer: Arc<dyn RecordWriter>,
}

impl PostgresMeetings {
    /// The store on this database. `writer` writes the closing records.
    pub fn new(db: Db, writer: Arc<dyn RecordWriter>) -> Self {
        Self { general: db.clone(), db, writer }
    }

    /// Lists and removals of meetings, which may affect very many rows, use other connections than the rest.
    #[must_use]
    pub fn with_general(self, general: Db) -> Self {
        Self { general, ..self }
    }
}

#[async_trait]
impl MeetingStore for PostgresMeetings {
    async fn add(&self, meeting: Meeting, agenda: Vec<Question>) -> Result<(), UpdateMeetingError> {
        let writer = Arc::clone(&self.writer);
        self.general
            .of(meeting.client_id)
            .transaction(move |conn| {
                if meeting.status == MeetingStatus::Active {
                    lock_starts(conn, meeting.client_id)?;
                }
                let of_agenda =
                    agenda.iter().flat_map(|question| question.groups.iter().copied().chain(question.rule_groups()));
                require_groups(conn, meeting.client_id, meeting.groups.iter().copied().chain(of_agenda))?;
                let kinds_of_agenda = agenda.iter().flat_map(|question| question.weights.kinds());
                require_kinds(conn, meeting.client_id, meeting.weight_kind.into_iter().chain(kinds_of_agenda))?;
                diesel::insert_into(meetings::table).values(MeetingRow::from(&meeting)).execute(conn)?;
                insert(conn, &agenda)?;
                if meeting.status == MeetingStatus::Active {
                    require_room(conn, &meeting)?;
                }
                if meeting.closes(None) {
                    close(conn, &*writer, &meeting)?;
                }
                Ok(())
            })
            .await
    }

    async fn copy(&self, owner: ClientId, id: MeetingId, copy: MeetingCopy) -> Result<MeetingId, UpdateMeetingError> {
        self.general
            .of(owner)
            .transaction(move |conn| {
                // All changes of the agenda and of the participant list wait for this lock.
                let original = lock(conn, owner, id)?;
                let (meeting, agenda) = copy(&original, &load_agenda(conn, id.as_uuid())?);
                diesel::insert_into(meetings::table).values(MeetingRow::from(&meeting)).execute(conn)?;
                insert(conn, &agenda)?;
                let listed: Vec<Uuid> = participants::table
                    .filter(participants::meeting_id.eq(id.as_uuid()))
                    .select(participants::end_user_id)
                    .load(conn)?;
                // People who are being deleted leave both lists. Erased people can never take part, and would count
                // against the limit. If nobody is left, the list stays, so that the copy is not for everybody.
                let mut people = lock_people(conn, owner, &listed)?;
                people.retain(|person| !person.is_erased);
                put_on_list(conn, owner, meeting.id, people.into_iter().map(|person| person.id).collect())?;
                Ok(meeting.id)
            })
            .await
    }

    async fn find(&self, owner: ClientId, id: MeetingId) -> Result<Option<MeetingOverview>, PortFailure> {
        self.db
            .of(owner)
            .snapshot(move |conn| {
                let row = meetings::table
                    .find(id.as_uuid())
                    .filter(meetings::client_id.eq(owner.as_uuid()))
                    .select(MeetingRow::as_select())
                    .first(conn)
                    .optional()?;
                Ok(overviews(conn, owner, row.into_iter().collect())?.pop())
            })
            .await
    }

    async fn list(&self, owner: ClientId, filter: &MeetingFilter) -> Result<Page<MeetingOverview>, PortFailure> {
        let filter = filter.clone();
        self.general
            .of(owner)
            .snapshot(move |conn| {
                let mut query = fitting(owner, &filter).select(MeetingRow::as_select());
                query = match filter.sort {
                    MeetingSort::LatestFirst => {
                        query.order((meetings::scheduled_start_time.desc(), meetings::id.desc()))
                    }
                    MeetingSort::TitleAscending => query.order((lower(meetings::title).asc(), meetings::id.asc())),
                    MeetingSort::TitleDescending => query.order((lower(meetings::title).desc(), meetings::id.desc())),
                };
                if let Some(page) = filter.page {
                    query = query.limit(i64::from(page.page_size)).offset(page.offset());
                }
                let rows: Vec<MeetingRow> = query.load(conn)?;
                let total = match (filter.page, &filter.search) {
                    (None, _) => rows.len() as u64,
                    (Some(_), None) => kept_total(conn, owner, &filter.statuses)?,
                    (Some(_), Some(_)) => count(fitting(owner, &filter).count().get_result(conn)?)?,
                };
                Ok(Page { rows: overviews(conn, owner, rows)?, total })
            })
            .await
    }

    async fn stats(&self, owner: ClientId) -> Result<MeetingStats, PortFailure> {
        self.db
            .of(owner)
            .run(move |conn| {
                let mut stats = MeetingStats::default();
                for (_, status, number) in kept_by_status(conn, &[owner.as_uuid()])? {
                    stats.total += number;
                    match status {
                        MeetingStatus::Draft => stats.draft += number,
                        MeetingStatus::Scheduled => stats.scheduled += number,
                        MeetingStatus::Active => stats.active += number,
                        MeetingStatus::Completed => stats.completed += number,
                        MeetingStatus::Cancelled => stats.cancelled += number,
                    }
                }
                Ok(stats)
            })
            .await
    }

    async fn update(
        &self,
        owner: ClientId,
        id: MeetingId,
        by: Option<AccountId>,
        decide: MeetingDecision,
    ) -> Result<Meeting, UpdateMeetingError> {
        let writer = Arc::clone(&self.writer);
        self.db
            .of(owner)
            .transaction(move |conn| {
                // The change may be a start.
                lock_starts(conn, owner)?;
                let mut meeting = lock(conn, owner, id)?;
                let before = meeting.clone();
                let was_active = before.status == MeetingStatus::Active;
                decide(&mut meeting).map_err(|rule| Abort::Refused(rule.into()))?;
                if meeting.groups != before.groups {
                    require_groups(conn, owner, meeting.groups.iter().copied())?;
                }
                if meeting.weight_kind != before.weight_kind {
                    require_kinds(conn, owner, meeting.weight_kind)?;
                }
                let was_opened = exists(rounds::table.filter(rounds::meeting_id.eq(id.as_uuid())));
                let was_opened = diesel::select(was_opened).get_result(conn)?;
                before.check_test_mark(&meeting, was_opened).map_err(|rule| Abort::Refused(rule.into()))?;
                let open = rounds::table.filter(rounds::meeting_id.eq(id.as_uuid()).and(rounds::status.eq("OPEN")));
                let has_open_round = diesel::select(exists(open)).get_result(conn)?;
                before.check_switch(&meeting, has_open_round).map_err(|rule| Abort::Refused(rule.into()))?;
                let ends = was_active && meeting.status != MeetingStatus::Active;
                if ends {
                    let ended_at = meeting.ended_at.ok_or_else(|| damaged("a meeting ended at no time"))?;
                    meeting.ended_at = Some(time_in(conn, id.as_uuid(), ended_at)?);
                }
                // Locks the client's maintained counts of meetings first, and then waits for the gate of the round. In the other order
                // ballots would wait for transactions that hold a count.
                diesel::update(meetings::table.find(id.as_uuid())).set(MeetingRow::from(&meeting)).execute(conn)?;
                if meeting.status == MeetingStatus::Active && !was_active {
                    require_room(conn, &meeting)?;
                }
                if let Some(ended_at) = meeting.ended_at.filter(|_| ends) {
                    let by = by.map(|by| account_name(conn, by.as_uuid())).transpose()?;
                    end_running_round(conn, id.as_uuid(), by.as_deref(), ended_at)?;
                    clear_screen(conn, id.as_uuid())?;
                }
                if !meeting.status.is_rehearsable() {
                    end_running_rehearsal(conn, id.as_uuid(), meeting.ended_at.filter(|_| ends))?;
                }
                if meeting.closes(Some(before.status)) {
                    // After everything that belongs to the end.
                    meeting.closing_hash = Some(close(conn, &*writer, &meeting)?);
                }
                Ok(meeting)
            })
            .await
    }

    async fn unclosed(&self) -> Result<Vec<(ClientId, MeetingId)>, PortFailure> {
        self.general
            .platform()
            .run(move |conn| {
                let rows: Vec<(Uuid, Uuid)> = unclosed()
                    .order(meetings::id)
                    .limit(AT_ONCE)
                    .select((meetings::client_id, meetings::id))
                    .load(conn)?;
                let place = |(client, meeting)| (ClientId::from_uuid(client), MeetingId::from_uuid(meeting));
                Ok(rows.into_iter().map(place).collect())
            })
            .await
    }

    async fn close_later(&self, owner: ClientId, id: MeetingId, now: DateTime<Utc>) -> Result<(), PortFailure> {
        let writer = Arc::clone(&self.writer);
        self.general
            .of(owner)
            .transaction(move |conn| {
                // Another instance may be closing the same meeting.
                let found: Option<Uuid> = unclosed()
                    .filter(meetings::id.eq(id.as_uuid()).and(meetings::client_id.eq(owner.as_uuid())))
                    .select(meetings::id)
                    .for_update()
                    .first(conn)
                    .optional()?;
                if found.is_some() {
                    write_closing(conn, &*writer, NewClosing { client: owner, meeting: id, at: now, is_later: true })?;
                }
                Ok(())
            })
            .await
    }

    async fn find_by_link(&self, link: &str) -> Result<Option<InvitationTarget>, PortFailure> {
        let link = link.to_owned();
        self.db
            .platform()
            .run(move |conn| {
                let found: Option<(MeetingRow, ClientColumns)> = meetings::table
                    .inner_join(clients::table)
                    .filter(meetings::invitation_link.eq(link))
                    .filter(clients::status.eq("ACTIVE"))
                    .select((MeetingRow::as_select(), (clients::id, clients::name, clients::client_code)))
                    .first(conn)
                    .optional()?;
                found
                    .map(|(row, client)| {
                        Ok(InvitationTarget { meeting: row.try_into()?, client: meeting_client(client) })
                    })
                    .transpose()
            })
            .await
    }

    async fn remove(&self, owner: ClientId, id: MeetingId) -> Result<(), UpdateMeetingError> {
        self.general
            .of(owner)
            .transaction(move |conn| {
                lock(conn, owner, id)?.check_removal().map_err(|rule| Abort::Refused(rule.into()))?;
                allow_long_removal(conn)?;
                // The largest tables first: writers of further rows wait from the deletion of the meeting on.
                diesel::delete(rounds::table.filter(rounds::meeting_id.eq(id.as_uuid()))).execute(conn)?;
                diesel::delete(meetings::table.find(id.as_uuid())).execute(conn)?;
                Ok(())
            })
            .await
    }
}

/// The meetings that have ended and have no closing record.
#[diesel::dsl::auto_type(no_type_alias)]
fn unclosed() -> _ {
    let has_ended = meetings::status.eq("COMPLETED").or(meetings::ended_at.is_not_null());
    meetings::table.filter(meetings::closing_hash.is_null().and(has_ended))
}

/// Writes the closing record of a meeting that is stored in its ended state.
fn close(conn: &mut PgConnection, writer: &dyn RecordWriter, meeting: &Meeting) -> QueryResult<String> {
    let at = diesel::select(diesel::dsl::now.into_sql::<Timestamptz>()).get_result(conn)?;
    write_closing(conn, writer, NewClosing { client: meeting.client_id, meeting: meeting.id, at, is_later: false })
}

/// Refuses groups that the client does not have. Locks the others against deletion.
fn require_groups(
    conn: &mut PgConnection,
    owner: ClientId,
    groups: impl IntoIterator<Item = GroupId>,
) -> Result<(), Abort<UpdateMeetingError>> {
    if lock_audience(conn, owner, groups)? { Ok(()) } else { Err(Abort::Refused(UpdateMeetingError::UnknownGroups)) }
}

/// Locks the client's meeting.
fn lock(conn: &mut PgConnection, owner: ClientId, id: MeetingId) -> Result<Meeting, Abort<UpdateMeetingError>> {
    let row: MeetingRow = meetings::table
        .find(id.as_uuid())
        .filter(meetings::client_id.eq(owner.as_uuid()))
        .select(MeetingRow::as_select())
        .for_update()
        .first(conn)
        .optional()?
        .ok_or(Abort::Refused(UpdateMeetingError::NotFound))?;
    Ok(row.try_into()?)
}

/// Takes the question off the screen of a meeting that has ended. The change of its status is the step.
fn clear_screen(conn: &mut PgConnection, meeting: Uuid) -> QueryResult<()> {
    let nothing = meetings::current_question_id.eq(None::<Uuid>);
    diesel::update(meetings::table.find(meeting)).set(nothing).execute(conn)?;
    Ok(())
}

/// The client's meetings that match the filter, in no order.
fn fitting(owner: ClientId, filter: &MeetingFilter) -> meetings::BoxedQuery<'static, Pg> {
    let mut query = meetings::table.filter(meetings::client_id.eq(owner.as_uuid())).into_boxed();
    if !filter.statuses.is_empty() {
        query = query.filter(meetings::status.eq_any(status_texts(&filter.statuses)));
    }
    if let Some(search) = &filter.search {
        let pattern = search.as_like_pattern();
        query = query.filter(
            meetings::title
                .ilike(pattern.clone())
                // A missing description matches nothing, and is not SQL's unknown.
                .or(meetings::description.is_not_null().and(meetings::description.assume_not_null().ilike(pattern))),
        );
    }
    query
}

/// The maintained numbers of these clients' meetings by status, counted as their clients count them.
pub(crate) fn kept_by_status(
    conn: &mut PgConnection,
    clients: &[Uuid],
) -> QueryResult<Vec<(Uuid, MeetingStatus, u64)>> {
    let numbers: Vec<(Uuid, String, i64)> = meeting_counts::table
        .filter(meeting_counts::client_id.eq_any(clients))
        .filter(meeting_counts::number.ne(0))
        .filter(sql::<Bool>(counts_in_its_client!("meeting_counts")))
        .select((meeting_counts::client_id, meeting_counts::status, meeting_counts::number))
        .load(conn)?;
    numbers.into_iter().map(|(client, status, number)| Ok((client, meeting_status(&status)?, kept(number)))).collect()
}

fn status_texts(statuses: &[MeetingStatus]) -> Vec<&'static str> {
    statuses.iter().copied().map(meeting_status_text).collect()
}

/// The maintained number of the client's meetings with one of these statuses. None means all.
fn kept_total(conn: &mut PgConnection, owner: ClientId, statuses: &[MeetingStatus]) -> QueryResult<u64> {
    let mut query = meeting_counts::table.filter(meeting_counts::client_id.eq(owner.as_uuid())).into_boxed();
    if !statuses.is_empty() {
        query = query.filter(meeting_counts::status.eq_any(status_texts(statuses)));
    }
    let numbers: Vec<i64> = query.select(meeting_counts::number).load(conn)?;
    Ok(kept(numbers.iter().sum()))
}

type ClientColumns = (Uuid, String, String);

fn meeting_client((id, name, code): ClientColumns) -> MeetingClient {
    MeetingClient { id: ClientId::from_uuid(id), name, code }
}

/// Adds clients and counts, by one statement each for all meetings.
fn overviews(conn: &mut PgConnection, owner: ClientId, rows: Vec<MeetingRow>) -> QueryResult<Vec<MeetingOverview>> {
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let owner = owner.as_uuid();
    let client: ClientColumns =
        clients::table.find(owner).select((clients::id, clients::name, clients::client_code)).first(conn)?;
    let client = meeting_client(client);
    let ids: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
    // By meeting alone: a condition on the client might read all its questions.
    let question_counts: HashMap<Uuid, i64> = questions::table
        .filter(questions::meeting_id.eq_any(&ids))
        .group_by(questions::meeting_id)
        .select((questions::meeting_id, count_star()))
        .load::<(Uuid, i64)>(conn)?
        .into_iter()
        .collect();
    let participant_counts: HashMap<Uuid, i64> = participants::table
        .filter(participants::meeting_id.eq_any(&ids))
        .group_by(participants::meeting_id)
        .select((participants::meeting_id, count_star()))
        .load::<(Uuid, i64)>(conn)?
        .into_iter()
        .collect();
    let everybody: HashMap<bool, u64> =
        if rows.iter().all(|row| row.has_participant_list) { HashMap::new() } else { kept_active(conn, owner)? };
    let with_groups: Vec<Uuid> = rows.iter().filter(|row| !row.group_ids.is_empty()).map(|row| row.id).collect();
    let members = members_invited(conn, &with_groups)?;
    rows.into_iter()
        .map(|row| {
            let (id, is_for_groups) = (row.id, !row.group_ids.is_empty());
            let listed = count(participant_counts.get(&row.id).copied().unwrap_or_default())?;
            let questions = question_counts.get(&row.id).copied().unwrap_or_default();
            let meeting = Meeting::try_from(row)?;
            let of_everybody = |is_test| everybody.get(&is_test).copied().unwrap_or_default();
            let invited = match (meeting.has_participant_list, meeting.is_for_tests(&client)) {
                _ if is_for_groups => members.get(&id).copied().unwrap_or_default(),
                (true, _) => listed,
                (false, true) => of_everybody(false) + of_everybody(true),
                (false, false) => of_everybody(false),
            };
            Ok(MeetingOverview {
                meeting,
                client: client.clone(),
                participant_count: invited,
                question_count: count(questions)?,
            })
        })
        .collect()
}

/// Refuses to run a meeting with more people than its limit. The meeting MUST be stored.
fn require_room(conn: &mut PgConnection, meeting: &Meeting) -> Result<(), Abort<UpdateMeetingError>> {
    if meeting.max_participants.is_none() {
        return Ok(());
    }
    let people = people_of(conn, meeting.client_id.as_uuid(), meeting.id.as_uuid(), meeting.has_participant_list)?;
    meeting.check_room(people).map_err(|rule| Abort::Refused(rule.into()))
}

/// The number of people that a meeting is for: those on its list, or every active end user. The same as in `overviews`.
pub(crate) fn people_of(conn: &mut PgConnection, client: Uuid, meeting: Uuid, has_list: bool) -> QueryResult<u64> {
    if let Some(members) = members_invited(conn, &[meeting])?.remove(&meeting) {
        return Ok(members);
    }
    if has_list {
        return count(participants::table.filter(participants::meeting_id.eq(meeting)).count().get_result(conn)?);
    }
    let everybody = kept_active(conn, client)?;
    let tests_too = is_for_tests(conn, meeting)?;
    Ok(everybody.into_iter().filter(|(is_test, _)| tests_too || !is_test).map(|(_, number)| number).sum())
}

/// The numbers of people that these meetings are for, of those that are for groups. Members are found by key: the groups may be
/// newer than the statistics.
fn members_invited(conn: &mut PgConnection, meetings: &[Uuid]) -> QueryResult<HashMap<Uuid, u64>> {
    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = SqlUuid)]
        id: Uuid,
        #[diesel(sql_type = BigInt)]
        people: i64,
    }
    if meetings.is_empty() {
        return Ok(HashMap::new());
    }
    let rows: Vec<Row> = diesel::sql_query(concat!(
        "SELECT m.id, (SELECT count(*) \
                       FROM (SELECT DISTINCT group_members.end_user_id FROM group_members \
                             WHERE group_members.group_id = ANY (m.group_ids)) AS member \
                       CROSS JOIN LATERAL (SELECT end_users.is_active, end_users.is_test FROM end_users \
                                           WHERE end_users.id = member.end_user_id OFFSET 0) AS person \
                       WHERE CASE WHEN m.has_participant_list \
                                  THEN EXISTS (SELECT FROM participants WHERE participants.meeting_id = m.id \
                                                 AND participants.end_user_id = member.end_user_id OFFSET 0) \
                                  ELSE person.is_active AND ",
        has_a_vote!("person", "m.id"),
        " END) AS people \
         FROM meetings AS m WHERE m.id = ANY ($1) AND m.group_ids <> '{}'",
    ))
    .bind::<Array<SqlUuid>, _>(meetings)
    .load(conn)?;
    rows.into_iter().map(|row| Ok((row.id, count(row.people)?))).collect()
}

/// The maintained number of a client's active end users, with and without test data.
fn kept_active(conn: &mut PgConnection, client: Uuid) -> QueryResult<HashMap<bool, u64>> {
    let numbers: Vec<(bool, i64)> = end_user_counts::table
        .filter(end_user_counts::client_id.eq(client).and(end_user_counts::is_active))
        .select((end_user_counts::is_test, end_user_counts::number))
        .load(conn)?;
    Ok(numbers.into_iter().map(|(is_test, number)| (is_test, kept(number))).collect())
}
