use std::sync::Arc;

use plenum_kernel::{AccountId, Clock, EmailAddress, NewIds, PortFailure};

use crate::{Account, AccountRole, AccountStore, AddAccountError, Password, PasswordHasher, PersonName};

/// Why a super administrator was not made.
#[derive(Debug, thiserror::Error)]
pub enum FoundingError {
    /// Another account signs in with this address.
    #[error("an account with this e-mail address exists already")]
    EmailTaken,
    /// A dependency did not answer.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

impl From<AddAccountError> for FoundingError {
    fn from(error: AddAccountError) -> Self {
        match error {
            AddAccountError::EmailTaken => Self::EmailTaken,
            AddAccountError::Port(failure) => failure.into(),
        }
    }
}

/// Makes super administrators: the first one at start-up, others by command.
pub struct SuperAdminCreation {
    accounts: Arc<dyn AccountStore>,
    hasher: Arc<dyn PasswordHasher>,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn NewIds>,
}

impl SuperAdminCreation {
    /// Founding in this store.
    pub fn new(
        accounts: Arc<dyn AccountStore>,
        hasher: Arc<dyn PasswordHasher>,
        clock: Arc<dyn Clock>,
        ids: Arc<dyn NewIds>,
    ) -> Self {
        Self { accounts, hasher, clock, ids }
    }

    /// Whether the installation still lacks a super administrator.
    ///
    /// # Errors
    /// Fails when the store does not answer.
    pub async fn is_needed(&self) -> Result<bool, PortFailure> {
        Ok(!self.accounts.has_super_admin().await?)
    }

    /// Whether somebody signs in with this address.
    ///
    /// # Errors
    /// Fails when the store does not answer.
    pub async fn is_account(&self, email: &EmailAddress) -> Result<bool, PortFailure> {
        Ok(self.accounts.account_credentials(email).await?.is_some())
    }

    /// Makes the first super administrator, and says whether it did: another instance that starts at the same moment may have.
    ///
    /// # Errors
    /// Fails when the address is that of another account.
    pub async fn found_first(&self, email: EmailAddress, password: Password) -> Result<bool, FoundingError> {
        let account = self.account(email, password).await?;
        Ok(self.accounts.add_first_super_admin(account).await?)
    }

    /// Makes a super administrator.
    ///
    /// # Errors
    /// Fails when the address is taken.
    pub async fn found(&self, email: EmailAddress, password: Password) -> Result<(), FoundingError> {
        let account = self.account(email, password).await?;
        Ok(self.accounts.add(account).await?)
    }

    async fn account(&self, email: EmailAddress, password: Password) -> Result<Account, PortFailure> {
        Ok(Account {
            id: AccountId::new(&*self.ids),
            role: AccountRole::SuperAdmin,
            email,
            password_hash: self.hasher.hash(password).await?,
            first_name: PersonName::from_stored("Super".to_owned()),
            last_name: PersonName::from_stored("Administrator".to_owned()),
            created_at: self.clock.now(),
        })
    }
}
