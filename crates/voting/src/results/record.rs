use async_trait::async_trait;
use chrono::{DateTime, Utc};
use plenum_kernel::{ClientId, MeetingId, PortFailure, RoundId};

use crate::{Closable, MeetingRecord, Purgeable, RoundPapers, StoredClosing};

/// A declared round with everything that its record contains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recordable {
    /// The client that owns the meeting.
    pub client: ClientId,
    /// The meeting at the time of the record. Its attendance and remarks are not part of the record.
    pub meeting: MeetingRecord,
    /// The result, register and ballots.
    pub papers: RoundPapers,
    /// The links to the previous record and to the audit log.
    pub link: RecordLink,
    /// The time of the record.
    pub at: DateTime<Utc>,
    /// Whether the result was declared before there were records.
    pub is_later: bool,
}

/// The links of a record to the previous record and to the audit log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordLink {
    /// The position among the records of the meeting, from 1.
    pub number: u32,
    /// The hash of the meeting's previous record, in hexadecimal.
    pub previous_hash: Option<String>,
    /// The end of the client's audit log: the number of the last entry and its hash, in hexadecimal.
    pub audit_head: Option<(u64, String)>,
}

/// The canonical document of a record, with its hash and signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SealedRecord {
    /// The document.
    pub document: String,
    /// The record hash: the SHA-256 of the document, in hexadecimal.
    pub hash: String,
    /// The fingerprint of the key that signed it.
    pub key: String,
    /// The signature.
    pub signature: Vec<u8>,
}

/// A record as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredRecord {
    /// The client.
    pub client: ClientId,
    /// The meeting.
    pub meeting: MeetingId,
    /// The round.
    pub round: RoundId,
    /// The position among the records of the meeting, from 1.
    pub number: u32,
    /// The document, its hash and its signature.
    pub sealed: SealedRecord,
}

/// A record without its document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordHead {
    /// The round.
    pub round: RoundId,
    /// The position among the records of the meeting, from 1.
    pub number: u32,
    /// The record hash, in hexadecimal.
    pub hash: String,
}

/// A record without its document, of any client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordStub {
    /// The record hash, in hexadecimal.
    pub hash: String,
    /// The position among the records of its meeting, from 1.
    pub number: u32,
    /// The time of the record.
    pub recorded_at: DateTime<Utc>,
    /// The fingerprint of the key that signed it.
    pub key: String,
    /// The signature.
    pub signature: Vec<u8>,
}

/// The times of a meeting's records, as their rows have them. The documents have the same.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordTimes {
    /// The records of results.
    pub results: Vec<(RoundId, DateTime<Utc>)>,
    /// The closing records, by their numbers.
    pub closings: Vec<(u32, DateTime<Utc>)>,
}

impl RecordTimes {
    /// The time of the record of this round.
    pub fn of_result(&self, round: RoundId) -> Option<DateTime<Utc>> {
        self.results.iter().find(|(known, _)| *known == round).map(|(_, at)| *at)
    }

    /// The time of the closing record with this number.
    pub fn of_closing(&self, number: u32) -> Option<DateTime<Utc>> {
        self.closings.iter().find(|(known, _)| *known == number).map(|(_, at)| *at)
    }
}

/// Whether the time in a row is not that of its document. The database keeps microseconds.
pub fn is_other_time(row: Option<DateTime<Utc>>, document: Option<DateTime<Utc>>) -> bool {
    let micros = |time: Option<DateTime<Utc>>| time.map(|time| time.timestamp_micros());
    micros(row) != micros(document)
}

/// The times in the document of a closing record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClosedTimes {
    /// The time of the record.
    pub recorded_at: DateTime<Utc>,
    /// The first start of the meeting.
    pub started_at: Option<DateTime<Utc>>,
    /// The end of the meeting.
    pub ended_at: Option<DateTime<Utc>>,
}

/// A difference between the amendments of a meeting and the audit log, by the number of the amendment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AmendmentGap {
    /// The audit log has no entry of it, or one of another content.
    Different(u32),
    /// The audit log has an entry of it, and it is missing.
    Missing(u32),
}

/// A declared round without a record, as installations had them before there were records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnrecordedResult {
    /// The client.
    pub client: ClientId,
    /// The meeting.
    pub meeting: MeetingId,
    /// The round.
    pub round: RoundId,
}

/// The presence of an object that records belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It is there.
    Present,
    /// It was deleted, and the audit log contains the deletion.
    Deleted,
    /// It is missing without an explanation.
    Missing,
}

/// Whether the client and the meeting of records exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standings {
    /// The client.
    pub client: Standing,
    /// The meeting. A deletion by a statement of the database, and not by a person, counts as missing.
    pub meeting: Standing,
}

/// A row that contradicts a declared round and its record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contradiction {
    /// The question or its options on the agenda have another wording.
    Agenda(RoundId),
    /// The round names another record hash.
    RecordHash(RoundId),
}

/// The subject of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordSubject {
    /// The declared result of a round.
    Result(RoundId),
    /// The end of a meeting.
    End(MeetingId),
}

/// A record that the audit log names, and that is missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LostRecord {
    /// The client.
    pub client: ClientId,
    /// Its subject.
    pub subject: RecordSubject,
    /// The record hash, in hexadecimal.
    pub hash: String,
}

/// Writes and signs the document of a record, and reads the times of those that it has signed. Stores call it within the
/// transaction of the declaration, or of the purge.
pub trait RecordWriter: Send + Sync {
    /// The record of this round.
    fn seal(&self, round: Recordable) -> SealedRecord;

    /// The closing record of this meeting. Stores call it within the transaction of the end.
    fn close(&self, meeting: Closable) -> SealedRecord;

    /// The document of this purge. Stores call it within the transaction of the purge.
    fn purge(&self, purge: Purgeable) -> SealedRecord;

    /// The time in the document of a stored record.
    ///
    /// # Errors
    /// Returns the damage, as the end of a sentence about the record.
    fn recorded_at(&self, record: &StoredRecord) -> Result<DateTime<Utc>, String>;

    /// The times in the document of a stored closing record.
    ///
    /// # Errors
    /// Returns the damage, as the end of a sentence about the record.
    fn closed_at(&self, closing: &StoredClosing) -> Result<ClosedTimes, String>;
}

/// Reads records. Each call is one transaction and sees one client's rows only, unless it says otherwise.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait ResultRecords: Send + Sync {
    /// The records of a meeting without their documents, in the order of their numbers. Includes those of deleted
    /// rounds.
    async fn heads(&self, owner: ClientId, meeting: MeetingId) -> Result<Vec<RecordHead>, PortFailure>;

    /// The times of a meeting's records by their rows.
    async fn times(&self, owner: ClientId, meeting: MeetingId) -> Result<RecordTimes, PortFailure>;

    /// These records of a meeting, in the order of their numbers.
    async fn load(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        rounds: Vec<RoundId>,
    ) -> Result<Vec<StoredRecord>, PortFailure>;

    /// The owner of the record with this hash: the client and the meeting.
    async fn find(&self, hash: &str) -> Result<Option<(ClientId, MeetingId)>, PortFailure>;

    /// The records of all clients with these hashes, in any order.
    async fn by_hashes(&self, hashes: Vec<String>) -> Result<Vec<RecordStub>, PortFailure>;

    /// Some results of all clients that were declared before `before` and have no record, in the order of their
    /// declaration. Empty when all have one.
    async fn unrecorded(&self, before: DateTime<Utc>) -> Result<Vec<UnrecordedResult>, PortFailure>;

    /// The meetings with records of results or of their end, or with declared rounds, of all clients or of one, the one with
    /// the latest first. At most `limit`.
    async fn meetings(&self, owner: Option<ClientId>, limit: u32) -> Result<Vec<(ClientId, MeetingId)>, PortFailure>;

    /// The hash of the entry with this number in the client's audit log, in hexadecimal. `None` without such an entry.
    async fn audit_hash(&self, owner: ClientId, number: u64) -> Result<Option<String>, PortFailure>;

    /// Whether the client and its meeting exist. Reads the platform's audit log, too.
    async fn standings(&self, owner: ClientId, meeting: MeetingId) -> Result<Standings, PortFailure>;

    /// Rows of a meeting that contradict its declared rounds, besides those that a count reads.
    async fn contradictions(&self, owner: ClientId, meeting: MeetingId) -> Result<Vec<Contradiction>, PortFailure>;

    /// The differences between the amendments of a meeting and the audit log. An amendment without an entry is none if the
    /// beginning of the log was purged after it.
    async fn amendment_gaps(&self, owner: ClientId, meeting: MeetingId) -> Result<Vec<AmendmentGap>, PortFailure>;

    /// The deleted rounds of a meeting that have a record, in the order of their records.
    async fn orphans(&self, owner: ClientId, meeting: MeetingId) -> Result<Vec<RoundId>, PortFailure>;

    /// The declared results and ends of meetings in the audit logs of all clients or of one that have no record. Without test data, whose
    /// records are deleted with its meetings.
    async fn lost(&self, owner: Option<ClientId>) -> Result<Vec<LostRecord>, PortFailure>;

    /// Records a declared result at `now` that has no record, as recorded later. Does nothing if it has one.
    async fn record_later(&self, result: UnrecordedResult, now: DateTime<Utc>) -> Result<(), PortFailure>;
}
