use chrono::{DateTime, Utc};
use plenum_kernel::{ClientId, MeetingId};
use uuid::Uuid;

use crate::{MeetingRecord, RecordHead, RecordLink, SealedRecord};

/// A meeting that ends, with everything that its closing record contains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Closable {
    /// The client that owns it.
    pub client: ClientId,
    /// The meeting at its end.
    pub meeting: MeetingRecord,
    /// The records of its declared results, in the order of their numbers.
    pub records: Vec<RecordHead>,
    /// The links to its previous closing record and to the audit log.
    pub link: RecordLink,
    /// The time of the record.
    pub at: DateTime<Utc>,
    /// Whether it ended before there were closing records.
    pub is_later: bool,
}

/// A closing record as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredClosing {
    /// The client.
    pub client: ClientId,
    /// The meeting.
    pub meeting: MeetingId,
    /// The position among the closing records of the meeting, from 1.
    pub number: u32,
    /// The document, its hash and its signature.
    pub sealed: SealedRecord,
}

/// The subject of an amendment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AmendedSubject {
    /// The meeting.
    Meeting,
    /// A question.
    Question,
    /// A remark.
    Remark,
    /// A result that was declared.
    Result,
}

/// A change after the end of a meeting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotedAmendment {
    /// The position among the amendments of the meeting, from 1.
    pub number: u32,
    /// The number of the closing record that it amends.
    pub closing: u32,
    /// The time.
    pub at: DateTime<Utc>,
    /// The name of the organizer. `None` for a change without a signed-in person.
    pub by: Option<String>,
    /// The kind of the changed object.
    pub subject: AmendedSubject,
    /// The id of the changed object.
    pub subject_id: Uuid,
    /// The changed field.
    pub field: String,
    /// The text before.
    pub was: Option<String>,
    /// The text after.
    pub became: Option<String>,
}
