use std::net::IpAddr;

use chrono::{DateTime, Utc};
use plenum_kernel::{ClientId, EndUserId, MeetingId, Person, SearchText};
use uuid::Uuid;

/// Whose audit log it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AuditScope {
    /// That of the platform: what concerns clients as such, and whatever super administrators do.
    Platform,
    /// That of one client.
    Client(ClientId),
}

impl AuditScope {
    /// The id of its chain. The platform's is zero.
    pub fn chain(self) -> Uuid {
        match self {
            Self::Platform => Uuid::nil(),
            Self::Client(client) => client.as_uuid(),
        }
    }
}

/// Every kind of entry there is.
pub const AUDIT_KINDS: [&str; 43] = [
    "account_changed",
    "account_created",
    "account_deleted",
    "audit_log_exported",
    "client_changed",
    "client_created",
    "client_deleted",
    "credentials_exported",
    "end_user_changed",
    "end_user_created",
    "end_user_deleted",
    "end_users_exported",
    "invitation_ordered",
    "meeting_changed",
    "meeting_created",
    "meeting_deleted",
    "meeting_ended",
    "meeting_started",
    "participant_added",
    "participant_removed",
    "password_reset_asked",
    "question_changed",
    "question_created",
    "question_deleted",
    "remark_removed",
    "remark_written",
    "reports_exported",
    "result_counted",
    "result_declared",
    "results_exported",
    "round_changed",
    "round_deleted",
    "round_ended",
    "round_opened",
    "round_reopened",
    "session_ended",
    "sign_in_failed",
    "signed_in",
    "signed_out",
    "voter_admitted",
    "voter_excluded",
    "voter_readmitted",
    "votes_discarded",
];

/// Where an entry stands in the order in which a log is told: by time, and by id where that is the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct AuditPlace {
    /// When it was written.
    pub at: DateTime<Utc>,
    /// In which order the store took it.
    pub id: i64,
}

/// Which entries are wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AuditFilter {
    /// Plain text that stands in names, titles, addresses or changes.
    pub search: Option<SearchText>,
    /// Part of the name of who did it or to whom it was done.
    pub person: Option<SearchText>,
    /// Only this kind, one of [`AUDIT_KINDS`].
    pub kind: Option<&'static str>,
    /// Not before this time.
    pub from: Option<DateTime<Utc>>,
    /// Before this time.
    pub until: Option<DateTime<Utc>>,
    /// Only what stands behind this place: the page after an entry.
    pub behind: Option<AuditPlace>,
}

/// A field that changed. Both texts are missing where its content is nobody's business.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditedChange {
    /// Its name.
    pub field: String,
    /// What it was.
    pub before: Option<String>,
    /// What it became.
    pub after: Option<String>,
}

/// The place of an entry in its chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainLink {
    /// From 1.
    pub number: u64,
    /// The hash of the entry before.
    pub previous_hash: Vec<u8>,
    /// The hash of that and this entry.
    pub hash: Vec<u8>,
}

/// Something that was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditEntry {
    /// Where it stands in the log.
    pub place: AuditPlace,
    /// What was done, one of [`AUDIT_KINDS`].
    pub kind: String,
    /// In which role: `SUPER_ADMIN`, `CLIENT`, `END_USER`, `NOBODY` or `SYSTEM`.
    pub by_role: String,
    /// Who did it.
    pub by_id: Option<Uuid>,
    /// Their name at that time.
    pub by_name: Option<String>,
    /// Where they called from.
    pub from_address: Option<String>,
    /// What kind of thing it was done to.
    pub subject_kind: String,
    /// To which one.
    pub subject_id: Option<Uuid>,
    /// What it was called at that time.
    pub subject_name: Option<String>,
    /// In which meeting, by its title at that time.
    pub meeting_title: Option<String>,
    /// What changed.
    pub changes: Vec<AuditedChange>,
    /// Its place in the chain; none for a moment.
    pub link: Option<ChainLink>,
}

/// Something that is noted although no row changes by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotedAct {
    /// Somebody gave a wrong password for a person who is known.
    SignInFailed(Person),
    /// Somebody asked from this address for a link by which the person gets a new password, and one was made.
    PasswordResetAsked(Person, IpAddr),
    /// The list of end users was exported.
    EndUsersExported(ClientId),
    /// An end user got a new password, which was shown.
    CredentialsExported(ClientId, EndUserId),
    /// The results of a meeting were exported, in this format.
    ResultsExported(ClientId, MeetingId, &'static str),
    /// The reports of all clients were exported.
    ReportsExported,
    /// An audit log was exported, in this format.
    AuditLogExported(AuditScope, &'static str),
}
