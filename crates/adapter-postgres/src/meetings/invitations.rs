use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Bool, Integer, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use plenum_clients::RefreshTokens;
use plenum_kernel::{ClientId, EndUserId, MeetingId, Page, PersonalLinkTokens, PortFailure};
use plenum_meetings::{
    CheckIn, ClaimedInvitation, InvitationFacts, InvitationOrder, InvitationOverview, InvitationState,
    InvitationStatus, InvitationStore, QueueInvitationsError, QueueVerdict, Queued, Recipient, RecipientCounts,
    RecipientFilter, Recipients, SendingOutcome, SiteAddress, TimeZone,
};
use uuid::Uuid;

use crate::Db;
use crate::clients::open_votes::lock_running_meetings;
use crate::meetings::invitation_links::{LinkTokens, seed_of};
use crate::meetings::invited::{InvitedPeople, invited, lock_invited};
use crate::meetings::rows::{check_in, meeting_status, natural};
use crate::meetings::starts::lock_starts;
use crate::pool::failure::{Abort, damaged};
use crate::pool::statistics::{Grown, refresh_for};
use crate::rows::audience::is_member_for;
use crate::rows::columns::count;
use crate::rows::test_data::has_a_vote;
use crate::schema::{clients, invitations, meetings};

/// Invitations by email, in PostgreSQL.
#[derive(Clone)]
pub struct PostgresInvitations {
    db: Db,
    links: LinkTokens,
}

impl PostgresInvitations {
    /// The store on this database. Personal links have the tokens of `derive`, and are stored as hashes by `hash`.
    pub fn new(db: Db, derive: Arc<dyn PersonalLinkTokens>, hash: Arc<dyn RefreshTokens>) -> Self {
        Self { db, links: LinkTokens { derive, hash } }
    }
}

/// Invitations `i` with meeting `m`, client `c` and end user `e`, each found by key: thousands of invitations may be newer
/// than the statistics.
const WITH_KEYS: &str = "
    FROM invitations i
    CROSS JOIN LATERAL (SELECT * FROM meetings WHERE meetings.id = i.meeting_id OFFSET 0) m
    CROSS JOIN LATERAL (SELECT * FROM clients WHERE clients.id = i.client_id OFFSET 0) c
    CROSS JOIN LATERAL (SELECT * FROM end_users WHERE end_users.id = i.end_user_id OFFSET 0) e";

/// Whether an invitation `i` to meeting `m` still has a recipient, end user `e`.
const IS_WANTED: &str = concat!(
    "
    m.status NOT IN ('COMPLETED', 'CANCELLED') AND e.is_active AND e.email IS NOT NULL
    AND (NOT m.has_participant_list AND ",
    has_a_vote!("e", "m.id"),
    "
         OR EXISTS (SELECT FROM participants p WHERE p.meeting_id = m.id AND p.end_user_id = e.id OFFSET 0))
    AND ",
    is_member_for!("e.id", "m"),
);

#[async_trait]
impl InvitationStore for PostgresInvitations {
    async fn queue(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        order: InvitationOrder,
    ) -> Result<Queued, QueueInvitationsError> {
        let tokens = self.links.clone();
        self.db
            .of(owner)
            .transaction(move |conn| {
                if order.personal_links.is_some() {
                    // Alone among the transactions that lock the client's running meetings, because this one locks its own
                    // meeting before the others.
                    lock_starts(conn, owner)?;
                }
                let has_list = lock_meeting(conn, owner, meeting, &order)?;
                if order.personal_links.is_some() {
                    // Before the end users, as an opening does.
                    lock_running_meetings(conn, owner)?;
                }
                let invited = InvitedPeople { owner, meeting, has_list };
                let named = match &order.recipients {
                    Recipients::Everyone | Recipients::NeverSignedIn { .. } => None,
                    Recipients::These { end_users, .. } => {
                        let named: BTreeSet<Uuid> = end_users.iter().map(|id| id.as_uuid()).collect();
                        Some(named.into_iter().collect::<Vec<_>>())
                    }
                };
                let mut meant = lock_invited(conn, &invited, named.as_deref())?;
                if matches!(order.recipients, Recipients::NeverSignedIn { .. }) {
                    meant.retain(|person| !person.has_signed_in);
                }
                let again = order.recipients.again();
                if named.is_some_and(|named| meant.len() < named.len()) {
                    return Err(Abort::Refused(QueueInvitationsError::NotInvited));
                }
                let statuses = lock_statuses(conn, meeting)?;
                let mut queued = Queued::default();
                let mut addressed = Vec::new();
                for person in meant {
                    let status = statuses.get(&person.id).copied();
                    let verdict = QueueVerdict::on(status, person.is_active, person.email.is_some(), again);
                    queued.count(verdict);
                    if verdict == QueueVerdict::Queued {
                        addressed.push((person.id, person.email.unwrap_or_default()));
                    }
                }
                refresh_for(conn, Grown::EndUsers, addressed.len())?;
                refresh_for(conn, Grown::Meetings, addressed.len())?;
                tokens.make(conn, &invited, &order, &addressed)?;
                put_into_queue(conn, &invited, &order, addressed)?;
                Ok(queued)
            })
            .await
    }

    async fn overview(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        filter: &RecipientFilter,
    ) -> Result<Option<InvitationOverview>, PortFailure> {
        let filter = filter.clone();
        self.db
            .of(owner)
            .snapshot(move |conn| {
                let found: Option<(FactsRow, bool)> = meetings::table
                    .inner_join(clients::table)
                    .filter(meetings::id.eq(meeting.as_uuid()).and(meetings::client_id.eq(owner.as_uuid())))
                    .select((FactsRow::as_select(), meetings::has_participant_list))
                    .first(conn)
                    .optional()?;
                let Some((facts, has_list)) = found else { return Ok(None) };
                let invited = InvitedPeople { owner, meeting, has_list };
                let counts = count_states(conn, &invited)?;
                let page = load_recipients(conn, &invited, &filter)?;
                Ok(Some(InvitationOverview { facts: InvitationFacts::try_from(facts)?, counts, page }))
            })
            .await
    }

    async fn stop(&self, owner: ClientId, meeting: MeetingId) -> Result<Option<u64>, PortFailure> {
        self.db
            .of(owner)
            .transaction(move |conn| {
                // In the same order as the statement that queues, so that neither waits for the other.
                let known: Option<Uuid> = meetings::table
                    .find(meeting.as_uuid())
                    .filter(meetings::client_id.eq(owner.as_uuid()))
                    .select(meetings::id)
                    .for_update()
                    .first(conn)
                    .optional()?;
                if known.is_none() {
                    return Ok(None);
                }
                let pending = "
                    SELECT i.meeting_id, i.end_user_id FROM invitations i
                    WHERE i.meeting_id = $1 AND i.status = 'PENDING'
                    ORDER BY i.end_user_id FOR UPDATE OF i";
                let taken: TakenOut =
                    diesel::sql_query(take_out(pending)).bind::<SqlUuid, _>(meeting.as_uuid()).get_result(conn)?;
                Ok(Some(count(taken.number)?))
            })
            .await
    }

    async fn claim(&self, now: DateTime<Utc>) -> Result<Option<ClaimedInvitation>, PortFailure> {
        // Skips invitations that another sender has locked: that one sends them.
        let statement = format!(
            "WITH next AS (
                 SELECT i.meeting_id, i.end_user_id, e.name, e.username, e.email
                 {WITH_KEYS}
                 WHERE i.status = 'PENDING' AND i.due_at <= $1 AND c.status = 'ACTIVE' AND {IS_WANTED}
                 ORDER BY i.due_at, i.end_user_id
                 LIMIT 1
                 FOR UPDATE OF i SKIP LOCKED
             )
             UPDATE invitations SET status = 'SENDING', claimed_at = $1, tries = tries + 1, email = next.email
             FROM next
             WHERE invitations.meeting_id = next.meeting_id AND invitations.end_user_id = next.end_user_id
             RETURNING invitations.client_id, invitations.meeting_id, invitations.end_user_id, next.name, next.username,
                       invitations.email, invitations.site_address, invitations.time_zone, invitations.queued_at,
                       invitations.claimed_at, invitations.tries, invitations.has_personal_link"
        );
        self.db
            .platform()
            .transaction(move |conn| {
                let claimed: Option<ClaimedRow> =
                    diesel::sql_query(statement).bind::<Timestamptz, _>(now).get_result(conn).optional()?;
                let Some(claimed) = claimed else { return Ok(None) };
                let facts: FactsRow = meetings::table
                    .inner_join(clients::table)
                    .filter(meetings::id.eq(claimed.meeting_id))
                    .select(FactsRow::as_select())
                    .first(conn)?;
                let personal_link = if claimed.has_personal_link {
                    seed_of(conn, claimed.client_id, claimed.meeting_id, claimed.end_user_id)?
                } else {
                    None
                };
                Ok(Some(ClaimedInvitation { personal_link, ..claimed.with(facts.try_into()?)? }))
            })
            .await
    }

    async fn settle(&self, claimed: &ClaimedInvitation, outcome: SendingOutcome) -> Result<(), PortFailure> {
        let claimed = claimed.clone();
        self.db
            .of(claimed.client_id)
            .run(move |conn| {
                let own = diesel::update(
                    invitations::table.find((claimed.meeting_id.as_uuid(), claimed.end_user_id.as_uuid())),
                )
                .filter(invitations::client_id.eq(claimed.client_id.as_uuid()))
                .filter(invitations::claimed_at.eq(claimed.claimed_at))
                .filter(invitations::status.eq_any(["SENDING", "UNKNOWN"]));
                let before = invitations::status_before.eq(None::<String>);
                let status = invitations::status;
                match outcome {
                    SendingOutcome::Sent { at } => own
                        .set((
                            status.eq("SENT"),
                            before,
                            invitations::error.eq(None::<String>),
                            invitations::sent_at.eq(at),
                        ))
                        .execute(conn)?,
                    SendingOutcome::Failed { error } => {
                        own.set((status.eq("FAILED"), before, invitations::error.eq(error))).execute(conn)?
                    }
                    SendingOutcome::Unknown { error } => {
                        own.set((status.eq("UNKNOWN"), before, invitations::error.eq(error))).execute(conn)?
                    }
                    SendingOutcome::Later { due_at, error } => own
                        .set((status.eq("PENDING"), invitations::due_at.eq(due_at), invitations::error.eq(error)))
                        .execute(conn)?,
                };
                Ok(())
            })
            .await
    }

    async fn withdraw(&self) -> Result<u64, PortFailure> {
        let unwanted = format!(
            "SELECT i.meeting_id, i.end_user_id
             {WITH_KEYS}
             WHERE i.status = 'PENDING' AND NOT ({IS_WANTED})
             FOR UPDATE OF i SKIP LOCKED"
        );
        let taken = self
            .db
            .platform()
            .run(move |conn| diesel::sql_query(take_out(&unwanted)).get_result::<TakenOut>(conn))
            .await?;
        Ok(taken.number.unsigned_abs())
    }

    async fn give_up(&self, claimed_before: DateTime<Utc>, error: &str) -> Result<u64, PortFailure> {
        let error = error.to_owned();
        self.db
            .platform()
            .run(move |conn| {
                let left_behind = invitations::table
                    .filter(invitations::status.eq("SENDING"))
                    .filter(invitations::claimed_at.lt(claimed_before));
                let number = diesel::update(left_behind)
                    .set((
                        invitations::status.eq("UNKNOWN"),
                        invitations::status_before.eq(None::<String>),
                        invitations::error.eq(error),
                    ))
                    .execute(conn)?;
                Ok(number as u64)
            })
            .await
    }
}

/// Locks the client's meeting, stores the link if it has none, and returns whether it has a participant list.
fn lock_meeting(
    conn: &mut PgConnection,
    owner: ClientId,
    meeting: MeetingId,
    order: &InvitationOrder,
) -> Result<bool, Abort<QueueInvitationsError>> {
    let (status, has_list, link): (String, bool, Option<String>) = meetings::table
        .find(meeting.as_uuid())
        .filter(meetings::client_id.eq(owner.as_uuid()))
        .select((meetings::status, meetings::has_participant_list, meetings::invitation_link))
        .for_update()
        .first(conn)
        .optional()?
        .ok_or(Abort::Refused(QueueInvitationsError::MeetingNotFound))?;
    if !meeting_status(&status)?.link_is_good() {
        return Err(Abort::Refused(QueueInvitationsError::MeetingOver));
    }
    if link.is_none() {
        diesel::update(meetings::table.find(meeting.as_uuid()))
            .set(meetings::invitation_link.eq(&order.link))
            .execute(conn)?;
    }
    Ok(has_list)
}

/// The states of the meeting's invitations, locked against changes by senders.
fn lock_statuses(conn: &mut PgConnection, meeting: MeetingId) -> QueryResult<HashMap<Uuid, InvitationStatus>> {
    let rows: Vec<(Uuid, String)> = invitations::table
        .filter(invitations::meeting_id.eq(meeting.as_uuid()))
        .select((invitations::end_user_id, invitations::status))
        .order(invitations::end_user_id)
        .for_update()
        .load(conn)?;
    rows.into_iter().map(|(id, status)| Ok((id, invitation_status(&status)?))).collect()
}

/// Queues invitations to these of the invited people, each with an email address.
fn put_into_queue(
    conn: &mut PgConnection,
    invited: &InvitedPeople,
    order: &InvitationOrder,
    addressed: Vec<(Uuid, String)>,
) -> QueryResult<usize> {
    let (ids, emails): (Vec<Uuid>, Vec<String>) = addressed.into_iter().unzip();
    diesel::sql_query(
        "INSERT INTO invitations (client_id, meeting_id, end_user_id, status, email, tries, site_address, time_zone,
                                  queued_at, due_at, has_personal_link)
         SELECT $1, $2, person.id, 'PENDING', person.email, 0, $5, $6, $7, $7, $8
         FROM unnest($3, $4) AS person (id, email)
         ON CONFLICT ON CONSTRAINT invitations_pkey DO UPDATE
         SET status = excluded.status, status_before = invitations.status, email = excluded.email, tries = excluded.tries,
             site_address = excluded.site_address, time_zone = excluded.time_zone, queued_at = excluded.queued_at,
             due_at = excluded.due_at, has_personal_link = excluded.has_personal_link, claimed_at = NULL",
    )
    .bind::<SqlUuid, _>(invited.owner.as_uuid())
    .bind::<SqlUuid, _>(invited.meeting.as_uuid())
    .bind::<Array<SqlUuid>, _>(ids)
    .bind::<Array<Text>, _>(emails)
    .bind::<Text, _>(order.site.as_str())
    .bind::<Text, _>(order.time_zone.name())
    .bind::<Timestamptz, _>(order.now)
    .bind::<Bool, _>(order.personal_links.is_some())
    .execute(conn)
}

/// The statement that restores these PENDING invitations to their former state, and counts them.
fn take_out(these: &str) -> String {
    format!(
        "WITH these AS ({these}),
         restored AS (
             UPDATE invitations i SET status = i.status_before, status_before = NULL FROM these
             WHERE i.meeting_id = these.meeting_id AND i.end_user_id = these.end_user_id AND i.status_before IS NOT NULL
         ),
         removed AS (
             DELETE FROM invitations i USING these
             WHERE i.meeting_id = these.meeting_id AND i.end_user_id = these.end_user_id AND i.status_before IS NULL
         )
         SELECT count(*) AS number FROM these"
    )
}

/// The invited people of the meeting, with the states of their invitations.
const RECIPIENTS: &str = concat!(
    "WITH recipients AS (
         SELECT e.id, e.name, e.username, e.email, e.search_text, i.email AS sent_to, i.error, i.tries, i.sent_at,
                CASE WHEN i.status IN ('PENDING', 'SENDING') THEN 'PENDING'
                     WHEN i.status IS NOT NULL THEN i.status
                     WHEN NOT e.is_active THEN 'INACTIVE'
                     WHEN e.email IS NULL THEN 'WITHOUT_ADDRESS'
                     ELSE 'NOT_SENT' END AS state
         FROM ",
    invited!("name", "username", "email", "search_text", "is_active"),
    " AS e
         LEFT JOIN LATERAL (SELECT * FROM invitations
                            WHERE invitations.meeting_id = $2 AND invitations.end_user_id = e.id OFFSET 0) AS i ON true
     )"
);

fn count_states(conn: &mut PgConnection, invited: &InvitedPeople) -> QueryResult<RecipientCounts> {
    let statement = format!("{RECIPIENTS} SELECT state, count(*) AS number FROM recipients GROUP BY state");
    let rows: Vec<StateRow> = diesel::sql_query(statement)
        .bind::<SqlUuid, _>(invited.owner.as_uuid())
        .bind::<SqlUuid, _>(invited.meeting.as_uuid())
        .bind::<Bool, _>(invited.has_list)
        .load(conn)?;
    let mut counts = RecipientCounts::default();
    for row in rows {
        *counts.of_mut(invitation_state(&row.state)?) = count(row.number)?;
    }
    Ok(counts)
}

fn load_recipients(
    conn: &mut PgConnection,
    invited: &InvitedPeople,
    filter: &RecipientFilter,
) -> QueryResult<Page<Recipient>> {
    let fitting = format!(
        "{RECIPIENTS} SELECT *, count(*) OVER () AS total FROM recipients
         WHERE ($4 IS NULL OR strpos(search_text, lower($4)) > 0) AND ($5 IS NULL OR state = $5)"
    );
    let bound = |statement: String| {
        diesel::sql_query(statement)
            .into_boxed()
            .bind::<SqlUuid, _>(invited.owner.as_uuid())
            .bind::<SqlUuid, _>(invited.meeting.as_uuid())
            .bind::<Bool, _>(invited.has_list)
            .bind::<Nullable<Text>, _>(filter.search.as_ref().map(|search| search.as_str().to_owned()))
            .bind::<Nullable<Text>, _>(filter.state.map(state_text))
    };
    let (limit, offset) = filter.page.map_or((None, 0), |page| (Some(i64::from(page.page_size)), page.offset()));
    let order = if filter.is_descending { "lower(name) DESC, id DESC" } else { "lower(name), id" };
    let rows: Vec<RecipientRow> = bound(format!("{fitting} ORDER BY {order} LIMIT $6 OFFSET $7"))
        .bind::<Nullable<BigInt>, _>(limit)
        .bind::<BigInt, _>(offset)
        .load(conn)?;
    // A page after the last one has no row that contains the total.
    let total = match rows.first() {
        Some(row) => count(row.total)?,
        None if offset == 0 => 0,
        None => {
            let first: Option<RecipientRow> = bound(format!("{fitting} LIMIT 1")).get_result(conn).optional()?;
            first.map(|row| count(row.total)).transpose()?.unwrap_or(0)
        }
    };
    Ok(Page { rows: rows.into_iter().map(Recipient::try_from).collect::<QueryResult<_>>()?, total })
}

fn invitation_status(text: &str) -> QueryResult<InvitationStatus> {
    match text {
        "PENDING" => Ok(InvitationStatus::Pending),
        "SENDING" => Ok(InvitationStatus::Sending),
        "SENT" => Ok(InvitationStatus::Sent),
        "FAILED" => Ok(InvitationStatus::Failed),
        "UNKNOWN" => Ok(InvitationStatus::Unknown),
        other => Err(damaged(format!("invitations.status is {other}"))),
    }
}

fn state_text(state: InvitationState) -> &'static str {
    match state {
        InvitationState::NotSent => "NOT_SENT",
        InvitationState::WithoutAddress => "WITHOUT_ADDRESS",
        InvitationState::Inactive => "INACTIVE",
        InvitationState::Pending => "PENDING",
        InvitationState::Sent => "SENT",
        InvitationState::Failed => "FAILED",
        InvitationState::Unknown => "UNKNOWN",
    }
}

fn invitation_state(text: &str) -> QueryResult<InvitationState> {
    let found = InvitationState::ALL.into_iter().find(|state| state_text(*state) == text);
    found.ok_or_else(|| damaged(format!("the state of an invitation is {text}")))
}

#[derive(QueryableByName)]
struct TakenOut {
    #[diesel(sql_type = BigInt)]
    number: i64,
}

#[derive(QueryableByName)]
struct StateRow {
    #[diesel(sql_type = Text)]
    state: String,
    #[diesel(sql_type = BigInt)]
    number: i64,
}

#[derive(QueryableByName)]
struct RecipientRow {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = Text)]
    username: String,
    #[diesel(sql_type = Nullable<Text>)]
    email: Option<String>,
    #[diesel(sql_type = Text)]
    state: String,
    #[diesel(sql_type = Nullable<Text>)]
    sent_to: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    error: Option<String>,
    #[diesel(sql_type = Nullable<Integer>, column_name = "tries")]
    attempts: Option<i32>,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    sent_at: Option<DateTime<Utc>>,
    #[diesel(sql_type = BigInt)]
    total: i64,
}

impl TryFrom<RecipientRow> for Recipient {
    type Error = diesel::result::Error;

    fn try_from(row: RecipientRow) -> QueryResult<Self> {
        let state = invitation_state(&row.state)?;
        let attempts = natural(row.attempts.unwrap_or_default())?;
        Ok(Self {
            id: EndUserId::from_uuid(row.id),
            name: row.name,
            username: row.username,
            email: row.email,
            state,
            sent_to: row.sent_to,
            error: row.error.filter(|_| state.shows_error(attempts)),
            sent_at: row.sent_at,
        })
    }
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = meetings, check_for_backend(diesel::pg::Pg))]
struct FactsRow {
    #[diesel(select_expression = clients::name)]
    organization: String,
    #[diesel(select_expression = clients::client_code)]
    client_code: String,
    #[diesel(select_expression = clients::contact_email)]
    contact_email: String,
    title: String,
    scheduled_start_time: DateTime<Utc>,
    status: String,
    invitation_link: Option<String>,
    check_in: String,
}

impl TryFrom<FactsRow> for InvitationFacts {
    type Error = diesel::result::Error;

    fn try_from(row: FactsRow) -> QueryResult<Self> {
        Ok(Self {
            organization: row.organization,
            client_code: row.client_code,
            contact_email: row.contact_email,
            title: row.title,
            start: row.scheduled_start_time,
            status: meeting_status(&row.status)?,
            link: row.invitation_link,
            has_check_in: check_in(&row.check_in)? == CheckIn::On,
        })
    }
}

#[derive(QueryableByName)]
#[diesel(table_name = invitations)]
struct ClaimedRow {
    client_id: Uuid,
    meeting_id: Uuid,
    end_user_id: Uuid,
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = Text)]
    username: String,
    email: String,
    site_address: String,
    time_zone: String,
    queued_at: DateTime<Utc>,
    #[diesel(sql_type = Timestamptz)]
    claimed_at: DateTime<Utc>,
    #[diesel(column_name = "tries")]
    attempts: i32,
    has_personal_link: bool,
}

impl ClaimedRow {
    fn with(self, facts: InvitationFacts) -> QueryResult<ClaimedInvitation> {
        Ok(ClaimedInvitation {
            client_id: ClientId::from_uuid(self.client_id),
            meeting_id: MeetingId::from_uuid(self.meeting_id),
            end_user_id: EndUserId::from_uuid(self.end_user_id),
            name: self.name,
            username: self.username,
            email: self.email,
            facts,
            site: SiteAddress::from_stored(self.site_address),
            // An unknown time zone must not prevent the mail.
            time_zone: TimeZone::parse(&self.time_zone).unwrap_or(TimeZone::UTC),
            personal_link: None,
            queued_at: self.queued_at,
            claimed_at: self.claimed_at,
            attempts: natural(self.attempts)?,
        })
    }
}
