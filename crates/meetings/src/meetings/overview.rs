//! Meetings in lists, with their clients and counts.

use plenum_kernel::{ClientId, is_test_name};

use crate::Meeting;

/// The public facts about the client of a meeting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeetingClient {
    /// Its id.
    pub id: ClientId,
    /// Its name.
    pub name: String,
    /// Its public code.
    pub code: String,
}

impl MeetingClient {
    /// Whether it is test data by its current name. Then its statistics include its test data.
    pub fn is_test(&self) -> bool {
        is_test_name(&self.name)
    }
}

/// A meeting with the further columns of lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeetingOverview {
    /// The meeting itself.
    pub meeting: Meeting,
    /// The client that owns it.
    pub client: MeetingClient,
    /// The number of participants: the people on the list, or every active end user without a list.
    pub participant_count: u64,
    /// The number of questions on the agenda.
    pub question_count: u64,
}

/// The number of a client's meetings in each status, without test data, unless the client is test data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MeetingStats {
    /// All meetings.
    pub total: u64,
    /// In preparation.
    pub draft: u64,
    /// Announced.
    pub scheduled: u64,
    /// Running.
    pub active: u64,
    /// Over.
    pub completed: u64,
    /// Cancelled.
    pub cancelled: u64,
}
