//! Steps of organizers: changes of a meeting's screen, one at a time.

use chrono::{DateTime, Utc};
use diesel::prelude::*;
use plenum_kernel::{ClientId, MeetingId, Step};
use plenum_meetings::MeetingStatus;
use plenum_voting::{CountdownContext, MAX_DEADLINES, RoundDeadline, not_before};
use uuid::Uuid;

use crate::meetings::rows::{meeting_status_text, step_number};
use crate::schema::{meetings, rounds};
use crate::voting::round_log::last_logged;
use crate::voting::rows::{end_running_round, is_open, lock_ballots};

/// A locked meeting. Each step waits for this lock, so that it is decided on the state after the previous step.
pub(crate) struct LockedMeeting {
    pub(crate) id: Uuid,
    pub(crate) is_active: bool,
    pub(crate) step: Step,
    /// The question on its screen.
    pub(crate) current: Option<Uuid>,
}

type Columns = (Uuid, String, i64, Option<Uuid>);

impl LockedMeeting {
    /// Locks the client's meeting.
    pub(crate) fn lock(conn: &mut PgConnection, owner: Uuid, meeting: Uuid) -> QueryResult<Option<Self>> {
        let row: Option<Columns> = meetings::table
            .find(meeting)
            .filter(meetings::client_id.eq(owner))
            .select((meetings::id, meetings::status, meetings::step, meetings::current_question_id))
            .for_update()
            .first(conn)
            .optional()?;
        row.map(Self::read).transpose()
    }

    /// Locks the client's meeting, unless another transaction has locked it.
    fn try_lock(conn: &mut PgConnection, owner: Uuid, meeting: Uuid) -> QueryResult<Option<Self>> {
        let row: Option<Columns> = meetings::table
            .find(meeting)
            .filter(meetings::client_id.eq(owner))
            .select((meetings::id, meetings::status, meetings::step, meetings::current_question_id))
            .for_update()
            .skip_locked()
            .first(conn)
            .optional()?;
        row.map(Self::read).transpose()
    }

    fn read((id, status, step, current): Columns) -> QueryResult<Self> {
        let is_active = status == meeting_status_text(MeetingStatus::Active);
        Ok(Self { id, is_active, step: step_number(step)?, current })
    }

    /// Its open round with the closing time.
    pub(crate) fn open_round(&self, conn: &mut PgConnection) -> QueryResult<Option<(Uuid, Option<DateTime<Utc>>)>> {
        rounds::table
            .filter(rounds::meeting_id.eq(self.id).and(is_open()))
            .select((rounds::id, rounds::closes_at))
            .first(conn)
            .optional()
    }

    /// The time of an action in it now, as [`time_in`] returns it.
    pub(crate) fn time(&self, conn: &mut PgConnection, now: DateTime<Utc>) -> QueryResult<DateTime<Utc>> {
        time_in(conn, self.id, now)
    }

    /// Makes a step. Afterwards this question, or none, is on the screen.
    pub(crate) fn take_step(&self, conn: &mut PgConnection, question: Option<Uuid>) -> QueryResult<()> {
        diesel::update(meetings::table.find(self.id))
            .set((meetings::current_question_id.eq(question), meetings::step.eq(meetings::step + 1)))
            .execute(conn)?;
        Ok(())
    }
}

/// The time of an action in a locked meeting: `now`, which was taken before the lock, or the moment after the last logged
/// action if that is later. So logs have the order of the actions.
pub(crate) fn time_in(conn: &mut PgConnection, meeting: Uuid, now: DateTime<Utc>) -> QueryResult<DateTime<Utc>> {
    let last = last_logged(conn, vec![meeting], now)?;
    Ok(last.map_or(now, |last| not_before(last, now)))
}

/// The state of a locked meeting for a countdown, with its open round.
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

/// Sets or removes the closing time of an open round in a locked meeting. Ballots share the lock of the round's row, so
/// later ones are held, as at its end.
pub(crate) fn set_closing(conn: &mut PgConnection, round: Uuid, closes_at: Option<DateTime<Utc>>) -> QueryResult<()> {
    lock_ballots(conn, round)?;
    diesel::update(rounds::table.find(round)).set(rounds::closes_at.eq(closes_at)).execute(conn)?;
    Ok(())
}

/// The rounds with a closing time up to then, the earliest first. The index of countdowns contains no others.
pub(crate) fn deadlines_until(conn: &mut PgConnection, until: DateTime<Utc>) -> QueryResult<Vec<RoundDeadline>> {
    let rows: Vec<(Uuid, Uuid, DateTime<Utc>)> = rounds::table
        .filter(rounds::closes_at.is_not_null().and(rounds::closes_at.assume_not_null().le(until)))
        .order((rounds::closes_at, rounds::id))
        .limit(MAX_DEADLINES as i64)
        .select((rounds::client_id, rounds::meeting_id, rounds::closes_at.assume_not_null()))
        .load(conn)?;
    let deadline = |(client, meeting, closes_at)| RoundDeadline {
        client_id: ClientId::from_uuid(client),
        meeting_id: MeetingId::from_uuid(meeting),
        closes_at,
    };
    Ok(rows.into_iter().map(deadline).collect())
}

/// Ends the open round of the client's meeting if its time has come, and returns whether it did. A transaction that has
/// locked the meeting may end it or change its time; the next call sees that.
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
