use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};
use plenum_kernel::{ClientId, EndUserId, MeetingId, PortFailure};

use crate::People;

/// How often it is noted in one meeting who is there, at most.
pub const MAX_ATTENDANCE_NOTES: u64 = 2_000;

/// So many of these are left for what happens in the meeting: however often people come and go, its end is noted.
const LEFT_FOR_EVENTS: u64 = 200;

/// The least time between two notes between which nothing happened, and how soon after its end a meeting is noted.
const PAUSE: TimeDelta = TimeDelta::minutes(1);

/// The attendance at one moment of a meeting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttendanceNote {
    /// The moment.
    pub noted_at: DateTime<Utc>,
    /// Connected people who could vote.
    pub present: People,
    /// All people who could vote.
    pub eligible: People,
}

/// The facts by which [`decide_noting`] decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttendanceFacts {
    /// Whether it is running.
    pub is_active: bool,
    /// When it started or ended, or a round in it was opened or ended, whichever was last.
    pub last_event: Option<DateTime<Utc>>,
    /// How many notes there are.
    pub notes: u64,
    /// When the last note was made.
    pub last_noted_at: Option<DateTime<Utc>>,
    /// The latest `last_event` of all notes: what happened until then is noted.
    pub noted_event: Option<DateTime<Utc>>,
}

/// Whether to write an attendance note.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Noting {
    /// The meeting is not running.
    Over,
    /// Not yet, or not any more because there are too many notes.
    NotYet,
    /// If the numbers are others than those of the last note.
    IfChanged,
    /// In any case.
    Now,
}

/// Decides whether to note who is there: whatever happened since the last note is noted, and otherwise what has changed for
/// a minute. What happened is held against what was noted, and neither against the clock: the instance that looks may have
/// another one than the instance on which it happened.
pub fn decide_noting(facts: &AttendanceFacts, now: DateTime<Utc>) -> Noting {
    let has_event = facts.last_event > facts.noted_event;
    // One that ended long ago has nobody in it whose coming and going could be told from its end.
    let is_fresh = facts.last_event.is_some_and(|event| now - event < PAUSE);
    if !facts.is_active {
        let is_due = has_event && is_fresh && facts.notes < MAX_ATTENDANCE_NOTES;
        return if is_due { Noting::Now } else { Noting::Over };
    }
    let Some(last_noted_at) = facts.last_noted_at else { return Noting::Now };
    if has_event && facts.notes < MAX_ATTENDANCE_NOTES {
        return Noting::Now;
    }
    let is_time = now - last_noted_at >= PAUSE && facts.notes < MAX_ATTENDANCE_NOTES - LEFT_FOR_EVENTS;
    if is_time { Noting::IfChanged } else { Noting::NotYet }
}

/// The outcome of an attendance check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Noted {
    /// The meeting is not running, or there is none.
    Over,
    /// The last check was too recent.
    NotYet,
    /// Somebody makes a step in the meeting at this moment, or notes who is there, which was not waited for.
    Busy,
    /// The numbers are those of the last note.
    Unchanged,
    /// It was noted.
    Noted,
}

/// Stores the attendance of meetings. Asked by meeting alone, as the live snapshot is.
#[async_trait]
pub trait AttendanceStore: Send + Sync {
    /// Asks [`decide_noting`], and if that agrees notes how many of those `connected` may vote, and how many there are
    /// who may: the register of the open round, else those who would be in it if the question on the screen were opened
    /// now. Of several looks at the same moment, also by clocks that differ, one is noted. MUST neither wait for a step
    /// in the meeting nor hold them up for the time that counting takes.
    async fn note(
        &self,
        meeting: MeetingId,
        connected: Vec<EndUserId>,
        now: DateTime<Utc>,
    ) -> Result<Noted, PortFailure>;

    /// The notes of a meeting, the earliest first. `None` when the client has no such meeting.
    async fn list(&self, owner: ClientId, meeting: MeetingId) -> Result<Option<Vec<AttendanceNote>>, PortFailure>;
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: DateTime<Utc> = DateTime::<Utc>::UNIX_EPOCH;

    fn after(seconds: i64) -> DateTime<Utc> {
        START + TimeDelta::seconds(seconds)
    }

    /// A meeting that started, and in which that was noted a second later.
    fn running() -> AttendanceFacts {
        AttendanceFacts {
            is_active: true,
            last_event: Some(START),
            notes: 1,
            last_noted_at: Some(after(1)),
            noted_event: Some(START),
        }
    }

    #[test]
    fn the_start_is_noted() {
        let started = AttendanceFacts { notes: 0, last_noted_at: None, noted_event: None, ..running() };
        assert_eq!(decide_noting(&started, after(1)), Noting::Now);
    }

    #[test]
    fn each_new_event_is_noted_immediately_and_once() {
        let opened = AttendanceFacts { last_event: Some(after(2)), ..running() };
        assert_eq!(decide_noting(&opened, after(2)), Noting::Now);
        let noted = AttendanceFacts { last_noted_at: Some(after(2)), noted_event: Some(after(2)), notes: 2, ..opened };
        assert_eq!(decide_noting(&noted, after(3)), Noting::NotYet);
    }

    #[test]
    fn a_wrong_clock_causes_neither_duplicate_nor_missing_notes() {
        // Opened by a clock that is ahead of the one by which it was noted.
        let opened = AttendanceFacts { last_event: Some(after(7)), noted_event: Some(after(7)), notes: 2, ..running() };
        let noted_behind = AttendanceFacts { last_noted_at: Some(after(2)), ..opened };
        assert_eq!(decide_noting(&noted_behind, after(8)), Noting::NotYet);
        // Ended by a clock that is behind the one by which the opening was noted.
        let ended = AttendanceFacts { last_event: Some(after(9)), last_noted_at: Some(after(20)), ..opened };
        assert_eq!(decide_noting(&ended, after(10)), Noting::Now);
    }

    #[test]
    fn without_events_changed_numbers_are_noted_once_a_minute() {
        assert_eq!(decide_noting(&running(), after(60)), Noting::NotYet);
        assert_eq!(decide_noting(&running(), after(61)), Noting::IfChanged);
    }

    #[test]
    fn a_recent_end_is_noted_and_nothing_after_it() {
        let ended = AttendanceFacts { is_active: false, last_event: Some(after(10)), ..running() };
        assert_eq!(decide_noting(&ended, after(69)), Noting::Now);
        assert_eq!(decide_noting(&ended, after(70)), Noting::Over);
        let noted = AttendanceFacts { last_noted_at: Some(after(11)), noted_event: Some(after(10)), ..ended };
        assert_eq!(decide_noting(&noted, after(12)), Noting::Over);
        let never_started =
            AttendanceFacts { last_event: None, notes: 0, last_noted_at: None, noted_event: None, ..ended };
        assert_eq!(decide_noting(&never_started, after(12)), Noting::Over);
    }

    #[test]
    fn the_number_of_notes_is_limited_and_the_last_are_reserved_for_events() {
        let crowded = AttendanceFacts { notes: MAX_ATTENDANCE_NOTES - LEFT_FOR_EVENTS, ..running() };
        assert_eq!(decide_noting(&crowded, after(1_000)), Noting::NotYet);
        let opened = AttendanceFacts { last_event: Some(after(999)), ..crowded };
        assert_eq!(decide_noting(&opened, after(1_000)), Noting::Now);
        let full = AttendanceFacts { notes: MAX_ATTENDANCE_NOTES, ..opened };
        assert_eq!(decide_noting(&full, after(1_000)), Noting::NotYet);
        assert_eq!(decide_noting(&AttendanceFacts { is_active: false, ..full }, after(1_000)), Noting::Over);
    }
}
