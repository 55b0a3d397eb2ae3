use chrono::{DateTime, Utc};
use plenum_kernel::{ClientId, EmailAddress, is_test_name};

use crate::{ChangeClientError, ClientCode, ContactAdmin};

plenum_kernel::text_value!(
    /// The name of an organization.
    ClientName, check_line, 200
);

/// Whether the people of an organization may sign in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClientStatus {
    /// They may sign in.
    Active,
    /// They may not sign in, because the organization does not use the product.
    Inactive,
    /// They may not sign in, by decision of a super administrator.
    Suspended,
}

/// The plan that an organization pays for. The plans differ only in name so far.
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

/// An organization that uses Plenum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Client {
    /// The id of the client.
    pub id: ClientId,
    /// The name of the client.
    pub name: ClientName,
    /// The short public name. A new name does not change it. Earlier ones still lead to the client.
    pub code: ClientCode,
    /// The contact address, independent of the administrator's sign-in address.
    pub contact_email: EmailAddress,
    /// Whether its people may sign in.
    pub status: ClientStatus,
    /// The plan that it pays for.
    pub plan: SubscriptionPlan,
    /// The time of creation.
    pub created_at: DateTime<Utc>,
}

impl Client {
    /// Whether it is test data, which depends on its name. Statistics of all clients leave test data out.
    pub fn is_test(&self) -> bool {
        is_test_name(self.name.as_str())
    }

    /// Whether the client can have the name of `changed`. A round settles whether the client is test data: the results of its meetings
    /// bear the mark.
    ///
    /// # Errors
    /// Refuses a name that gains or loses the mark of test data while a meeting of the client has a round.
    pub fn check_test_mark(&self, changed: &Self, was_opened: bool) -> Result<(), ChangeClientError> {
        let is_changed = self.is_test() != changed.is_test();
        if was_opened && is_changed { Err(ChangeClientError::TestMarkSettled) } else { Ok(()) }
    }
}

/// A client, as lists of other things name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientReference {
    /// The id of the client.
    pub id: ClientId,
    /// The name of the client.
    pub name: ClientName,
    /// The short public name.
    pub code: ClientCode,
    /// Whether its people may sign in.
    pub status: ClientStatus,
}

/// A client, as the list of clients shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientOverview {
    /// The client itself.
    pub client: Client,
    /// Its accounts, the oldest first. The oldest account is the contact administrator.
    pub admins: Vec<ContactAdmin>,
    /// The number of end users, without test data unless the client is test data.
    pub end_user_count: u64,
    /// The number of meetings, without test data unless the client is test data.
    pub meeting_count: u64,
}

/// The numbers of clients, without test data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClientStats {
    /// All clients.
    pub total: u64,
    /// Clients that are ACTIVE.
    pub active: u64,
    /// Clients that are INACTIVE or SUSPENDED.
    pub inactive: u64,
}
