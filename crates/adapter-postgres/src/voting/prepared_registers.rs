//! Registers that are prepared before their question opens (decision 104).
//!
//! The entries stand in the register under the id that the next round of the meeting gets. An opening never trusts them: it compares
//! them with what they should be at that moment, as if nothing were prepared, and writes the differences.

use async_trait::async_trait;
use chrono::DateTime;
use diesel::prelude::*;
use diesel::sql_types::{Nullable, Uuid as SqlUuid};
use plenum_kernel::{ClientId, EndUserId, PortFailure};
use plenum_meetings::MeetingStatus;
use plenum_voting::{PreparedRegisters, RegisterPreparation};
use uuid::Uuid;

use crate::Db;
use crate::meetings::planning::people_of;
use crate::meetings::rows::meeting_status_text;
use crate::pool::failure::Abort;
use crate::rows::terms::secrecy;
use crate::schema::{clients, meetings, prepared_registers, questions, register};
use crate::voting::absent::checked_in_people;
use crate::voting::registration::{Registration, prepare_entries};

/// Prepared registers in PostgreSQL.
#[derive(Clone)]
pub struct PostgresPreparedRegisters {
    db: Db,
}

impl PostgresPreparedRegisters {
    /// The store on this database.
    pub fn new(db: Db) -> Self {
        Self { db }
    }
}

/// A question that is probably opened next.
#[derive(Clone, Copy)]
struct NextQuestion {
    client: Uuid,
    meeting: Uuid,
    question: Uuid,
}

#[async_trait]
impl PreparedRegisters for PostgresPreparedRegisters {
    async fn prepare(&self, preparation: RegisterPreparation) -> Result<bool, PortFailure> {
        let meeting = preparation.meeting.as_uuid();
        let Some(client) = self.db.platform().run(move |conn| client_of_running(conn, meeting)).await? else {
            return Ok(false);
        };
        let owned = self.db.of(ClientId::from_uuid(client));
        let (at_least, new_round) = (preparation.at_least, preparation.new_round.as_uuid());
        let begun = owned.transaction(move |conn| {
            let Some(next) = next_question(conn, client, meeting, at_least)? else { return Ok(None) };
            begin_preparation(conn, next, new_round)?;
            Ok::<_, Abort<PortFailure>>(Some(next))
        });
        let Some(next) = begun.await? else { return Ok(false) };
        let connected: Vec<Uuid> = preparation.connected.iter().map(|voter| voter.as_uuid()).collect();
        owned.transaction(move |conn| Ok::<_, Abort<PortFailure>>(prepare(conn, next, connected)?)).await
    }
}

/// The client of a running meeting.
fn client_of_running(conn: &mut PgConnection, meeting: Uuid) -> QueryResult<Option<Uuid>> {
    meetings::table
        .inner_join(clients::table)
        .filter(meetings::id.eq(meeting).and(meetings::status.eq(meeting_status_text(MeetingStatus::Active))))
        .filter(clients::status.eq("ACTIVE"))
        .select(clients::id)
        .first(conn)
        .optional()
}

/// The question on the screen if it was never opened, otherwise the next one on the agenda that was not. `None` also in a meeting for
/// fewer people. Rounds of secret questions get their id before they open, with their key, so nothing is prepared for those.
fn next_question(
    conn: &mut PgConnection,
    client: Uuid,
    meeting: Uuid,
    at_least: u64,
) -> QueryResult<Option<NextQuestion>> {
    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = SqlUuid)]
        id: Uuid,
    }
    let found: Option<(bool, Option<Uuid>)> = meetings::table
        .find(meeting)
        .select((meetings::has_participant_list, meetings::current_question_id))
        .first(conn)
        .optional()?;
    let Some((has_list, current)) = found else { return Ok(None) };
    if people_of(conn, client, meeting, has_list)? < at_least {
        return Ok(None);
    }
    let found: Option<Row> = diesel::sql_query(
        "SELECT questions.id FROM questions \
         WHERE questions.client_id = $1 AND questions.meeting_id = $2 AND questions.secrecy <> 'SECRET' \
           AND NOT EXISTS (SELECT FROM rounds WHERE rounds.meeting_id = $2 AND rounds.question_id = questions.id) \
         ORDER BY questions.position < (SELECT shown.position FROM questions AS shown WHERE shown.id = $3), questions.position \
         LIMIT 1",
    )
    .bind::<SqlUuid, _>(client)
    .bind::<SqlUuid, _>(meeting)
    .bind::<Nullable<SqlUuid>, _>(current)
    .get_result(conn)
    .optional()?;
    Ok(found.map(|Row { id: question }| NextQuestion { client, meeting, question }))
}

/// Gives the next round of the meeting its id, unless it has one. The key to the meeting waits for a step in progress, and a step for
/// it, so this is a transaction of its own.
fn begin_preparation(conn: &mut PgConnection, next: NextQuestion, new_round: Uuid) -> QueryResult<()> {
    diesel::insert_into(prepared_registers::table)
        .values((
            prepared_registers::meeting_id.eq(next.meeting),
            prepared_registers::client_id.eq(next.client),
            prepared_registers::round_id.eq(new_round),
        ))
        .on_conflict_do_nothing()
        .execute(conn)?;
    Ok(())
}

/// Prepares the entries, unless somebody else does, or the round opens meanwhile. Returns whether they are prepared.
fn prepare(conn: &mut PgConnection, next: NextQuestion, connected: Vec<Uuid>) -> QueryResult<bool> {
    let NextQuestion { meeting, question, .. } = next;
    let Some(round) = lock_preparation(conn, meeting)? else { return Ok(false) };
    let check_in: String = meetings::table.find(meeting).select(meetings::check_in).first(conn)?;
    let connected = if check_in == "ON" { checked_in_people(conn, meeting)? } else { connected };
    // An entry that stands from before the opening counts as added by it.
    let now = DateTime::UNIX_EPOCH;
    prepare_entries(conn, &Registration { meeting, question, round, connected: &connected, now })?;
    // The end of the meeting removes the preparation. One that the end did not see yet must not stay.
    let is_running: Option<Uuid> = meetings::table
        .filter(meetings::id.eq(meeting).and(meetings::status.eq(meeting_status_text(MeetingStatus::Active))))
        .select(meetings::id)
        .for_share()
        .skip_locked()
        .first(conn)
        .optional()?;
    if is_running.is_none() {
        end_preparation(conn, Some(round))?;
    }
    Ok(is_running.is_some())
}

/// Locks the preparation of a meeting. `None` without one, and while another transaction has locked it.
fn lock_preparation(conn: &mut PgConnection, meeting: Uuid) -> QueryResult<Option<Uuid>> {
    prepared_registers::table
        .find(meeting)
        .select(prepared_registers::round_id)
        .for_update()
        .skip_locked()
        .first(conn)
        .optional()
}

/// The id of the next round of the meeting, if its register is prepared and nobody is preparing it at this moment: an opening never
/// waits for that. `None` for a secret question.
pub(crate) fn prepared_round(conn: &mut PgConnection, meeting: Uuid, question: Uuid) -> QueryResult<Option<Uuid>> {
    let stored: String = questions::table.find(question).select(questions::secrecy).first(conn)?;
    if secrecy(&stored)?.is_secret() { Ok(None) } else { lock_preparation(conn, meeting) }
}

/// Ends a preparation. Its entries stay if the round is there, and are removed otherwise.
pub(crate) fn end_preparation(conn: &mut PgConnection, round: Option<Uuid>) -> QueryResult<()> {
    if let Some(round) = round {
        diesel::delete(prepared_registers::table.filter(prepared_registers::round_id.eq(round))).execute(conn)?;
    }
    Ok(())
}

/// Removes a person of the client from registers that are prepared. Waits for one that is being prepared. The meetings of the client
/// MUST be locked, so that none is completed meanwhile.
pub(crate) fn forget_prepared(conn: &mut PgConnection, owner: ClientId, person: EndUserId) -> QueryResult<()> {
    let prepared: Vec<Uuid> = prepared_registers::table
        .filter(prepared_registers::client_id.eq(owner.as_uuid()))
        .select(prepared_registers::round_id)
        .order(prepared_registers::meeting_id)
        .for_update()
        .load(conn)?;
    let entries = register::table.filter(register::round_id.eq_any(prepared));
    diesel::delete(entries.filter(register::end_user_id.eq(person.as_uuid()))).execute(conn)?;
    Ok(())
}
