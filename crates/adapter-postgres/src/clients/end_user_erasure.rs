//! Erases the personal data of end users.

use diesel::dsl::{exists, sql};
use diesel::prelude::*;
use diesel::sql_types::{Nullable, Timestamptz};
use plenum_clients::{EndUser, EraseEndUserError, Erasure};
use plenum_kernel::ClientId;
use uuid::Uuid;

use super::end_users::{EndUserRow, is_voting_now};
use super::open_votes::lock_running_meetings;
use crate::pool::failure::Abort;
use crate::rows::end_user_owner::is_of;
use crate::schema::{
    end_users, group_members, invitations, meetings, participants, proxies, rehearsal_answers, sessions,
};
use crate::voting::prepared_registers::forget_prepared;

/// Erases one end user. Waits for openings of rounds, and holds back further ones: a register that is frozen meanwhile either has
/// the names, or the opening refuses the person.
pub(super) fn erase(
    conn: &mut PgConnection,
    owner: ClientId,
    erasure: Erasure,
) -> Result<(), Abort<EraseEndUserError>> {
    let Erasure { id, confirmed, password } = erasure;
    let running = lock_running_meetings(conn, owner)?;
    let row: EndUserRow = end_users::table
        .find(id.as_uuid())
        .filter(is_of(owner))
        .select(EndUserRow::as_select())
        .for_update()
        .first(conn)
        .optional()?
        .ok_or(Abort::Refused(EraseEndUserError::NotFound))?;
    let end_user = EndUser::from(row);
    if end_user.is_erased() {
        return Err(Abort::Refused(EraseEndUserError::AlreadyErased));
    }
    if confirmed.is_some_and(|typed| typed != end_user.username) {
        return Err(Abort::Refused(EraseEndUserError::OtherUsername));
    }
    if is_voting_now(conn, running.clone(), id)? {
        return Err(Abort::Refused(EraseEndUserError::VotingNow));
    }
    if takes_part(conn, &running, &end_user)? {
        return Err(Abort::Refused(EraseEndUserError::InRunningMeeting));
    }
    diesel::update(end_users::table.find(id.as_uuid()))
        .set((
            EndUserRow::from(&end_user.erased()),
            end_users::password_hash.eq(password.as_str()),
            end_users::erased_at.eq(sql::<Nullable<Timestamptz>>("now()")),
        ))
        .execute(conn)?;
    diesel::delete(invitations::table.filter(invitations::end_user_id.eq(id.as_uuid()))).execute(conn)?;
    diesel::delete(rehearsal_answers::table.filter(rehearsal_answers::end_user_id.eq(id.as_uuid()))).execute(conn)?;
    diesel::delete(group_members::table.filter(group_members::end_user_id.eq(id.as_uuid()))).execute(conn)?;
    forget_prepared(conn, owner, id)?;
    // With the instructions. Rounds that were opened keep the name of the holder, as they keep the register.
    let of_person = proxies::principal_id.eq(id.as_uuid()).or(proxies::holder_id.eq(id.as_uuid()));
    diesel::delete(proxies::table.filter(proxies::client_id.eq(owner.as_uuid())).filter(of_person)).execute(conn)?;
    // With their refresh tokens.
    diesel::delete(sessions::table.filter(sessions::end_user_id.eq(id.as_uuid()))).execute(conn)?;
    Ok(())
}

/// Whether somebody takes part in one of these meetings: as a participant, or as one of everybody.
fn takes_part(conn: &mut PgConnection, running: &[Uuid], end_user: &EndUser) -> QueryResult<bool> {
    let listed = participants::table
        .filter(participants::meeting_id.eq_any(running))
        .filter(participants::end_user_id.eq(end_user.id.as_uuid()));
    if diesel::select(exists(listed)).get_result(conn)? {
        return Ok(true);
    }
    let for_everybody =
        meetings::table.filter(meetings::id.eq_any(running)).filter(diesel::dsl::not(meetings::has_participant_list));
    Ok(end_user.is_active && diesel::select(exists(for_everybody)).get_result(conn)?)
}
