//! The erasure of a voter's personal data.

use chrono::{DateTime, Utc};
use plenum_kernel::{ClientId, EndUserId, KindWeights, PortFailure, TEST_PREFIX};

use super::service::EndUserService;
use crate::{EndUser, EraseEndUserError, Password, PasswordHash, PersonName, Username};

/// The name of people whose personal data was erased.
pub const ERASED_NAME: &str = "Erased person";

/// The erasure of one end user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Erasure {
    /// The end user.
    pub id: EndUserId,
    /// The username that somebody typed to confirm it. `None` for the rule.
    pub confirmed: Option<Username>,
    /// The hash of a password that nobody knows.
    pub password: PasswordHash,
}

impl EndUser {
    /// Whether the personal data was erased. The username tells it: nobody can choose that of another id.
    pub fn is_erased(&self) -> bool {
        is_erased(self.id, self.username.as_str())
    }

    /// The end user without personal data. The weight stays, because it is none of a person, and the marks of test data. Values of
    /// kinds of weight go: a number of shares can tell who somebody is.
    #[must_use]
    pub fn erased(&self) -> Self {
        let name = if self.is_test() { format!("{TEST_PREFIX}{ERASED_NAME}") } else { ERASED_NAME.to_owned() };
        Self {
            username: Username::from_stored(erased_username(self.id)),
            name: PersonName::from_stored(name),
            email: None,
            address: None,
            weights: KindWeights::default(),
            groups: Vec::new(),
            is_active: false,
            last_login_at: None,
            ..self.clone()
        }
    }
}

/// Whether the end user with this id and username was erased.
pub fn is_erased(id: EndUserId, username: &str) -> bool {
    username == erased_username(id)
}

fn erased_username(id: EndUserId) -> String {
    format!("erased-{}", id.as_uuid().simple())
}

/// The number of people that one look finds.
const AT_ONCE: u32 = 500;

impl EndUserService {
    /// Erases the personal data of an end user, and signs them out everywhere. Votes, registers and records stay. `confirmed` is the
    /// username that somebody typed.
    ///
    /// # Errors
    /// Fails when the client has no such end user, another username was typed, or the end user may vote in a running meeting.
    pub async fn erase(&self, owner: ClientId, id: EndUserId, confirmed: Username) -> Result<(), EraseEndUserError> {
        let found = self.ports.end_users.find(owner, id).await?.ok_or(EraseEndUserError::NotFound)?;
        // Checked before the slow hash. The store checks it again.
        if found.is_erased() {
            return Err(EraseEndUserError::AlreadyErased);
        }
        let password = self.unknown_password().await?;
        self.ports.end_users.erase(owner, Erasure { id, confirmed: Some(confirmed), password }).await
    }

    /// Erases the personal data of everybody who was deactivated before this time and has not signed in since, of all clients.
    /// Leaves out people of running meetings: the next run finds them again. Returns the number of erased people.
    ///
    /// # Errors
    /// Fails when a dependency does not answer. Who was erased until then stays erased.
    pub async fn erase_inactive(&self, before: DateTime<Utc>) -> Result<u64, PortFailure> {
        let (mut erased, mut behind) = (0, None);
        loop {
            let found = self.ports.end_users.inactive_since(before, behind, AT_ONCE).await?;
            let Some((_, last)) = found.last().copied() else { return Ok(erased) };
            let password = self.unknown_password().await?;
            // One transaction for each, because each locks the running meetings of the client.
            for (owner, id) in found {
                let erasure = Erasure { id, confirmed: None, password: password.clone() };
                match self.ports.end_users.erase(owner, erasure).await {
                    Ok(()) => erased += 1,
                    Err(EraseEndUserError::Port(failure)) => return Err(failure),
                    Err(
                        EraseEndUserError::NotFound
                        | EraseEndUserError::AlreadyErased
                        | EraseEndUserError::OtherUsername
                        | EraseEndUserError::VotingNow
                        | EraseEndUserError::InRunningMeeting,
                    ) => {}
                }
            }
            behind = Some(last);
        }
    }

    async fn unknown_password(&self) -> Result<PasswordHash, PortFailure> {
        let password = Password::parse(&self.ports.secrets.password())
            .map_err(|wanted| PortFailure::new("the source of secrets", wanted.to_string()))?;
        self.ports.hasher.hash_random(password).await
    }
}
