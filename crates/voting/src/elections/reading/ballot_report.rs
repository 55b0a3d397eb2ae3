use crate::elections::Votes;

/// A number of ballots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BallotSum {
    /// Their voters.
    pub voters: u64,
    /// Their votes in the unit of the count.
    pub votes: Votes,
}

impl BallotSum {
    pub(super) fn add(&mut self, voters: u64, votes: Votes) {
        self.voters = self.voters.saturating_add(voters);
        self.votes = self.votes.plus_at_most(votes);
    }
}

/// The ballots of an election by their validity. Each is valid, invalid or an abstention.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BallotReport {
    /// All ballots.
    pub cast: BallotSum,
    /// The ballots that count for candidates, and the blank ones that count for nobody.
    pub valid: BallotSum,
    /// The abstentions, with the blank ballots that count as such.
    pub abstentions: BallotSum,
    /// The ballots that do not count.
    pub invalid: BallotSum,
    /// Each fault that occurred, with its effect, in the order of [`Fault`]. A ballot with several faults is in several
    /// of them.
    pub faults: Vec<FaultSum>,
}

/// The ballots with the same fault and effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FaultSum {
    /// The fault.
    pub fault: Fault,
    /// Its effect.
    pub effect: Effect,
    /// The ballots.
    pub ballots: BallotSum,
}

/// A ballot that is blank, incomplete or contradicts the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fault {
    /// It has no mark.
    Blank,
    /// It has marks for withdrawn candidates only.
    OnlyWithdrawn,
    /// It has a mark for a withdrawn candidate.
    Withdrawn,
    /// It is a ballot of another method.
    OtherMethod,
    /// It names a number that no candidate or list has.
    NoSuchCandidate,
    /// It has fewer marks than required.
    TooFew,
    /// It has more marks than allowed.
    TooMany,
    /// It marks a candidate twice.
    Repeated,
    /// It skips a rank before a later one.
    SkippedRank,
    /// It puts several candidates into one rank.
    EqualRank,
    /// It gives one candidate more votes or points than allowed.
    TooManyForOne,
    /// It marks "none of the above" together with candidates.
    NoneAndOthers,
    /// It chooses a candidate who is not on the chosen list.
    OtherList,
}

/// The effect of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// The count passes over the mark.
    PassedOver,
    /// The ballot counts up to the fault.
    CutThere,
    /// The ballot is invalid.
    Invalid,
    /// The ballot counts as an abstention.
    Abstains,
    /// The ballot is valid and counts for nobody.
    ValidForNobody,
}
