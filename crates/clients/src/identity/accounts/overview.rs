use chrono::{DateTime, Utc};
use plenum_kernel::{AccountId, EmailAddress, PageRequest, SearchText};

use crate::{ClientReference, PersonName};

/// The order in which accounts are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AccountSort {
    /// The newest first.
    #[default]
    Newest,
    /// By full name, first name before last name, ascending.
    NameAscending,
    /// By full name, descending.
    NameDescending,
}

/// The accounts to list, and their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AccountFilter {
    /// Text to find in the full name, the email address or the client's name.
    pub search: Option<SearchText>,
    /// The order.
    pub sort: AccountSort,
    /// The page to return; `None` for all.
    pub page: Option<PageRequest>,
}

/// An account as the list of accounts shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountOverview {
    /// The id of the account.
    pub id: AccountId,
    /// The email address with which the owner signs in.
    pub email: EmailAddress,
    /// The owner's first name.
    pub first_name: PersonName,
    /// The owner's last name.
    pub last_name: PersonName,
    /// The time of the last sign-in.
    pub last_login_at: Option<DateTime<Utc>>,
    /// The time of creation.
    pub created_at: DateTime<Utc>,
    /// The client that the account administers; `None` for super administrators.
    pub client: Option<ClientReference>,
}
