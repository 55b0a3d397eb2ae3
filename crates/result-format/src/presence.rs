use plenum_kernel::PresenceRule;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::decision_rule::same_names;

/// The rule by which the present voters of a round were counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schema(as = PresenceRule)]
pub enum PresenceRuleName {
    /// The set of voters who were connected at opening, or voted.
    ConnectedOrVoted,
    /// The set of voters who were checked in at opening, or voted. `wasConnected` then says that a voter was checked in.
    CheckedIn,
    /// The larger number of voters connected at opening and of votes cast, in each unit. The rule of rounds that were
    /// opened by earlier versions, whose files do not name it.
    #[default]
    LargerNumber,
}

same_names!(PresenceRuleName, PresenceRule, [ConnectedOrVoted, CheckedIn, LargerNumber]);
