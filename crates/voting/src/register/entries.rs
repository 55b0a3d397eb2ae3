use plenum_kernel::{EndUserId, PageRequest, SearchText};
use rust_decimal::Decimal;

/// Someone in the register of a round, as they were when they came into it. Says whether they have voted, and never what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisterEntry {
    /// The end user, who may be deleted by now.
    pub end_user_id: EndUserId,
    /// Their full name.
    pub name: String,
    /// What they signed in with.
    pub username: String,
    /// What their vote weighs.
    pub weight: Decimal,
    /// Whether they have voted in the round.
    pub has_voted: bool,
}

/// Which entries of a register are wanted. They come by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisterFilter {
    /// In name or username.
    pub search: Option<SearchText>,
    /// Only those who have voted, or only those who have not.
    pub has_voted: Option<bool>,
    /// This part of them.
    pub page: PageRequest,
}
