//! Erases the personal data of end users.

use chrono::{DateTime, Utc};
use diesel::dsl::{exists, sql};
use diesel::prelude::*;
use diesel::sql_types::{Nullable, Timestamptz};
use plenum_clients::{EndUser, EraseEndUserError, ErasedBy, Erasure};
use plenum_kernel::ClientId;
use uuid::Uuid;

use super::end_users::{EndUserRow, is_voting_now};
use super::open_votes::lock_running_meetings;
use crate::pool::failure::{Abort, violated_constraint};
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
    let Erasure { id, by, password } = erasure;
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
    if end_user.is_erased {
        return Err(Abort::Refused(EraseEndUserError::AlreadyErased));
    }
    let (is_wanted, refusal) = match by {
        ErasedBy::Organizer(typed) => (typed == end_user.username, EraseEndUserError::OtherUsername),
        // The person may have come back since the rule found them.
        ErasedBy::Rule(before) => (is_inactive_since(conn, &end_user, before)?, EraseEndUserError::NotFound),
    };
    if !is_wanted {
        return Err(Abort::Refused(refusal));
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
        .execute(conn)
        .map_err(|error| match violated_constraint(&error) {
            Some("end_users_client_id_username_key") => Abort::Refused(EraseEndUserError::UsernameTaken),
            _ => error.into(),
        })?;
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

/// Whether the locked end user was deactivated before this time and has not signed in since, as the rule lists people.
fn is_inactive_since(conn: &mut PgConnection, end_user: &EndUser, before: DateTime<Utc>) -> QueryResult<bool> {
    let inactive_since: Option<DateTime<Utc>> =
        end_users::table.find(end_user.id.as_uuid()).select(end_users::inactive_since).first(conn)?;
    let is_before = |time: DateTime<Utc>| time < before;
    Ok(!end_user.is_active && inactive_since.is_some_and(is_before) && end_user.last_login_at.is_none_or(is_before))
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
