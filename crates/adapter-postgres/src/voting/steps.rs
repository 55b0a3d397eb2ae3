//! Steps of organizers: what changes the screen of a meeting, one after the other.

use chrono::{DateTime, Utc};
use diesel::dsl::max;
use diesel::prelude::*;
use plenum_kernel::{ClientId, MeetingId, Step};
use plenum_meetings::MeetingStatus;
use plenum_voting::{Closing, CountdownContext, MAX_CLOSINGS, RoundStatus, not_before};
use uuid::Uuid;

use crate::meetings::rows::{meeting_status_text, step_number};
use crate::schema::{meetings, round_log, rounds};
use crate::voting::rows::{end_running_round, hold_back_ballots, round_status_text};

/// A meeting that is locked: whoever makes a step in it waits here, so that each step is decided on the state after the
/// one before.
pub(crate) struct LockedMeeting {
    pub(crate) id: Uuid,
    client: Uuid,
    pub(crate) is_active: bool,
    pub(crate) step: Step,
    /// The question on its screen.
    pub(crate) current: Option<Uuid>,
}

type Columns = (Uuid, Uuid, String, i64, Option<Uuid>);

impl LockedMeeting {
    /// Locks the client's meeting.
    pub(crate) fn lock(conn: &mut PgConnection, owner: Uuid, meeting: Uuid) -> QueryResult<Option<Self>> {
        let row: Option<Columns> = meetings::table
            .find(meeting)
            .filter(meetings::client_id.eq(owner))
            .select((
                meetings::id,
                meetings::client_id,
                meetings::status,
                meetings::step,
                meetings::current_question_id,
            ))
            .for_update()
            .first(conn)
            .optional()?;
        row.map(Self::read).transpose()
    }

    /// Locks the client's meeting, unless somebody else has locked it.
    fn try_lock(conn: &mut PgConnection, owner: Uuid, meeting: Uuid) -> QueryResult<Option<Self>> {
        let row: Option<Columns> = meetings::table
            .find(meeting)
            .filter(meetings::client_id.eq(owner))
            .select((
                meetings::id,
                meetings::client_id,
                meetings::status,
                meetings::step,
                meetings::current_question_id,
            ))
            .for_update()
            .skip_locked()
            .first(conn)
            .optional()?;
        row.map(Self::read).transpose()
    }

    fn read((id, client, status, step, current): Columns) -> QueryResult<Self> {
        let is_active = status == meeting_status_text(MeetingStatus::Active);
        Ok(Self { id, client, is_active, step: step_number(step)?, current })
    }

    /// Its open round with its closing time.
    pub(crate) fn open_round(&self, conn: &mut PgConnection) -> QueryResult<Option<(Uuid, Option<DateTime<Utc>>)>> {
        rounds::table
            .filter(rounds::meeting_id.eq(self.id).and(rounds::status.eq(round_status_text(RoundStatus::Open))))
            .select((rounds::id, rounds::closes_at))
            .first(conn)
            .optional()
    }

    /// The time of what is done in it now, as [`time_in`] says.
    pub(crate) fn time(&self, conn: &mut PgConnection, now: DateTime<Utc>) -> QueryResult<DateTime<Utc>> {
        time_in(conn, self.client, self.id, now)
    }

    /// Makes a step, after which this question, or none, is on the screen.
    pub(crate) fn take_step(&self, conn: &mut PgConnection, question: Option<Uuid>) -> QueryResult<()> {
        diesel::update(meetings::table.find(self.id))
            .set((meetings::current_question_id.eq(question), meetings::step.eq(meetings::step + 1)))
            .execute(conn)?;
        Ok(())
    }
}

/// The time of what is done in a locked meeting: `now`, which was taken before the lock, or, if somebody else came first
/// and is logged later than that, the moment after. So logs tell in the order in which it was done.
pub(crate) fn time_in(
    conn: &mut PgConnection,
    client: Uuid,
    meeting: Uuid,
    now: DateTime<Utc>,
) -> QueryResult<DateTime<Utc>> {
    let last: Option<DateTime<Utc>> = round_log::table
        .inner_join(rounds::table.on(rounds::id.eq(round_log::round_id)))
        .filter(rounds::client_id.eq(client).and(rounds::meeting_id.eq(meeting)))
        .select(max(round_log::logged_at))
        .first(conn)?;
    Ok(last.map_or(now, |last| not_before(last, now)))
}

/// Waits for those who are counting a round of a locked meeting that has ended: what they note comes before what is done
/// next. An open round is not locked in this way, because ballots come in without a pause.
pub(crate) fn lock_ended_round(conn: &mut PgConnection, round: Uuid) -> QueryResult<()> {
    rounds::table.find(round).select(rounds::id).for_update().first::<Uuid>(conn)?;
    Ok(())
}

/// What matters of a locked meeting for a countdown, and its open round.
pub(crate) fn running(
    conn: &mut PgConnection,
    meeting: &LockedMeeting,
    seen: Option<Step>,
) -> QueryResult<(CountdownContext, Option<Uuid>)> {
    let open = meeting.open_round(conn)?;
    let closes_at = open.and_then(|(_, closes_at)| closes_at);
    let running = CountdownContext { is_stale: meeting.step.has_passed(seen), is_open: open.is_some(), closes_at };
    Ok((running, open.map(|(round, _)| round)))
}

/// Lets an open round of a locked meeting end at this time, or not by itself. Ballots share the lock of the round's row,
/// and the later ones have to be held back, as at its end.
pub(crate) fn set_closing(conn: &mut PgConnection, round: Uuid, closes_at: Option<DateTime<Utc>>) -> QueryResult<()> {
    hold_back_ballots(conn, round)?;
    diesel::update(rounds::table.find(round)).set(rounds::closes_at.eq(closes_at)).execute(conn)?;
    Ok(())
}

/// The rounds that end by themselves until then, the earliest first. The index of countdowns holds nothing else.
pub(crate) fn closings_until(conn: &mut PgConnection, until: DateTime<Utc>) -> QueryResult<Vec<Closing>> {
    let rows: Vec<(Uuid, Uuid, DateTime<Utc>)> = rounds::table
        .filter(rounds::closes_at.is_not_null().and(rounds::closes_at.assume_not_null().le(until)))
        .order((rounds::closes_at, rounds::id))
        .limit(MAX_CLOSINGS as i64)
        .select((rounds::client_id, rounds::meeting_id, rounds::closes_at.assume_not_null()))
        .load(conn)?;
    let closing = |(client, meeting, closes_at)| Closing {
        client_id: ClientId::from_uuid(client),
        meeting_id: MeetingId::from_uuid(meeting),
        closes_at,
    };
    Ok(rows.into_iter().map(closing).collect())
}

/// Ends the running round of the client's meeting if its time has come, and says whether it did. Somebody who has locked
/// the meeting may end it, move its time, or take it off: that is seen when this is asked again.
pub(crate) fn end_due(conn: &mut PgConnection, owner: Uuid, meeting: Uuid, now: DateTime<Utc>) -> QueryResult<bool> {
    let Some(meeting) = LockedMeeting::try_lock(conn, owner, meeting)? else { return Ok(false) };
    let is_due = meeting.open_round(conn)?.and_then(|(_, closes_at)| closes_at).is_some_and(|time| time <= now);
    if is_due {
        let now = meeting.time(conn, now)?;
        end_running_round(conn, meeting.id, None, now)?;
        meeting.take_step(conn, meeting.current)?;
    }
    Ok(is_due)
}
