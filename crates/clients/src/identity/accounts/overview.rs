use chrono::{DateTime, Utc};
use plenum_kernel::{AccountId, EmailAddress, PageRequest, SearchText};

use crate::{ClientReference, PersonName};

/// In what order accounts are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AccountSort {
    /// The newest first.
    #[default]
    Newest,
    /// By full name, the first name before the last, A first.
    NameAscending,
    /// By full name, Z first.
    NameDescending,
}

/// Which accounts are wanted, and in what order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AccountFilter {
    /// In full name, e-mail address or name of the client.
    pub search: Option<SearchText>,
    /// In this order.
    pub sort: AccountSort,
    /// This part of them; all when missing.
    pub page: Option<PageRequest>,
}

/// An account as the list of accounts shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountOverview {
    /// Its id.
    pub id: AccountId,
    /// What its owner signs in with.
    pub email: EmailAddress,
    /// The owner's first name.
    pub first_name: PersonName,
    /// The owner's last name.
    pub last_name: PersonName,
    /// When it was last signed in to.
    pub last_login_at: Option<DateTime<Utc>>,
    /// Since when it is there.
    pub created_at: DateTime<Utc>,
    /// The client that it administers; none for super administrators.
    pub client: Option<ClientReference>,
}
