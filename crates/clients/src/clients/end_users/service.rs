use std::sync::Arc;

use plenum_kernel::{
    ClientId, Clock, EmailAddress, EndUserId, KindWeights, NamedGroup, NewIds, Page, PasswordSetter, PortFailure,
    ReasonNeeded, Secrets, VotingWeight, decide_setting,
};

use crate::{
    AddEndUserError, Address, ChangeEndUserError, EndUser, EndUserChanges, EndUserCredentials, EndUserFilter,
    EndUserStats, EndUserStore, EndUserUpdate, GroupStore, Password, PasswordHasher, PersonName, RemoveEndUserError,
    SetPassword, SheetWriter, Username, WeightKindStore,
};

/// An end user to create.
#[derive(Clone, Debug)]
pub struct NewEndUser {
    /// The name for sign-in.
    pub username: Username,
    /// The full name.
    pub name: PersonName,
    /// The email address.
    pub email: Option<EmailAddress>,
    /// The postal address.
    pub address: Option<Address>,
    /// The voting weight.
    pub weight: VotingWeight,
    /// The values of kinds of weight.
    pub weights: KindWeights,
    /// The groups, by name.
    pub groups: Vec<NamedGroup>,
    /// Whether the end user may sign in and vote.
    pub is_active: bool,
    /// The password.
    pub password: Password,
}

/// The ports that the administration of end users needs.
#[derive(Clone)]
pub struct EndUserPorts {
    /// Stores end users.
    pub end_users: Arc<dyn EndUserStore>,
    /// Stores groups.
    pub groups: Arc<dyn GroupStore>,
    /// Stores kinds of weight.
    pub weight_kinds: Arc<dyn WeightKindStore>,
    /// Hashes passwords.
    pub hasher: Arc<dyn PasswordHasher>,
    /// Writes exports.
    pub sheets: Arc<dyn SheetWriter>,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Supplies the ids of end users.
    pub ids: Arc<dyn NewIds>,
    /// Supplies random passwords.
    pub secrets: Arc<dyn Secrets>,
}

/// Creates, changes, deletes, lists, imports and exports the end users of a client.
///
/// The import is in `import/run.rs`, the export in `export.rs`.
pub struct EndUserService {
    pub(crate) ports: EndUserPorts,
}

impl EndUserService {
    /// A service by these ports.
    pub fn new(ports: EndUserPorts) -> Self {
        Self { ports }
    }

    /// Creates an end user of the client.
    ///
    /// # Errors
    /// Fails when the username is taken in this client. Case does not matter.
    pub async fn add(&self, owner: ClientId, new: NewEndUser) -> Result<EndUserCredentials, AddEndUserError> {
        let hash = self.ports.hasher.hash(new.password.clone()).await?;
        let end_user = EndUser {
            id: EndUserId::new(&*self.ports.ids),
            client_id: owner,
            username: new.username,
            name: new.name,
            email: new.email,
            address: new.address,
            weight: new.weight,
            weights: new.weights,
            groups: new.groups,
            is_active: new.is_active,
            last_login_at: None,
            created_at: self.ports.clock.now(),
            is_erased: false,
        };
        self.ports.end_users.add(end_user.clone(), hash).await?;
        Ok(EndUserCredentials { end_user, password: new.password })
    }

    /// Makes all of the changes, or none. A new password or a deactivation signs the end user out everywhere.
    ///
    /// # Errors
    /// Fails when the client has no such end user, the username is taken in this client, or the end user may vote in an open
    /// round and the new password has no reason.
    pub async fn change(
        &self,
        owner: ClientId,
        id: EndUserId,
        changes: EndUserChanges,
        password: Option<(Password, PasswordSetter)>,
    ) -> Result<EndUser, ChangeEndUserError> {
        let password = match password {
            Some((password, setter)) => {
                self.check_setting(owner, &[id], &setter).await??;
                Some(SetPassword { hash: self.ports.hasher.hash(password).await?, setter })
            }
            None => None,
        };
        self.ports.end_users.update(owner, EndUserUpdate { id, changes, password }, self.ports.clock.now()).await
    }

    /// Deletes an end user. Their votes stay and count.
    ///
    /// # Errors
    /// Fails when the client has no such end user, or the end user is in the register of an open round.
    pub async fn delete(&self, owner: ClientId, id: EndUserId) -> Result<(), RemoveEndUserError> {
        self.ports.end_users.remove(owner, id).await
    }

    /// Sets a new random password, because a hashed one cannot be read, and signs the end user out everywhere.
    ///
    /// # Errors
    /// Fails when the client has no such end user, or the end user may vote in an open round and there is no reason.
    pub async fn renew_password(
        &self,
        owner: ClientId,
        id: EndUserId,
        setter: PasswordSetter,
    ) -> Result<EndUserCredentials, ChangeEndUserError> {
        if self.ports.end_users.find(owner, id).await?.is_none() {
            // Checked before the slow hash, so that requests for unknown end users cost the server little.
            return Err(ChangeEndUserError::NotFound);
        }
        let password = Password::parse(&self.ports.secrets.password())
            .map_err(|wanted| PortFailure::new("the source of secrets", wanted.to_string()))?;
        let end_user = self.change(owner, id, EndUserChanges::default(), Some((password.clone(), setter))).await?;
        Ok(EndUserCredentials { end_user, password })
    }

    /// Checks before the slow hashes whether passwords of these people need a reason. The store checks again when it sets
    /// them, because a round may open meanwhile.
    pub(crate) async fn check_setting(
        &self,
        owner: ClientId,
        people: &[EndUserId],
        setter: &PasswordSetter,
    ) -> Result<Result<(), ReasonNeeded>, PortFailure> {
        if setter.reason.is_some() || people.is_empty() {
            return Ok(Ok(()));
        }
        Ok(decide_setting(self.ports.end_users.open_votes(owner, people).await?, setter))
    }

    /// Lists the client's end users that match the filter.
    ///
    /// # Errors
    /// Fails when the store does not answer.
    pub async fn list(&self, owner: ClientId, filter: &EndUserFilter) -> Result<Page<EndUser>, PortFailure> {
        self.ports.end_users.list(owner, filter).await
    }

    /// Finds one end user of the client.
    ///
    /// # Errors
    /// Fails when the store does not answer.
    pub async fn find(&self, owner: ClientId, id: EndUserId) -> Result<Option<EndUser>, PortFailure> {
        self.ports.end_users.find(owner, id).await
    }

    /// Counts the client's end users, and sums the weights of the active ones.
    ///
    /// # Errors
    /// Fails when the store does not answer.
    pub async fn stats(&self, owner: ClientId) -> Result<EndUserStats, PortFailure> {
        self.ports.end_users.stats(owner).await
    }
}
