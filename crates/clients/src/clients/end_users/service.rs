use std::sync::Arc;

use plenum_kernel::{ClientId, Clock, EmailAddress, EndUserId, NewIds, Page, PortFailure, Secrets, VotingWeight};

use crate::{
    AddEndUserError, Address, ChangeEndUserError, EndUser, EndUserChanges, EndUserCredentials, EndUserFilter,
    EndUserStats, EndUserStore, Password, PasswordHasher, PersonName, Username,
};

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

/// Changes and deletes end users, and renews what they sign in with.
pub struct EndUserKeeping {
    end_users: Arc<dyn EndUserStore>,
    hasher: Arc<dyn PasswordHasher>,
    clock: Arc<dyn Clock>,
    secrets: Arc<dyn Secrets>,
}

impl EndUserKeeping {
    /// Keeps the end users of this store.
    pub fn new(
        end_users: Arc<dyn EndUserStore>,
        hasher: Arc<dyn PasswordHasher>,
        clock: Arc<dyn Clock>,
        secrets: Arc<dyn Secrets>,
    ) -> Self {
        Self { end_users, hasher, clock, secrets }
    }

    /// Makes all of the changes, or none. A new password, like deactivation, signs the end user out everywhere.
    ///
    /// # Errors
    /// Fails when the client has no such end user, or the username is taken in this client, in whatever case.
    pub async fn change(
        &self,
        owner: ClientId,
        id: EndUserId,
        changes: EndUserChanges,
        password: Option<Password>,
    ) -> Result<EndUser, ChangeEndUserError> {
        let password = match password {
            Some(password) => Some(self.hasher.hash(password).await?),
            None => None,
        };
        self.end_users.update(owner, id, changes, password, self.clock.now()).await
    }

    /// Deletes an end user. Votes that they cast stay and count. Says whether there was one.
    ///
    /// # Errors
    /// Fails when the store does not answer.
    pub async fn delete(&self, owner: ClientId, id: EndUserId) -> Result<bool, PortFailure> {
        self.end_users.remove(owner, id).await
    }

    /// Gives an end user a new random password, because a hashed one cannot be read, and signs them out everywhere.
    ///
    /// # Errors
    /// Fails when the client has no such end user.
    pub async fn renew_password(
        &self,
        owner: ClientId,
        id: EndUserId,
    ) -> Result<EndUserCredentials, ChangeEndUserError> {
        if self.end_users.find(owner, id).await?.is_none() {
            // Before the slow hash: asking for people who are not there is no way to keep the server busy.
            return Err(ChangeEndUserError::NotFound);
        }
        let password = Password::parse(&self.secrets.password())
            .map_err(|wanted| PortFailure::new("the source of secrets", wanted.to_string()))?;
        let end_user = self.change(owner, id, EndUserChanges::default(), Some(password.clone())).await?;
        Ok(EndUserCredentials { end_user, password })
    }
}

/// Looks end users of one client up.
pub struct EndUserDirectory {
    end_users: Arc<dyn EndUserStore>,
}

impl EndUserDirectory {
    /// A directory over this store.
    pub fn new(end_users: Arc<dyn EndUserStore>) -> Self {
        Self { end_users }
    }

    /// The client's end users that fit the filter.
    ///
    /// # Errors
    /// Fails when the store does not answer.
    pub async fn list(&self, owner: ClientId, filter: &EndUserFilter) -> Result<Page<EndUser>, PortFailure> {
        self.end_users.list(owner, filter).await
    }

    /// One end user of the client.
    ///
    /// # Errors
    /// Fails when the store does not answer.
    pub async fn find(&self, owner: ClientId, id: EndUserId) -> Result<Option<EndUser>, PortFailure> {
        self.end_users.find(owner, id).await
    }

    /// How many end users the client has, and what they weigh.
    ///
    /// # Errors
    /// Fails when the store does not answer.
    pub async fn stats(&self, owner: ClientId) -> Result<EndUserStats, PortFailure> {
        self.end_users.stats(owner).await
    }
}
