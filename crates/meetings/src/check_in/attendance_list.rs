//! The list of who is present, for organizers and desks.

use chrono::{DateTime, Utc};
use plenum_kernel::{EndUserId, PageRequest, SearchText};
use rust_decimal::Decimal;

use crate::{People, PresenceEntry};

/// The maximum number of people of one page of a desk.
pub const MAX_DESK_PAGE: u32 = 1_000;

/// The people to list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PresenceFilter {
    /// People who are present.
    Present,
    /// People who are not present.
    Absent,
}

/// The filter of an attendance list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AttendanceFilter {
    /// Text to find in the name or username.
    pub search: Option<SearchText>,
    /// Only present or only absent people.
    pub presence: Option<PresenceFilter>,
    /// The page. All without one.
    pub page: Option<PageRequest>,
}

/// A person who may vote in a meeting or holds proxies in it, and whether they are present.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attendee {
    /// The end user.
    pub id: EndUserId,
    /// The name.
    pub name: String,
    /// The username.
    pub username: String,
    /// The weight. 0 without a vote.
    pub weight: Decimal,
    /// Whether the person may vote, and not only hold proxies.
    pub may_vote: bool,
    /// The names of the person's groups, in order.
    pub groups: Vec<String>,
    /// The number of proxies in the meeting that the person holds, for all of it or for some questions.
    pub proxies: u64,
    /// The names of those to whom the person gave a proxy for the meeting, for all of it or for some questions.
    pub holders: Vec<String>,
    /// The check-in, if the person is present: the time, and the name of its author.
    pub present: Option<PresentSince>,
}

/// The check-in of a present person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PresentSince {
    /// The time.
    pub at: DateTime<Utc>,
    /// The time at which the server stored it: later for an entry of a desk without a network.
    pub noted_at: DateTime<Utc>,
    /// The organizer, the desk or the person.
    pub by: String,
    /// The number of the entry.
    pub number: u32,
}

/// Present people, and all who may vote.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AttendanceTotals {
    /// Present people.
    pub present: People,
    /// All people who may vote.
    pub eligible: People,
    /// The number of entries in the log.
    pub entries: u32,
}

/// A page of an attendance list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttendancePage {
    /// The people.
    pub rows: Vec<Attendee>,
    /// The number of people that match the filter.
    pub total: u64,
    /// The totals, whatever the filter.
    pub totals: AttendanceTotals,
}

/// The people and the log of a meeting, for files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttendanceRecord {
    /// The people, by name. Their groups and proxies are left out.
    pub people: Vec<Attendee>,
    /// All entries, in the order of their storing.
    pub log: Vec<PresenceEntry>,
}
