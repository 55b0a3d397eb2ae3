use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};
use plenum_kernel::{ClientId, EndUserId, MeetingId, NotedQuorum, PortFailure};

use crate::People;

/// The maximum number of attendance notes of a meeting.
pub const MAX_ATTENDANCE_NOTES: u64 = 2_000;

/// The part of them that is reserved for events. So the end of the meeting is recorded even if people come and go
/// often.
const LEFT_FOR_EVENTS: u64 = 200;

/// The minimum time between two notes without an event between them, and the time after the end in which it is noted.
const PAUSE: TimeDelta = TimeDelta::minutes(1);

/// The attendance at one moment of a meeting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttendanceNote {
    /// The time.
    pub noted_at: DateTime<Utc>,
    /// The connected eligible people.
    pub present: People,
    /// The eligible people who are not present, while the holder of their proxy is.
    pub represented: People,
    /// All eligible people.
    pub eligible: People,
    /// The quorum by which it is measured: that of the meeting at this moment, on its first or second call.
    pub quorum: NotedQuorum,
}

/// The facts by which [`decide_noting`] decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttendanceFacts {
    /// Whether it is running.
    pub is_active: bool,
    /// The last event: a start or end of the meeting or of a round.
    pub last_event: Option<DateTime<Utc>>,
    /// The number of notes.
    pub notes: u64,
    /// The time of the last note.
    pub last_noted_at: Option<DateTime<Utc>>,
    /// The latest event that has a note.
    pub noted_event: Option<DateTime<Utc>>,
}

/// Whether to write an attendance note.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Noting {
    /// The meeting is not running.
    Over,
    /// Not yet, or no longer, because there are too many notes.
    NotYet,
    /// If the numbers differ from the last note.
    IfChanged,
    /// In any case.
    Now,
}

/// Decides whether to write an attendance note: after each event, and otherwise once a minute if the numbers changed.
/// Events are compared with noted events, not with the clock, because the clocks of instances differ.
pub fn decide_noting(facts: &AttendanceFacts, now: DateTime<Utc>) -> Noting {
    let has_event = facts.last_event > facts.noted_event;
    // Long after the end, changed numbers mean nothing.
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
    /// Another transaction holds the meeting. The check did not wait for it.
    Busy,
    /// The numbers equal the last note.
    Unchanged,
    /// A note was written.
    Noted,
}

/// Stores the attendance of meetings. The caller needs no client, as for the live snapshot.
#[async_trait]
pub trait AttendanceStore: Send + Sync {
    /// Asks [`decide_noting`], and if that permits it, records the connected eligible people, those whom they represent, and all
    /// eligible people: the register of the open round, otherwise the people who would be in it if the current question opened now.
    /// The note keeps the meeting's quorum of that moment. Of several checks at the same moment, also with different clocks, one
    /// writes a note. MUST neither wait for a step in the meeting nor block one while it counts.
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

    /// A meeting whose start was recorded a second later.
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
        // Opened with a clock ahead of the one of the note.
        let opened = AttendanceFacts { last_event: Some(after(7)), noted_event: Some(after(7)), notes: 2, ..running() };
        let noted_behind = AttendanceFacts { last_noted_at: Some(after(2)), ..opened };
        assert_eq!(decide_noting(&noted_behind, after(8)), Noting::NotYet);
        // Ended with a clock behind the one that recorded the opening.
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
