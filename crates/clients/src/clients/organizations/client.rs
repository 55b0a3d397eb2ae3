use chrono::{DateTime, Utc};
use plenum_kernel::{ClientId, EmailAddress, is_test_name};

use crate::{ClientCode, ContactAdmin};

plenum_kernel::text_value!(
    /// What an organization calls itself.
    ClientName, check_line, 200
);

/// Whether an organization's people may sign in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClientStatus {
    /// They may.
    Active,
    /// They may not, because the organization is not using the product.
    Inactive,
    /// They may not, by decision of a super administrator.
    Suspended,
}

/// What an organization pays for. The plans differ in name only so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SubscriptionPlan {
    /// The default.
    #[default]
    Basic,
    /// The middle one.
    Pro,
    /// The largest one.
    Enterprise,
}

/// An organization, the tenant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Client {
    /// Its id.
    pub id: ClientId,
    /// Its name.
    pub name: ClientName,
    /// Its short public name; never changed by a new name.
    pub code: ClientCode,
    /// Where to write to; independent of the administrator's sign-in address.
    pub contact_email: EmailAddress,
    /// Whether its people may sign in.
    pub status: ClientStatus,
    /// What it pays for.
    pub plan: SubscriptionPlan,
    /// Since when it is there.
    pub created_at: DateTime<Utc>,
}

impl Client {
    /// Whether it is test data, as long as it is called so. Then it is left out of what is told of all clients.
    pub fn is_test(&self) -> bool {
        is_test_name(self.name.as_str())
    }
}

/// A client as lists of other things name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientReference {
    /// Its id.
    pub id: ClientId,
    /// Its name.
    pub name: ClientName,
    /// Its short public name.
    pub code: ClientCode,
    /// Whether its people may sign in.
    pub status: ClientStatus,
}

/// A client with what the list of clients shows beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientOverview {
    /// The client itself.
    pub client: Client,
    /// Its accounts, the oldest (the contact administrator) first.
    pub admins: Vec<ContactAdmin>,
    /// How many end users it has; without test data, unless it is test data itself.
    pub end_user_count: u64,
    /// How many meetings it has; without test data, unless it is test data itself.
    pub meeting_count: u64,
}

/// How many clients there are, without test data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClientStats {
    /// All of them.
    pub total: u64,
    /// Those that are ACTIVE.
    pub active: u64,
    /// Those that are INACTIVE or SUSPENDED.
    pub inactive: u64,
}
