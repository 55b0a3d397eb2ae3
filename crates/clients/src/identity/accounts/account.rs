use chrono::{DateTime, Utc};
use plenum_kernel::{AccountId, ClientId, EmailAddress, Person};

use crate::PasswordHash;

plenum_kernel::text_value!(
    /// A first, last or full name of a person.
    PersonName, check_line, 200
);

/// The role of an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccountRole {
    /// Manages clients as a super administrator.
    SuperAdmin,
    /// Administers this client.
    ClientAdmin(ClientId),
}

/// An account that signs in to a portal with email and password.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// The id of the account.
    pub id: AccountId,
    /// The role of the account.
    pub role: AccountRole,
    /// The email address with which the owner signs in.
    pub email: EmailAddress,
    /// The hash of its password.
    pub password_hash: PasswordHash,
    /// The owner's first name.
    pub first_name: PersonName,
    /// The owner's last name.
    pub last_name: PersonName,
    /// The time of creation.
    pub created_at: DateTime<Utc>,
}

impl Account {
    /// The person who acts with this account.
    pub fn person(&self) -> Person {
        match self.role {
            AccountRole::SuperAdmin => Person::SuperAdmin { account: self.id },
            AccountRole::ClientAdmin(client) => Person::ClientAdmin { account: self.id, client },
        }
    }
}

/// An administrator of a client, as the list of clients shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContactAdmin {
    /// The id of the account.
    pub id: AccountId,
    /// The email address with which the administrator signs in.
    pub email: EmailAddress,
    /// First name.
    pub first_name: PersonName,
    /// Last name.
    pub last_name: PersonName,
}
