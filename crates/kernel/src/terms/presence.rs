/// The rule by which a round counts its present voters. It is frozen at opening, so a result keeps its rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PresenceRule {
    /// The set of registered voters who were connected at opening, or voted.
    #[default]
    ConnectedOrVoted,
    /// The set of registered voters who were checked in at opening, or voted. The rule of meetings with check-in.
    CheckedIn,
    /// The larger number of voters connected at opening and of votes cast, in each unit. The rule of rounds that were
    /// opened before the set was counted.
    LargerNumber,
}
