use std::sync::Arc;

use plenum_kernel::{AccountId, Clock, EmailAddress, Person, PortFailure};

use crate::identity::second_factor::factor::account_of;
use crate::{AccountStore, SecondFactorStore};

/// Why nobody's second factor was taken away.
#[derive(Debug, thiserror::Error)]
pub enum SecondFactorRecoveryError {
    /// There is no such account.
    #[error("the account does not exist")]
    NoAccount,
    /// The account has none that is on.
    #[error("there is no second factor")]
    Off,
    /// It is a super administrator's: whoever finds one of them signed in must not weaken the others.
    #[error("the second factor of a super administrator is removed on the server, by plenum remove-second-factor")]
    ByCommandOnly,
    /// A dependency did not answer.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

/// Helps people who have lost their authenticator, and have no recovery codes either.
pub struct SecondFactorRecovery {
    accounts: Arc<dyn AccountStore>,
    factors: Arc<dyn SecondFactorStore>,
    clock: Arc<dyn Clock>,
}

impl SecondFactorRecovery {
    /// Help in these stores.
    pub fn new(accounts: Arc<dyn AccountStore>, factors: Arc<dyn SecondFactorStore>, clock: Arc<dyn Clock>) -> Self {
        Self { accounts, factors, clock }
    }

    /// Takes the second factor from an administrator of a client, ends all their sessions, and says whose they are.
    ///
    /// # Errors
    /// Fails when there is no such account or second factor, or it is a super administrator's.
    pub async fn take_from(&self, account: AccountId) -> Result<Person, SecondFactorRecoveryError> {
        match self.factors.owner(account).await?.ok_or(SecondFactorRecoveryError::NoAccount)? {
            Person::SuperAdmin { .. } => Err(SecondFactorRecoveryError::ByCommandOnly),
            Person::ClientAdmin { .. } | Person::EndUser { .. } => self.take(account).await,
        }
    }

    /// Takes the second factor from whoever signs in with this address, and ends all their sessions. For somebody who can
    /// work on the server, and needs nobody's leave.
    ///
    /// # Errors
    /// Fails when there is no such account or second factor.
    pub async fn take_from_address(&self, email: &EmailAddress) -> Result<Person, SecondFactorRecoveryError> {
        let found = self.accounts.account_credentials(email).await?;
        let account = found.and_then(|found| account_of(found.person)).ok_or(SecondFactorRecoveryError::NoAccount)?;
        self.take(account).await
    }

    async fn take(&self, account: AccountId) -> Result<Person, SecondFactorRecoveryError> {
        self.factors.take_away(account, self.clock.now()).await?.ok_or(SecondFactorRecoveryError::Off)
    }
}
