use async_trait::async_trait;
use chrono::{DateTime, Utc};
use plenum_kernel::{ArchiveId, MeetingId, Page, PageRequest, PortFailure};
use uuid::Uuid;

/// An imported archive of a meeting, without its content. The meeting is of another installation, or was deleted here: an
/// imported archive is never mixed with meetings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportedArchive {
    /// Its id, which follows from the content: the same archive has the same id everywhere.
    pub id: ArchiveId,
    /// The SHA-256 of the archive's canonical form, in hexadecimal.
    pub hash: String,
    /// The organization's id in the installation that wrote it.
    pub organization_id: Uuid,
    /// The name of the organization.
    pub organization: String,
    /// The meeting in the installation that wrote it.
    pub meeting: MeetingId,
    /// The title of the meeting.
    pub title: String,
    /// The planned start.
    pub scheduled_start: Option<DateTime<Utc>>,
    /// The number of rounds with a result.
    pub rounds: u32,
    /// The fingerprint of the key that signed it.
    pub key: String,
    /// Whether the key was known at the import.
    pub is_origin_known: bool,
    /// The time of the archive.
    pub archived_at: DateTime<Utc>,
    /// The time of the import.
    pub imported_at: DateTime<Utc>,
}

/// Keeps imported archives for reading. They belong to the installation and to no client.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait Archives: Send + Sync {
    /// Keeps an archive with its content. Returns whether it is new: a repeated import changes nothing.
    async fn keep(&self, archive: ImportedArchive, content: Vec<u8>) -> Result<bool, PortFailure>;

    /// A page of the archives, the one imported last first.
    async fn list(&self, page: PageRequest) -> Result<Page<ImportedArchive>, PortFailure>;

    /// The content of an archive, as it was imported.
    async fn content(&self, id: ArchiveId) -> Result<Option<Vec<u8>>, PortFailure>;

    /// Removes an archive. Returns whether it was there.
    async fn remove(&self, id: ArchiveId) -> Result<bool, PortFailure>;
}
