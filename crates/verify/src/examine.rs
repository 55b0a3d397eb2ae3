//! The verdict on a file of any kind: one of three.

use plenum_result_format::{ArchiveFile, AuditHead, ResultsFile, TableSeal};

use crate::chain::purges_of;
use crate::report::Differences;
use crate::timestamps::check_timestamps;
use crate::{
    ChainFault, CheckedTimestamp, Difference, Exported, KnownAuthorities, KnownKeys, Origin, Refusal, RoundReport,
    check_archive, check_archive_origin, check_audit_origin, check_origin, entries_set_back, verify, verify_audit,
};

/// The kind of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// The results of a meeting as JSON, which are recounted.
    Results,
    /// An audit log as JSON, whose chain is checked.
    AuditLog,
    /// The archive of a meeting, whose results are recounted.
    Archive,
    /// The results of a meeting as a table, which cannot be recounted.
    ResultsTable,
    /// Entries of an audit log as a table.
    AuditTable,
    /// The people at a meeting as a table.
    AttendanceTable,
    /// The proxies for a meeting as a table.
    ProxiesTable,
}

impl FileKind {
    /// The kind of a table with this content.
    fn of_table(content: Option<&str>) -> Self {
        match content {
            Some(TableSeal::AUDIT_LOG) => Self::AuditTable,
            Some(TableSeal::ATTENDANCE) => Self::AttendanceTable,
            Some(TableSeal::PROXIES) => Self::ProxiesTable,
            _ => Self::ResultsTable,
        }
    }
}

/// The outcome for a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// A known key signed it, and it is consistent.
    Signed(String),
    /// It is consistent, but its origin is not proven. Contains the key of its signature, if it has one.
    OriginUnknown(Option<String>),
    /// It was changed, or contradicts itself.
    NotConsistent,
}

/// The findings about a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Examination {
    /// The kind of the file.
    pub kind: FileKind,
    /// The title of the meeting. Empty for an audit log.
    pub title: String,
    /// The name of the organization. Empty for an audit log.
    pub organization: String,
    /// The recount of each round of a results file.
    pub rounds: Vec<RoundReport>,
    /// The differences of a results file outside its rounds.
    pub differences: Vec<Difference>,
    /// The faults of an audit log's chain.
    pub faults: Vec<ChainFault>,
    /// The entries of an audit log whose time is before that of the entry before them. No faults.
    pub set_back: Vec<u64>,
    /// The number of entries of an audit log, also of the one in an archive, and the id of its chain.
    pub audit: Option<(usize, String)>,
    /// The last entry of the audit log that was purged under a document in the file.
    pub purged: Option<AuditHead>,
    /// The end of the audit log.
    pub audit_head: Option<AuditHead>,
    /// The hashes of the records of declared results that the file names, in its order.
    pub records: Vec<String>,
    /// The valid timestamps of records, in the order of the file.
    pub timestamps: Vec<CheckedTimestamp>,
    /// The signer.
    pub origin: Result<Origin, Refusal>,
}

impl Examination {
    /// Whether the content is consistent, apart from its signature.
    pub fn is_consistent(&self) -> bool {
        self.differences.is_empty()
            && self.faults.is_empty()
            && self.rounds.iter().all(|round| round.differences.is_empty())
    }

    /// The verdict.
    pub fn verdict(&self) -> Verdict {
        match &self.origin {
            Ok(Origin::Signed(key)) if self.is_consistent() => Verdict::Signed(key.clone()),
            Ok(Origin::Unknown(key)) if self.is_consistent() => Verdict::OriginUnknown(key.clone()),
            _ => Verdict::NotConsistent,
        }
    }

    fn of(kind: FileKind, origin: Result<Origin, Refusal>) -> Self {
        Self {
            kind,
            title: String::new(),
            organization: String::new(),
            rounds: Vec::new(),
            differences: Vec::new(),
            faults: Vec::new(),
            set_back: Vec::new(),
            audit: None,
            purged: None,
            audit_head: None,
            records: Vec::new(),
            timestamps: Vec::new(),
            origin,
        }
    }

    /// `begun`, completed with the recount of these results and their timestamps.
    fn of_results(results: &ResultsFile, authorities: &KnownAuthorities, begun: Self) -> Self {
        let report = verify(results);
        let mut found = Differences { all: report.differences };
        let timestamps = check_timestamps(&mut found, results, authorities);
        Self {
            title: results.meeting.title.clone(),
            organization: results.meeting.organization.clone(),
            rounds: report.rounds,
            differences: found.all,
            records: records(results),
            timestamps,
            ..begun
        }
    }
}

/// Examines a file, given its content as it was read.
pub fn examine(content: &[u8], exported: &Exported, known: &KnownKeys, authorities: &KnownAuthorities) -> Examination {
    match exported {
        Exported::Results(results) => {
            let origin = check_origin(content, results, known);
            Examination::of_results(results, authorities, Examination::of(FileKind::Results, origin))
        }
        Exported::Audit(log) => Examination {
            faults: verify_audit(log, None),
            set_back: entries_set_back(log),
            audit: Some((log.entries.len(), log.chain.to_string())),
            purged: Some(purges_of(log).purged_head()).filter(|purged| purged.number > 0),
            audit_head: log.head.clone(),
            ..Examination::of(FileKind::AuditLog, check_audit_origin(content, log, known))
        },
        Exported::Archive(archive) => examine_archive(content, archive, known, authorities),
        Exported::Table(table) => {
            let origin = table.check_origin(known);
            let kind = FileKind::of_table(table.seal().map(|seal| seal.content.as_str()));
            let examination = Examination::of(kind, origin);
            let Some(seal) = table.seal() else { return examination };
            Examination {
                title: seal.title.clone(),
                organization: seal.organization.clone(),
                records: seal.records.clone(),
                audit_head: seal.audit_head.clone(),
                ..examination
            }
        }
    }
}

/// Examines an archive, given its content as it was read.
pub fn examine_archive(
    content: &[u8],
    archive: &ArchiveFile,
    known: &KnownKeys,
    authorities: &KnownAuthorities,
) -> Examination {
    let origin = check_archive_origin(content, archive, known);
    let begun = Examination::of(FileKind::Archive, origin);
    let mut examination = Examination::of_results(&archive.results, authorities, begun);
    examination.differences.extend(check_archive(archive));
    examination.audit = Some((archive.audit.entries.len(), archive.organization_id.to_string()));
    examination.audit_head.clone_from(&archive.audit.head);
    examination
}

/// The record hashes in the order of the file.
fn records(results: &ResultsFile) -> Vec<String> {
    let marks = results.rounds.iter().filter_map(|round| round.result.record.as_ref());
    marks.map(|mark| mark.hash.clone()).collect()
}
