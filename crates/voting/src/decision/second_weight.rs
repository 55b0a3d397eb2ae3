//! Counts by a second weight, for rules that need one beside the first: votes and shares, votes and capital.

use plenum_kernel::WeightKind;

use crate::decision::check::ScopeCounts;
use crate::{Count, CountedVote, GroupTally, OptionTally};

/// The counts of a round by its second weight. The numbers of people are those of the first one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SecondTally {
    /// The kind of the weight, as of the opening.
    pub kind: WeightKind,
    /// The voters in the register.
    pub register: Count,
    /// The people who could vote and are not in the register, because they were not checked in.
    pub absent: Count,
    /// The attending voters: present or represented.
    pub present: Count,
    /// The votes cast.
    pub votes_cast: Count,
    /// The count of each option, in order.
    pub options: Vec<OptionTally>,
    /// The counts among the members of each group of the rule, in its order.
    pub groups: Vec<GroupTally>,
}

impl SecondTally {
    /// The counts of all voters, and those not checked in.
    pub(crate) fn total(&self) -> ScopeCounts<'_> {
        ScopeCounts {
            options: &self.options,
            votes_cast: self.votes_cast,
            register: self.register.plus(self.absent),
            present: self.present,
        }
    }
}

/// The votes with their voters' second weight in place of the first.
pub(crate) fn by_second_weight(votes: &[CountedVote]) -> Vec<CountedVote> {
    let second = |vote: &CountedVote| CountedVote { weight: vote.second_weight.unwrap_or_default(), ..vote.clone() };
    votes.iter().map(second).collect()
}
