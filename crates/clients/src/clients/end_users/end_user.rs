use chrono::{DateTime, Utc};
use plenum_kernel::{ClientId, EmailAddress, EndUserId, VotingWeight, is_test_name};
use rust_decimal::Decimal;

use crate::{Password, PersonName};

plenum_kernel::text_value!(
    /// What an end user signs in with, together with the client code. Compared without regard to case, and without anything
    /// that cannot be seen.
    Username, check_username, 64
);

plenum_kernel::text_value!(
    /// A postal address, in as many lines as it takes.
    Address, check_text, 500
);

/// A voter of one client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndUser {
    /// Their id.
    pub id: EndUserId,
    /// The client they vote in.
    pub client_id: ClientId,
    /// What they sign in with.
    pub username: Username,
    /// Their full name.
    pub name: PersonName,
    /// Where to write to, if known.
    pub email: Option<EmailAddress>,
    /// Where they live, if known.
    pub address: Option<Address>,
    /// What their vote weighs.
    pub weight: VotingWeight,
    /// Whether they may sign in and vote.
    pub is_active: bool,
    /// When they last signed in.
    pub last_login_at: Option<DateTime<Utc>>,
    /// Since when they are there.
    pub created_at: DateTime<Utc>,
}

impl EndUser {
    /// Whether they are test data, as long as they are called so. In a client that is not, they are then left out of its
    /// figures and of what is for everybody.
    pub fn is_test(&self) -> bool {
        is_test_name(self.name.as_str()) || is_test_name(self.username.as_str())
    }
}

/// How many end users a client has; without test data, unless the client is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EndUserStats {
    /// All of them.
    pub total: u64,
    /// Those who may sign in.
    pub active: u64,
    /// Those who may not.
    pub inactive: u64,
    /// The exact sum of the weights of those who are active.
    pub total_weight: Decimal,
}

/// An end user whose password was just set, with the password that only whoever set it will ever see.
#[derive(Clone, Debug)]
pub struct EndUserCredentials {
    /// The end user.
    pub end_user: EndUser,
    /// Their password in the clear, for the credentials sheet.
    pub password: Password,
}
