use std::net::IpAddr;

use chrono::{DateTime, Utc};
use plenum_kernel::{ClientId, EndUserId, MeetingId, Person, SearchText};
use uuid::Uuid;

/// The owner of an audit log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AuditScope {
    /// The platform: changes of clients, and all actions of super administrators.
    Platform,
    /// One client.
    Client(ClientId),
}

impl AuditScope {
    /// The id of the chain. The platform's is zero.
    pub fn chain(self) -> Uuid {
        match self {
            Self::Platform => Uuid::nil(),
            Self::Client(client) => client.as_uuid(),
        }
    }
}

/// All kinds of entries.
pub const AUDIT_KINDS: [&str; 81] = [
    "account_changed",
    "account_created",
    "account_deleted",
    "answers_curated",
    "archive_imported",
    "archive_removed",
    "audit_log_exported",
    "ballot_issued",
    "client_changed",
    "client_created",
    "client_deleted",
    "credentials_exported",
    "desk_made",
    "desk_revoked",
    "end_user_changed",
    "end_user_created",
    "end_user_deleted",
    "end_user_erased",
    "end_users_exported",
    "evidence_purged",
    "group_created",
    "group_deleted",
    "group_members_changed",
    "group_renamed",
    "invitation_ordered",
    "join_link_made",
    "join_link_revoked",
    "join_link_used",
    "meeting_amended",
    "meeting_audience_changed",
    "meeting_changed",
    "meeting_closed",
    "meeting_created",
    "meeting_deleted",
    "meeting_ended",
    "meeting_started",
    "paper_batch_confirmed",
    "paper_batch_discarded",
    "paper_batch_entered",
    "participant_added",
    "participant_removed",
    "password_reset_asked",
    "presence_noted",
    "proxies_exported",
    "proxy_granted",
    "proxy_revoked",
    "proxy_settings_changed",
    "question_audience_changed",
    "question_changed",
    "question_created",
    "question_deleted",
    "remark_removed",
    "remark_struck",
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
    "seat_answered",
    "session_ended",
    "sign_in_failed",
    "signed_in",
    "signed_out",
    "urn_changed",
    "urn_key_destroyed",
    "urn_key_lost",
    "urn_key_made",
    "urn_opened",
    "voter_admitted",
    "voter_excluded",
    "voter_password_set",
    "voter_readmitted",
    "votes_discarded",
    "weight_kind_changed",
    "weight_kind_created",
    "weight_kind_deleted",
];

/// The position of an entry in the order of a log: by time, then by id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct AuditPlace {
    /// The time of the entry.
    pub at: DateTime<Utc>,
    /// The order in which the store received it.
    pub id: i64,
}

/// The entries to list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AuditFilter {
    /// Text to find in names, titles, addresses or changes.
    pub search: Option<SearchText>,
    /// Part of the name of the actor or of the affected person.
    pub person: Option<SearchText>,
    /// Only this kind, one of [`AUDIT_KINDS`].
    pub kind: Option<&'static str>,
    /// Not before this time.
    pub from: Option<DateTime<Utc>>,
    /// Before this time.
    pub until: Option<DateTime<Utc>>,
    /// Only entries after this position, for the next page.
    pub behind: Option<AuditPlace>,
}

/// A changed field. Both texts are missing if the content is confidential.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditedChange {
    /// The name of the field.
    pub field: String,
    /// The previous value.
    pub before: Option<String>,
    /// The new value.
    pub after: Option<String>,
}

/// The position of an entry in its chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainLink {
    /// The number of the entry, from 1.
    pub number: u64,
    /// The hash of the previous entry.
    pub previous_hash: Vec<u8>,
    /// The hash of the previous hash and this entry.
    pub hash: Vec<u8>,
}

/// An entry of an audit log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditEntry {
    /// The position in the log.
    pub place: AuditPlace,
    /// The kind of action, one of [`AUDIT_KINDS`].
    pub kind: String,
    /// The role of the actor: `SUPER_ADMIN`, `CLIENT`, `END_USER`, `NOBODY` or `SYSTEM`.
    pub by_role: String,
    /// The id of the actor.
    pub by_id: Option<Uuid>,
    /// The name of the actor at that time.
    pub by_name: Option<String>,
    /// The network address of the caller.
    pub from_address: Option<String>,
    /// The kind of the affected object.
    pub subject_kind: String,
    /// The id of the affected object.
    pub subject_id: Option<Uuid>,
    /// The name of the affected object at that time.
    pub subject_name: Option<String>,
    /// The title of the meeting at that time.
    pub meeting_title: Option<String>,
    /// The changed fields.
    pub changes: Vec<AuditedChange>,
    /// The position in the chain; `None` until the entry is linked.
    pub link: Option<ChainLink>,
}

/// An action that changes no row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotedAct {
    /// A wrong password or code for this person.
    SignInFailed(Person),
    /// A reset link for this person, requested from this address.
    PasswordResetAsked(Person, IpAddr),
    /// The list of end users was exported.
    EndUsersExported(ClientId),
    /// An end user got a new password, which was exported.
    CredentialsExported(ClientId, EndUserId),
    /// The results of a meeting were exported, in this format.
    ResultsExported(ClientId, MeetingId, &'static str),
    /// The proxies of a meeting were exported, in this format.
    ProxiesExported(ClientId, MeetingId, &'static str),
    /// The reports of all clients were exported.
    ReportsExported,
    /// An audit log was exported, in this format.
    AuditLogExported(AuditScope, &'static str),
}
