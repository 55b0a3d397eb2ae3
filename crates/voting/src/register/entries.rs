use plenum_kernel::{EndUserId, PageRequest, SearchText};
use rust_decimal::Decimal;

use crate::CastOn;

/// A person in the register of a round, as of the time of registration. It shows whether the person has voted, and
/// never the answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisterEntry {
    /// The end user. The account may be deleted.
    pub end_user_id: EndUserId,
    /// The full name.
    pub name: String,
    /// The username at that time.
    pub username: String,
    /// The voting weight.
    pub weight: Decimal,
    /// The second weight, if the round has one.
    pub second_weight: Option<Decimal>,
    /// Whether the person has voted in the round.
    pub has_voted: bool,
    /// Where the vote was cast. `None` without a vote, and on a device of the voter or the holder of their proxy.
    pub cast_on: Option<CastOn>,
    /// The name of the holder of the person's proxy in the round, who may be the one to ask for the vote.
    pub holder: Option<String>,
}

/// A filter for register entries. The entries come in the order of names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisterFilter {
    /// Search text in name or username.
    pub search: Option<SearchText>,
    /// Only voters who have voted, or only voters who have not.
    pub has_voted: Option<bool>,
    /// The page.
    pub page: PageRequest,
}
