use std::sync::Arc;

use plenum_kernel::{AccountId, Clock, EmailAddress, NewIds, PortFailure};

use crate::{Account, AccountRole, AccountStore, AddAccountError, Password, PasswordHasher, PersonName};

/// The reason why a super administrator was not created.
#[derive(Debug, thiserror::Error)]
pub enum CreateSuperAdminError {
    /// Another account signs in with this address.
    #[error("an account with this email address exists already")]
    EmailTaken,
    /// A dependency did not answer.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

impl From<AddAccountError> for CreateSuperAdminError {
    fn from(error: AddAccountError) -> Self {
        match error {
            AddAccountError::EmailTaken => Self::EmailTaken,
            AddAccountError::Port(failure) => failure.into(),
        }
    }
}

/// The ports that the creation of a super administrator needs.
#[derive(Clone)]
pub struct SuperAdminPorts {
    /// Stores the account.
    pub accounts: Arc<dyn AccountStore>,
    /// Hashes the password.
    pub hasher: Arc<dyn PasswordHasher>,
    /// Supplies the time of creation.
    pub clock: Arc<dyn Clock>,
    /// Supplies the id of the account.
    pub ids: Arc<dyn NewIds>,
}

/// Creates a super administrator.
///
/// # Errors
/// Fails when another account has the address.
pub async fn create_super_admin(
    ports: &SuperAdminPorts,
    email: EmailAddress,
    password: Password,
) -> Result<(), CreateSuperAdminError> {
    let account = new_account(ports, email, password).await?;
    Ok(ports.accounts.add(account).await?)
}

/// Creates the first super administrator. Returns `false` if one exists, because another instance can start at the same
/// moment.
///
/// # Errors
/// Fails when another account has the address.
pub async fn create_first_super_admin(
    ports: &SuperAdminPorts,
    email: EmailAddress,
    password: Password,
) -> Result<bool, CreateSuperAdminError> {
    let account = new_account(ports, email, password).await?;
    Ok(ports.accounts.add_first_super_admin(account).await?)
}

async fn new_account(ports: &SuperAdminPorts, email: EmailAddress, password: Password) -> Result<Account, PortFailure> {
    Ok(Account {
        id: AccountId::new(&*ports.ids),
        role: AccountRole::SuperAdmin,
        email,
        password_hash: ports.hasher.hash(password).await?,
        first_name: PersonName::from_stored("Super".to_owned()),
        last_name: PersonName::from_stored("Administrator".to_owned()),
        created_at: ports.clock.now(),
    })
}
