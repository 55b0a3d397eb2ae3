use chrono::{DateTime, Utc};
use plenum_kernel::{AccountId, ClientId, EmailAddress, Person};

use crate::PasswordHash;

plenum_kernel::text_value!(
    /// A first, last or full name of a person.
    PersonName, check_line, 200
);

/// What an account is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccountRole {
    /// Manages clients.
    SuperAdmin,
    /// Administers this client.
    ClientAdmin(ClientId),
}

/// Someone who signs in to a portal with e-mail and password.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// Its id.
    pub id: AccountId,
    /// What it is for.
    pub role: AccountRole,
    /// What its owner signs in with.
    pub email: EmailAddress,
    /// The hash of its password.
    pub password_hash: PasswordHash,
    /// The owner's first name.
    pub first_name: PersonName,
    /// The owner's last name.
    pub last_name: PersonName,
    /// Since when it is there.
    pub created_at: DateTime<Utc>,
}

impl Account {
    /// Who acts when this account is signed in.
    pub fn person(&self) -> Person {
        match self.role {
            AccountRole::SuperAdmin => Person::SuperAdmin { account: self.id },
            AccountRole::ClientAdmin(client) => Person::ClientAdmin { account: self.id, client },
        }
    }
}

/// An administrator of a client as the list of clients shows them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContactAdmin {
    /// Their account.
    pub id: AccountId,
    /// What they sign in with.
    pub email: EmailAddress,
    /// First name.
    pub first_name: PersonName,
    /// Last name.
    pub last_name: PersonName,
}
