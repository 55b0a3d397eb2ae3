use std::sync::Arc;

use plenum_kernel::{Page, PortFailure};

use crate::{
    AccountFilter, AccountOverview, AccountStore, ChangePasswordError, OwnPasswordChange, PasswordChange, SignInService,
};

/// Lists accounts, and changes the password of a person who is signed in.
pub struct AccountService {
    accounts: Arc<dyn AccountStore>,
    sign_in: Arc<SignInService>,
}

impl AccountService {
    /// A service over this store. `sign_in` checks current passwords, so that both count failures together.
    pub fn new(accounts: Arc<dyn AccountStore>, sign_in: Arc<SignInService>) -> Self {
        Self { accounts, sign_in }
    }

    /// Lists the accounts of all clients and of super administrators that match the filter.
    ///
    /// # Errors
    /// Fails when the store does not answer.
    pub async fn list(&self, filter: &AccountFilter) -> Result<Page<AccountOverview>, PortFailure> {
        self.accounts.list(filter).await
    }

    /// Changes the password of the acting person, and ends all their sessions except the one in which they act. A wrong
    /// current password counts as a failed sign-in, so an unattended screen allows no faster guessing than the sign-in.
    ///
    /// # Errors
    /// Fails when the current password is wrong, or there were too many failures.
    pub async fn change_password(&self, change: OwnPasswordChange) -> Result<(), ChangePasswordError> {
        let OwnPasswordChange { acting, current, new, from, waiting } = change;
        let (sign_in, ports) = (&self.sign_in, &self.sign_in.ports);
        let person = acting.person;
        let profile = sign_in.profile(person).await?.ok_or(ChangePasswordError::SessionEnded)?;
        let attempt = sign_in.own_attempt(&profile, from);
        sign_in.admit(&attempt, &waiting)?;
        let found = ports.passwords.of_person(person).await?;
        let checked = sign_in.check_password(attempt, found, current, waiting).await?.password_hash;
        let new = ports.hasher.hash(new).await?;
        let change = PasswordChange { person, checked, new, kept: acting.session, at: ports.clock.now() };
        let has_changed = ports.passwords.change(change).await?;
        // The password was right when it was checked. Another request has changed it since.
        if has_changed { Ok(()) } else { Err(ChangePasswordError::WrongPassword) }
    }
}
