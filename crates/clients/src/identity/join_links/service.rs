use std::collections::HashSet;
use std::sync::Arc;

use chrono::TimeDelta;
use plenum_kernel::{ClientId, Clock, Page, PortFailure, Secrets};

use crate::{
    JoinAsk, JoinLink, JoinLinkChoice, JoinLinkFilter, JoinLinkOrder, JoinLinkStore, JoinTokenHash, MadeJoinLink,
    MakeJoinLinksError, NewJoinLinks, RefreshTokens,
};

/// The most links that one call makes.
pub const MAX_JOIN_LINKS: u32 = 20_000;

/// The lifetime of a link for the organization. A link for a meeting ends with the meeting.
const LIFETIME: TimeDelta = TimeDelta::days(90);

/// The ports that personal links need.
#[derive(Clone)]
pub struct JoinLinkPorts {
    /// Stores links.
    pub links: Arc<dyn JoinLinkStore>,
    /// Hashes the tokens of links.
    pub tokens: Arc<dyn RefreshTokens>,
    /// Supplies the tokens of links.
    pub secrets: Arc<dyn Secrets>,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Whether the installation can mail codes.
    pub mails_codes: bool,
}

/// Why the links ask for the same as before.
#[derive(Debug, thiserror::Error)]
pub enum SetJoinAskError {
    /// No mail server is configured.
    #[error("codes cannot be sent, because no mail server is configured; the operator sets `PLENUM_SMTP_URL`")]
    MailNotConfigured,
    /// The store did not answer.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

/// Makes, lists and revokes the personal links of a client's end users.
pub struct JoinLinkService {
    ports: JoinLinkPorts,
}

impl JoinLinkService {
    /// A service by these ports.
    pub fn new(ports: JoinLinkPorts) -> Self {
        Self { ports }
    }

    /// Makes a link for each of the people, in place of their earlier one for the same meeting. Leaves out people who are not
    /// active or not invited.
    ///
    /// # Errors
    /// Fails when the client has no such meeting or it is over, one of the named people does not exist, there are too many
    /// people, or one of them may vote in an open round and there is no reason.
    pub async fn make(&self, owner: ClientId, order: JoinLinkOrder) -> Result<Vec<MadeJoinLink>, MakeJoinLinksError> {
        let JoinLinkOrder { meeting, people, is_single_use, setter } = order;
        let people = self.ports.links.people(owner, meeting, &people, MAX_JOIN_LINKS + 1).await?;
        if people.len() > MAX_JOIN_LINKS as usize {
            return Err(MakeJoinLinksError::TooMany(MAX_JOIN_LINKS));
        }
        if people.is_empty() {
            return Ok(Vec::new());
        }
        let mut made: Vec<MadeJoinLink> =
            people.into_iter().map(|person| MadeJoinLink { person, token: self.ports.secrets.token() }).collect();
        let made_at = self.ports.clock.now();
        let new = NewJoinLinks {
            links: made
                .iter()
                .map(|link| (link.person.id, join_token_hash(&*self.ports.tokens, &link.token)))
                .collect(),
            meeting,
            is_single_use,
            setter,
            made_at,
            expires_at: meeting.is_none().then(|| made_at + LIFETIME),
        };
        // Somebody may have been deleted meanwhile.
        let stored: HashSet<_> = self.ports.links.make(owner, new).await?.into_iter().collect();
        made.retain(|link| stored.contains(&link.person.id));
        Ok(made)
    }

    /// Lists the client's links, the newest first.
    ///
    /// # Errors
    /// Fails when the store does not answer.
    pub async fn list(&self, owner: ClientId, filter: JoinLinkFilter) -> Result<Page<JoinLink>, PortFailure> {
        self.ports.links.list(owner, filter, self.ports.clock.now()).await
    }

    /// Revokes links, and returns their number. Sessions that they opened go on.
    ///
    /// # Errors
    /// Fails when the store does not answer.
    pub async fn revoke(&self, owner: ClientId, choice: JoinLinkChoice) -> Result<u64, PortFailure> {
        self.ports.links.revoke(owner, choice, self.ports.clock.now()).await
    }

    /// What the client's links ask for.
    ///
    /// # Errors
    /// Fails when the store does not answer.
    pub async fn asks(&self, owner: ClientId) -> Result<JoinAsk, PortFailure> {
        self.ports.links.asks(owner).await
    }

    /// Changes what the client's links ask for.
    ///
    /// # Errors
    /// Fails when the links would ask for codes that cannot be mailed.
    pub async fn set_asks(&self, owner: ClientId, asks: JoinAsk) -> Result<(), SetJoinAskError> {
        if asks == JoinAsk::EmailCode && !self.ports.mails_codes {
            return Err(SetJoinAskError::MailNotConfigured);
        }
        Ok(self.ports.links.set_asks(owner, asks).await?)
    }
}

/// The hash of a token, by which a link is made and found again.
pub fn join_token_hash(tokens: &dyn RefreshTokens, token: &str) -> JoinTokenHash {
    JoinTokenHash(tokens.hash(token).0)
}
