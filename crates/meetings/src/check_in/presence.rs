//! The log of who came and went.

use chrono::{DateTime, Utc};
use plenum_kernel::{AccountId, ClientId, DeskId, EndUserId, MeetingId, PresenceEntryId};

use crate::{CheckIn, MeetingStatus};

/// The maximum number of entries of a meeting.
pub const MAX_PRESENCE_ENTRIES: u32 = 200_000;

/// A person came, or went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PresenceKind {
    /// The person came.
    In,
    /// The person went.
    Out,
}

/// The kind of author of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PresenceRole {
    /// An organizer, by hand.
    Organizer,
    /// A desk.
    Desk,
    /// The person, with the code of the presentation.
    Person,
}

/// The author of a new entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PresenceBy {
    /// An organizer.
    Organizer(AccountId),
    /// A desk.
    Desk(DeskId),
    /// The person.
    Person,
}

/// An entry of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PresenceEntry {
    /// The id, made on the device that noted it.
    pub id: PresenceEntryId,
    /// The number among the entries of the meeting, from 1. A later commit has a higher number.
    pub number: u32,
    /// The person.
    pub end_user: EndUserId,
    /// The username at that time.
    pub username: String,
    /// The name at that time.
    pub name: String,
    /// Whether the person came or went.
    pub kind: PresenceKind,
    /// The time at which it happened.
    pub at: DateTime<Utc>,
    /// The time at which the server received it.
    pub noted_at: DateTime<Utc>,
    /// The kind of author.
    pub role: PresenceRole,
    /// The name of the organizer, the desk or the person at that time.
    pub by: String,
}

/// An entry to store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewPresence {
    /// The id.
    pub id: PresenceEntryId,
    /// The client that owns the meeting.
    pub client: ClientId,
    /// The meeting.
    pub meeting: MeetingId,
    /// The person.
    pub end_user: EndUserId,
    /// Whether the person came or went.
    pub kind: PresenceKind,
    /// The time at which it happened, if it was noted without a network.
    pub happened_at: Option<DateTime<Utc>>,
    /// The time.
    pub now: DateTime<Utc>,
    /// The author.
    pub by: PresenceBy,
}

/// The outcome of noting an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PresenceOutcome {
    /// The entry is stored.
    Noted(PresenceEntry),
    /// The entry was stored before, by an earlier request.
    Repeated(PresenceEntry),
    /// The person is in already, by this entry. Nothing is stored.
    AlreadyIn(PresenceEntry),
    /// The person is not in; the entry is the last one of the person, if there is one. Nothing is stored.
    AlreadyOut(Option<PresenceEntry>),
    /// A later entry of the person is stored, so this one, which happened before it, changes nothing. Nothing is stored.
    Overtaken(PresenceEntry),
}

impl PresenceOutcome {
    /// Whether it changed who is present.
    pub fn is_change(&self) -> bool {
        matches!(self, Self::Noted(_))
    }
}

/// The decision about a new entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PresenceVerdict {
    /// Store it, with this time.
    Note(DateTime<Utc>),
    /// The person is in.
    AlreadyIn,
    /// The person is not in.
    AlreadyOut,
    /// A later entry is stored.
    Overtaken,
}

/// Decides about a new entry of a person whose last entry has the time `last`. An entry without a time of its own happens now,
/// and never before the last one: the clocks of two instances may differ.
pub fn decide_presence(new: &NewPresence, is_in: bool, last: Option<DateTime<Utc>>) -> PresenceVerdict {
    match (new.kind, is_in) {
        (PresenceKind::In, true) => return PresenceVerdict::AlreadyIn,
        (PresenceKind::Out, false) => return PresenceVerdict::AlreadyOut,
        _ => {}
    }
    match new.happened_at {
        Some(at) if last.is_some_and(|last| last > at) => PresenceVerdict::Overtaken,
        Some(at) => PresenceVerdict::Note(at),
        None => PresenceVerdict::Note(last.map_or(new.now, |last| last.max(new.now))),
    }
}

/// The reason why nobody can be checked in or out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckInRule {
    /// The meeting has no check-in.
    #[error("check-in is not switched on in this meeting")]
    Off,
    /// The meeting is over or cancelled.
    #[error("the meeting is over")]
    MeetingOver,
    /// The person cannot vote in this meeting.
    #[error("this person may not vote in this meeting")]
    NotEligible,
    /// The log is full.
    #[error("the meeting has 200,000 entries about who came and went, and no room for more")]
    Full,
    /// Voters cannot check themselves in.
    #[error("in this meeting, voters check in at a desk")]
    NoSelfCheckIn,
    /// The code is not the one on the presentation.
    #[error("this is not the code on the presentation; it changes every 30 seconds")]
    WrongCode,
}

/// The content of the QR code with which a desk finds this person. It names them, and is no credential.
pub fn check_in_code(person: EndUserId) -> String {
    format!("PLENUM-IN:{:X}", person.as_uuid().simple())
}

/// Whether a meeting in this state takes entries.
///
/// # Errors
/// Names the rule that forbids it.
pub fn check_taking(check_in: CheckIn, status: MeetingStatus, entries: u32) -> Result<(), CheckInRule> {
    if check_in == CheckIn::Off {
        return Err(CheckInRule::Off);
    }
    if !status.link_is_good() {
        return Err(CheckInRule::MeetingOver);
    }
    if entries >= MAX_PRESENCE_ENTRIES { Err(CheckInRule::Full) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;
    use plenum_kernel::testkit::CountingIds;

    use super::*;

    const NOW: DateTime<Utc> = DateTime::<Utc>::UNIX_EPOCH;

    fn new(kind: PresenceKind, happened_at: Option<DateTime<Utc>>) -> NewPresence {
        let ids = CountingIds::new();
        NewPresence {
            id: PresenceEntryId::new(&ids),
            client: ClientId::new(&ids),
            meeting: MeetingId::new(&ids),
            end_user: EndUserId::new(&ids),
            kind,
            happened_at,
            now: NOW,
            by: PresenceBy::Person,
        }
    }

    #[test]
    fn a_person_comes_once_and_goes_once() {
        let (came, went) = (new(PresenceKind::In, None), new(PresenceKind::Out, None));
        assert_eq!(decide_presence(&came, false, None), PresenceVerdict::Note(NOW));
        assert_eq!(decide_presence(&came, true, Some(NOW)), PresenceVerdict::AlreadyIn);
        assert_eq!(decide_presence(&went, true, Some(NOW)), PresenceVerdict::Note(NOW));
        assert_eq!(decide_presence(&went, false, Some(NOW)), PresenceVerdict::AlreadyOut);
    }

    #[test]
    fn an_entry_that_happened_before_a_stored_one_changes_nothing() {
        let before = NOW - TimeDelta::seconds(30);
        let late = new(PresenceKind::Out, Some(before));
        assert_eq!(decide_presence(&late, true, Some(NOW)), PresenceVerdict::Overtaken);
        let earlier = before - TimeDelta::seconds(1);
        assert_eq!(decide_presence(&late, true, Some(earlier)), PresenceVerdict::Note(before));
    }

    #[test]
    fn an_entry_of_this_moment_is_never_before_the_last_one() {
        let ahead = NOW + TimeDelta::seconds(2);
        assert_eq!(decide_presence(&new(PresenceKind::Out, None), true, Some(ahead)), PresenceVerdict::Note(ahead));
    }

    #[test]
    fn a_meeting_takes_entries_until_its_end() {
        assert_eq!(check_taking(CheckIn::Off, MeetingStatus::Active, 0), Err(CheckInRule::Off));
        for status in [MeetingStatus::Draft, MeetingStatus::Scheduled, MeetingStatus::Active] {
            assert_eq!(check_taking(CheckIn::On, status, 0), Ok(()));
        }
        for status in [MeetingStatus::Completed, MeetingStatus::Cancelled] {
            assert_eq!(check_taking(CheckIn::On, status, 0), Err(CheckInRule::MeetingOver));
        }
        let full = check_taking(CheckIn::On, MeetingStatus::Active, MAX_PRESENCE_ENTRIES);
        assert_eq!(full, Err(CheckInRule::Full));
    }
}
