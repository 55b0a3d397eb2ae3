//! Timestamps of record hashes: the queue that gets them, and what records, files and screens show of them.

use std::collections::HashMap;
use std::sync::Arc;

use async_trait::async_trait;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chrono::{DateTime, Utc};
use plenum_kernel::{ClientId, Clock, MeetingId, PortFailure};
use plenum_result_format::{RoundFile, RoundResult, SealedClosing, TimestampMark, from_hexadecimal};
use plenum_timestamp_format::{BadToken, TimestampToken};
use plenum_voting::{NewTimestamp, RecordTimestamps, StoredTimestamp};

/// A timestamp of a hash, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IssuedTimestamp {
    /// The token, by RFC 3161.
    pub token: Vec<u8>,
    /// The name of the authority, by its certificate.
    pub authority: String,
    /// The time at which the authority saw the hash.
    pub at: DateTime<Utc>,
}

/// Why there is no timestamp: a clause about the authority, such as "it does not answer in time".
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct AuthorityFailure(pub String);

/// An authority that signs that it has seen a hash.
#[async_trait]
pub trait TimestampAuthority: Send + Sync {
    /// A timestamp of this SHA-256, in hexadecimal. It is checked: about this hash, and signed by the authority.
    async fn timestamp(&self, hash: &str) -> Result<IssuedTimestamp, AuthorityFailure>;
}

/// The outcome of one pass over the queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimestampTurn {
    /// The number of records that got a timestamp.
    pub kept: usize,
    /// The number of records that still wait.
    pub waiting: u64,
    /// Why the turn ended early.
    pub failure: Option<AuthorityFailure>,
}

/// Gets timestamps for the records that have none. Several instances may do so at the same time: the first timestamp of a record
/// stays.
pub struct TimestampQueue {
    store: Arc<dyn RecordTimestamps>,
    authority: Arc<dyn TimestampAuthority>,
    clock: Arc<dyn Clock>,
}

impl TimestampQueue {
    /// The most records of a turn.
    pub const MOST: u32 = 20;

    /// The queue of this store.
    pub fn new(
        store: Arc<dyn RecordTimestamps>,
        authority: Arc<dyn TimestampAuthority>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self { store, authority, clock }
    }

    /// Asks for the timestamps of the records that have waited for the longest time. Ends at the first failure of the authority,
    /// which concerns the others, too.
    ///
    /// # Errors
    /// Fails when the store does not respond.
    pub async fn turn(&self) -> Result<TimestampTurn, PortFailure> {
        let (mut kept, mut answered, mut failure) = (0, 0, None);
        let records = self.store.waiting(Self::MOST).await?;
        let found = records.len();
        for record in records {
            let requested_at = self.clock.now();
            match self.authority.timestamp(&record.hash).await {
                Ok(IssuedTimestamp { token, authority, at }) => {
                    let timestamp = StoredTimestamp { hash: record.hash, token, authority, at };
                    let (client, meeting, received_at) = (record.client, record.meeting, self.clock.now());
                    let new = NewTimestamp { client, meeting, timestamp, requested_at, received_at };
                    kept += usize::from(self.store.keep(new).await?);
                    answered += 1;
                }
                Err(reason) => {
                    failure = Some(reason);
                    break;
                }
            }
        }
        // Fewer than a turn takes were all that waited, so an idle queue is not counted again.
        let waiting =
            if found < Self::MOST as usize { (found - answered) as u64 } else { self.store.count_waiting().await? };
        Ok(TimestampTurn { kept, waiting, failure })
    }
}

/// The valid timestamps of a meeting's records.
#[derive(Clone, Debug, Default)]
pub struct MeetingTimestamps(HashMap<String, ShownTimestamp>);

#[derive(Clone, Debug)]
struct ShownTimestamp {
    mark: TimestampMark,
    token: Vec<u8>,
}

impl MeetingTimestamps {
    /// Those of this meeting. What is no timestamp of a record is left out; the check of the database names it.
    ///
    /// # Errors
    /// Fails when the store does not respond.
    pub async fn load(store: &dyn RecordTimestamps, client: ClientId, meeting: MeetingId) -> Result<Self, PortFailure> {
        let stored = store.of_meeting(client, meeting).await?;
        let shown = |stored: StoredTimestamp| {
            let TimestampToken { authority, at, .. } = read_timestamp(&stored).ok()?;
            Some((stored.hash, ShownTimestamp { mark: TimestampMark { authority, at }, token: stored.token }))
        };
        Ok(Self(stored.into_iter().filter_map(shown).collect()))
    }

    /// Adds the timestamp of its record to a result.
    pub fn add_to_result(&self, result: &mut RoundResult) {
        if let Some(mark) = &mut result.record {
            mark.timestamp = self.0.get(&mark.hash).map(|shown| shown.mark.clone());
        }
    }

    /// Adds the timestamp and the token of its record to a round in a file.
    pub(crate) fn add_to_file(&self, round: &mut RoundFile) {
        let hash = round.result.record.as_ref().map(|mark| mark.hash.clone());
        let (Some(seal), Some(shown)) = (&mut round.seal, hash.and_then(|hash| self.0.get(&hash))) else { return };
        seal.timestamp_token = Some(STANDARD.encode(&shown.token));
        self.add_to_result(&mut round.result);
    }

    /// Adds its timestamp and token to a closing record.
    pub(crate) fn add_to_closing(&self, closing: &mut SealedClosing) {
        if let Some(shown) = self.0.get(&closing.hash) {
            closing.timestamp = Some(shown.mark.clone());
            closing.timestamp_token = Some(STANDARD.encode(&shown.token));
        }
    }
}

/// Checks a stored token.
///
/// # Errors
/// Says why it is no timestamp of its hash.
pub(crate) fn read_timestamp(stored: &StoredTimestamp) -> Result<TimestampToken, BadToken> {
    let hash = from_hexadecimal(&stored.hash).and_then(|bytes| <[u8; 32]>::try_from(bytes).ok());
    TimestampToken::read(&stored.token, &hash.ok_or(BadToken::Imprint)?)
}
