//! The archive of a meeting, and the results of a deleted meeting from its records.

use chrono::{DateTime, Utc};
use plenum_kernel::{ClientId, EvidenceKeys, MeetingId, PortFailure};
use plenum_result_format::{
    ARCHIVE_FORMAT, ArchiveFile, ArchivedAudit, ArchivedMinutes, DamagedRecord, FORMAT, MeetingHead, QuestionPlaces,
    ResultsFile, RoundFile,
};
use plenum_voting::{RecordTimestamps, ResultRecords};

use crate::MeetingTimestamps;
use crate::read_record::{damaged, read_record, sealed_round};
use crate::sign_file::sign_archive;

/// The parts of an archive.
pub struct ArchiveParts {
    /// The client that owns, or owned, the meeting.
    pub client: ClientId,
    /// Whether the meeting was deleted.
    pub is_meeting_deleted: bool,
    /// The signed results.
    pub results: ResultsFile,
    /// The minutes of these results.
    pub minutes: ArchivedMinutes,
    /// The entries of the audit log about the meeting.
    pub audit: ArchivedAudit,
    /// The time of the archive.
    pub archived_at: DateTime<Utc>,
}

/// The archive of these parts, signed as a whole.
pub fn archive_file(parts: ArchiveParts, keys: &dyn EvidenceKeys) -> ArchiveFile {
    let ArchiveParts { client, is_meeting_deleted, results, minutes, audit, archived_at } = parts;
    let mut file = ArchiveFile {
        format: ARCHIVE_FORMAT.to_owned(),
        archived_at,
        organization_id: client.as_uuid(),
        is_meeting_deleted,
        results,
        minutes,
        audit,
        signature: None,
    };
    sign_archive(&mut file, keys);
    file
}

/// The stores of what stays of a deleted meeting.
#[derive(Clone, Copy)]
pub struct KeptStores<'a> {
    /// The records of its results.
    pub records: &'a dyn ResultRecords,
    /// Their timestamps.
    pub timestamps: &'a dyn RecordTimestamps,
}

/// The results of a meeting as its records alone tell them, without a signature. Attendance, remarks, and the answers of the
/// elected are not part of records, so nobody's seats are stated. `None` without a record that can be read.
///
/// # Errors
/// Fails if the store does not respond.
pub async fn kept_results(
    stores: KeptStores<'_>,
    keys: &dyn EvidenceKeys,
    place: (ClientId, MeetingId),
    exported_at: DateTime<Utc>,
) -> Result<Option<ResultsFile>, PortFailure> {
    let (client, meeting) = place;
    let KeptStores { records, timestamps } = stores;
    let mut last: Option<MeetingHead> = None;
    let mut rounds: Vec<RoundFile> = Vec::new();
    let mut damages: Vec<DamagedRecord> = Vec::new();
    let timestamps = MeetingTimestamps::load(timestamps, client, meeting).await?;
    for head in records.heads(client, meeting).await? {
        // One at a time: a record of a large register has megabytes.
        let Some(stored) = records.load(client, meeting, vec![head.round]).await?.pop() else { continue };
        match read_record(&stored, keys) {
            Ok(record) => {
                last = Some(record.meeting.clone());
                let mut round = sealed_round(record, &stored);
                timestamps.add_to_file(&mut round);
                rounds.push(round);
            }
            Err(damage) => damages.push(damaged(stored.round.as_uuid(), (0, 0), damage)),
        }
    }
    let places = QuestionPlaces::of(rounds.iter().map(|round| &round.result));
    rounds.sort_by_key(|round| places.order(&round.result));
    Ok(last.map(|meeting| ResultsFile {
        // The answers of the elected are gone with the meeting, so nobody can say who has the seats.
        elections: Vec::new(),
        format: FORMAT.to_owned(),
        exported_at,
        meeting,
        rounds,
        attendance: Vec::new(),
        check_ins: Vec::new(),
        remarks: Vec::new(),
        damaged: damages,
        uncounted: Vec::new(),
        closings: None,
        amendments: Vec::new(),
        closing_damage: Vec::new(),
        signature: None,
    }))
}
