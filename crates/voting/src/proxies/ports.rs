use std::collections::HashMap;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use plenum_kernel::{ClientId, EndUserId, MeetingId, Page, PortFailure, ProxyId, QuestionId};

use crate::{Granting, HeldVotes, Proxy, ProxyAuthor, ProxyFilter, ProxyRule, ProxySettings, ProxyTotals, ProxyUse};

/// The reason why the settings of a meeting's proxies were not changed.
#[derive(Debug, thiserror::Error)]
pub enum ChangeProxySettingsError {
    /// The client has no such meeting.
    #[error("the meeting does not exist")]
    MeetingNotFound,
    /// Among the questions without proxies is one that is not on the agenda of the meeting.
    #[error("only questions of this meeting can be without proxies")]
    UnknownQuestion,
    /// The store did not respond.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

/// The reason why no proxy was granted.
#[derive(Debug, thiserror::Error)]
pub enum GrantError {
    /// The client has no such meeting.
    #[error("the meeting does not exist")]
    MeetingNotFound,
    /// A rule forbids it.
    #[error(transparent)]
    Rule(#[from] ProxyRule),
    /// The store did not respond.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

/// The reason why a proxy was not revoked.
#[derive(Debug, thiserror::Error)]
pub enum RevokeError {
    /// The meeting has no such proxy, or it is not the principal's own.
    #[error("the proxy does not exist")]
    NotFound,
    /// The organizer granted it, with a written proof.
    #[error("the organizer granted this proxy, so only the organizer can revoke it. You can vote yourself instead")]
    ByOrganizer,
    /// It is revoked already.
    #[error("the proxy is already revoked")]
    AlreadyRevoked,
    /// The store did not respond.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

/// A revocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Revocation {
    /// The proxy.
    pub proxy: ProxyId,
    /// The person who revokes it.
    pub by: ProxyAuthor,
    /// The time.
    pub at: DateTime<Utc>,
}

/// Stores proxies. Each call is one transaction and sees one client's rows only. Grants and revocations lock the meeting, so
/// that they come before or after each other and each opening.
///
/// The opening of a round keeps the proxies that are in force. A grant afterwards takes effect at the next opening. A revocation
/// takes effect in an open round at once, unless the holder has cast the vote: it waits for the ballots that are being written,
/// and later ones wait for it.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait ProxyStore: Send + Sync {
    /// The settings of a meeting. `None` when the client has no such meeting.
    async fn settings(&self, owner: ClientId, meeting: MeetingId) -> Result<Option<ProxySettings>, PortFailure>;

    /// Changes the settings. Questions without proxies that the settings name already may stay, though one was deleted since.
    ///
    /// # Errors
    /// `MeetingNotFound` also for a meeting of another client; `UnknownQuestion` for a question of another meeting. Then nothing
    /// is changed.
    async fn change_settings(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        settings: ProxySettings,
    ) -> Result<(), ChangeProxySettingsError>;

    /// The client's end users with these usernames, in any case, by their usernames in lower case.
    async fn named(&self, owner: ClientId, usernames: Vec<String>) -> Result<HashMap<String, EndUserId>, PortFailure>;

    /// Grants proxies if [`crate::decide_grant`] permits each of them, after those before it. Returns the reason for each that
    /// is refused; if there is one, or it is only a check, nothing is stored.
    ///
    /// # Errors
    /// `MeetingNotFound` also for a meeting of another client.
    async fn grant(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        granting: Granting,
    ) -> Result<Vec<Option<ProxyRule>>, GrantError>;

    /// Revokes a proxy. A vote that was cast stands.
    ///
    /// # Errors
    /// `NotFound` also for a proxy of another client, or of another principal than the one who revokes it.
    async fn revoke(&self, owner: ClientId, meeting: MeetingId, revocation: Revocation) -> Result<(), RevokeError>;

    /// A page of the proxies of a meeting. `None` when the client has no such meeting.
    async fn page(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        filter: &ProxyFilter,
    ) -> Result<Option<Page<Proxy>>, PortFailure>;

    /// The totals of all holders of a meeting. `None` when the client has no such meeting.
    async fn totals(&self, owner: ClientId, meeting: MeetingId) -> Result<Option<ProxyTotals>, PortFailure>;

    /// The proxies that a person gave or holds in a meeting and that are not revoked.
    async fn of_person(
        &self,
        client: ClientId,
        meeting: MeetingId,
        person: EndUserId,
    ) -> Result<Vec<Proxy>, PortFailure>;

    /// The rounds in which a proxy of this principal was in force, the latest first.
    async fn uses(
        &self,
        client: ClientId,
        meeting: MeetingId,
        principal: EndUserId,
    ) -> Result<Vec<ProxyUse>, PortFailure>;

    /// The votes that a holder has in the last round of a question.
    async fn held(
        &self,
        client: ClientId,
        meeting: MeetingId,
        question: QuestionId,
        holder: EndUserId,
    ) -> Result<HeldVotes, PortFailure>;
}
