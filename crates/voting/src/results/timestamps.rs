use async_trait::async_trait;
use chrono::{DateTime, Utc};
use plenum_kernel::{ClientId, MeetingId, PortFailure};

/// A record of a declared result or of the end of a meeting that has no timestamp.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnstampedRecord {
    /// The client.
    pub client: ClientId,
    /// The meeting.
    pub meeting: MeetingId,
    /// The hash of the record, in hexadecimal.
    pub hash: String,
}

/// The timestamp of a record hash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredTimestamp {
    /// The hash of the record, in hexadecimal.
    pub hash: String,
    /// The token of the authority, by RFC 3161.
    pub token: Vec<u8>,
    /// The name of the authority.
    pub authority: String,
    /// The time at which the authority saw the hash.
    pub at: DateTime<Utc>,
}

/// A timestamp that was received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewTimestamp {
    /// The client of the record.
    pub client: ClientId,
    /// The meeting of the record.
    pub meeting: MeetingId,
    /// The timestamp.
    pub timestamp: StoredTimestamp,
    /// When it was requested.
    pub requested_at: DateTime<Utc>,
    /// When it was received.
    pub received_at: DateTime<Utc>,
}

/// The highest number of waiting records that is counted. A queue can be longer after years without a timestamp service.
pub const MAX_COUNTED_WAITING: u32 = 10_000;

/// The timestamps of records. The records without one are the queue. Each call is one transaction.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait RecordTimestamps: Send + Sync {
    /// Records of all clients without a timestamp, the oldest first. At most `limit`.
    async fn waiting(&self, limit: u32) -> Result<Vec<UnstampedRecord>, PortFailure>;

    /// The number of records of all clients without a timestamp; [`MAX_COUNTED_WAITING`] also if there are more.
    async fn count_waiting(&self) -> Result<u64, PortFailure>;

    /// Keeps a timestamp. Returns whether it was kept: the first one of a record stays, and one of a record that is gone is
    /// dropped.
    async fn keep(&self, new: NewTimestamp) -> Result<bool, PortFailure>;

    /// The timestamps of a meeting's records, in the order of their times and then of their hashes.
    async fn of_meeting(&self, owner: ClientId, meeting: MeetingId) -> Result<Vec<StoredTimestamp>, PortFailure>;
}
