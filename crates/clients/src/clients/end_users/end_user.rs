use chrono::{DateTime, Utc};
use plenum_kernel::{ClientId, EmailAddress, EndUserId, KindWeights, NamedGroup, VotingWeight, is_test_name};
use rust_decimal::Decimal;

use crate::{Password, PersonName};

plenum_kernel::text_value!(
    /// The name with which an end user signs in to a client. Comparisons ignore case and invisible characters.
    Username, check_distinct_name, 64
);

plenum_kernel::text_value!(
    /// A postal address of one or more lines.
    Address, check_text, 500
);

/// A voter of one client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndUser {
    /// The id of the end user.
    pub id: EndUserId,
    /// The client of the end user.
    pub client_id: ClientId,
    /// The name for sign-in.
    pub username: Username,
    /// The full name.
    pub name: PersonName,
    /// The email address, if known.
    pub email: Option<EmailAddress>,
    /// The postal address, if known.
    pub address: Option<Address>,
    /// The voting weight.
    pub weight: VotingWeight,
    /// The values of the client's kinds of weight.
    pub weights: KindWeights,
    /// The groups of the end user, by name ([`crate::sort_groups`]).
    pub groups: Vec<NamedGroup>,
    /// Whether the end user may sign in and vote.
    pub is_active: bool,
    /// The time of the last sign-in.
    pub last_login_at: Option<DateTime<Utc>>,
    /// The time of creation.
    pub created_at: DateTime<Utc>,
    /// Whether the personal data was erased.
    pub is_erased: bool,
}

impl EndUser {
    /// Whether the end user is test data, which depends on the names. In a client that is not test data, statistics and
    /// meetings for everybody leave test people out.
    pub fn is_test(&self) -> bool {
        is_test_name(self.name.as_str()) || is_test_name(self.username.as_str())
    }
}

/// The numbers of a client's end users, without test data unless the client is test data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EndUserStats {
    /// All end users.
    pub total: u64,
    /// End users who may sign in.
    pub active: u64,
    /// End users who may not sign in.
    pub inactive: u64,
    /// The exact sum of the weights of the active end users.
    pub total_weight: Decimal,
}

/// An end user with a password that was just set. The password is shown once, to the person who set it.
#[derive(Clone, Debug)]
pub struct EndUserCredentials {
    /// The end user.
    pub end_user: EndUser,
    /// The password in plain text, for the credentials sheet.
    pub password: Password,
}
