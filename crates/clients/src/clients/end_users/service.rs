use std::sync::Arc;

use plenum_kernel::{ClientId, Clock, EmailAddress, EndUserId, NewIds, PortFailure, VotingWeight};

use crate::{Address, EndUser, EndUserStore, Password, PasswordHasher, PersonName, Username};

/// An end user to be made.
#[derive(Clone, Debug)]
pub struct NewEndUser {
    /// What they sign in with.
    pub username: Username,
    /// Their full name.
    pub name: PersonName,
    /// Where to write to.
    pub email: Option<EmailAddress>,
    /// Where they live.
    pub address: Option<Address>,
    /// What their vote weighs.
    pub weight: VotingWeight,
    /// Whether they may sign in and vote.
    pub is_active: bool,
    /// Their password.
    pub password: Password,
}

/// An end user whose password was just set, with the password that only whoever set it will ever see.
#[derive(Clone, Debug)]
pub struct EndUserCredentials {
    /// The end user.
    pub end_user: EndUser,
    /// Their password in the clear, for the credentials sheet.
    pub password: Password,
}

/// Why an end user was not made.
#[derive(Debug, thiserror::Error)]
pub enum AddEndUserError {
    /// Another end user of the client has this username.
    #[error("the username is taken")]
    UsernameTaken,
    /// A dependency did not answer.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

/// Makes end users.
pub struct EndUserAdditions {
    end_users: Arc<dyn EndUserStore>,
    hasher: Arc<dyn PasswordHasher>,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn NewIds>,
}

impl EndUserAdditions {
    /// Additions to this store.
    pub fn new(
        end_users: Arc<dyn EndUserStore>,
        hasher: Arc<dyn PasswordHasher>,
        clock: Arc<dyn Clock>,
        ids: Arc<dyn NewIds>,
    ) -> Self {
        Self { end_users, hasher, clock, ids }
    }

    /// Makes an end user of the client.
    ///
    /// # Errors
    /// Fails when the username is taken in this client, in whatever case.
    pub async fn add(&self, owner: ClientId, new: NewEndUser) -> Result<EndUserCredentials, AddEndUserError> {
        let hash = self.hasher.hash(new.password.clone()).await?;
        let end_user = EndUser {
            id: EndUserId::new(&*self.ids),
            client_id: owner,
            username: new.username,
            name: new.name,
            email: new.email,
            address: new.address,
            weight: new.weight,
            is_active: new.is_active,
            last_login_at: None,
            created_at: self.clock.now(),
        };
        self.end_users.add(end_user.clone(), hash).await?;
        Ok(EndUserCredentials { end_user, password: new.password })
    }
}
