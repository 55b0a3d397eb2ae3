//! The archive of a meeting: one signed file that can be read without the installation that wrote it.

use async_trait::async_trait;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chrono::{DateTime, Utc};
use plenum_kernel::{ClientId, MeetingId, PortFailure};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{AuditFileEntry, AuditHead, FileSignature, ResultsFile, sha256};

/// The name and version of the format of archives.
pub const ARCHIVE_FORMAT: &str = "plenum-archive/1";

/// The most bytes of an archive that is read: some hundred rounds of a hall of 10,000 people. In hexadecimal, as a backup
/// contains an imported one, they are fewer than the gigabyte (2^30 bytes) of a row of PostgreSQL.
pub const MAX_ARCHIVE_BYTES: u64 = 512_000_000;

/// The most entries of the audit log in an archive, the newest ones.
pub const MAX_ARCHIVED_ENTRIES: u32 = 50_000;

/// The archive of a meeting.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ArchiveFile {
    /// [`ARCHIVE_FORMAT`].
    #[schema(example = "plenum-archive/1")]
    pub format: String,
    /// The time of the archive.
    pub archived_at: DateTime<Utc>,
    /// The organization's id.
    pub organization_id: Uuid,
    /// Whether the meeting was deleted before. Then the archive contains only data of its records.
    pub is_meeting_deleted: bool,
    /// The results, as in the JSON export, with their own signature: records, registers, ballots as far as the
    /// questions show them, attendance and remarks.
    pub results: ResultsFile,
    /// The minutes of these results.
    pub minutes: ArchivedMinutes,
    /// The entries of the organization's audit log about the meeting.
    pub audit: ArchivedAudit,
    /// The signature of all other members, with the installation's public keys.
    pub signature: Option<FileSignature>,
}

/// The minutes in an archive.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "timeZone": "Europe/Berlin", "sha256": "5df6e0e2761359d30a8275058e299fcc0381534545f55cf43e41983f5d4c9456", "pdf": "JVBERi0…",
}))]
pub struct ArchivedMinutes {
    /// The time zone of the times in them.
    pub time_zone: String,
    /// The SHA-256 of the PDF, in hexadecimal.
    pub sha256: String,
    /// The PDF, in base64.
    pub pdf: String,
}

impl ArchivedMinutes {
    /// The minutes with this content.
    pub fn new(time_zone: String, pdf: &[u8]) -> Self {
        Self { time_zone, sha256: sha256(pdf), pdf: STANDARD.encode(pdf) }
    }

    /// The PDF. `None` if the text is not base64.
    pub fn content(&self) -> Option<Vec<u8>> {
        STANDARD.decode(&self.pdf).ok()
    }
}

impl std::fmt::Debug for ArchivedMinutes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ArchivedMinutes").field("sha256", &self.sha256).finish_non_exhaustive()
    }
}

/// The entries of the organization's audit log about a meeting.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "head": null, "waiting": 0, "leftOut": 0, "entries": [] }))]
pub struct ArchivedAudit {
    /// The end of the organization's log at that time. Null if it was empty.
    #[schema(required)]
    pub head: Option<AuditHead>,
    /// The number of new entries of the whole log that are not in its chain yet, and so not in this file.
    pub waiting: u64,
    /// The number of older entries about the meeting that were left out. 0 up to 50,000 entries.
    pub left_out: u64,
    /// The entries, in the order of the log. Their numbers have gaps, because other entries have other subjects.
    pub entries: Vec<AuditFileEntry>,
}

/// Reads the entries of the audit log about a meeting.
#[async_trait]
pub trait MeetingAudit: Send + Sync {
    /// The entries about a meeting of this client, also of a deleted one. An entry about another subject, such as a
    /// participant, names the meeting by its title only. So entries of another meeting of the client with the same
    /// title and time are included, too.
    async fn of_meeting(&self, client: ClientId, meeting: MeetingId) -> Result<ArchivedAudit, PortFailure>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minutes_are_read_back() {
        let minutes = ArchivedMinutes::new("UTC".to_owned(), b"%PDF-1.7");
        assert_eq!(minutes.content().as_deref(), Some(&b"%PDF-1.7"[..]));
        assert_eq!(ArchivedMinutes { pdf: "%PDF".to_owned(), ..minutes }.content(), None);
    }
}
