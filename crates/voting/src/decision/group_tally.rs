//! Counts among the members of one group, for a rule that must be met in each of several groups.

use plenum_kernel::PresenceRule;

use crate::decision::presence::count_present;
use crate::results::tally::count_options;
use crate::{Count, CountedVote, OptionTally, Wording};

/// A group of a round's rule, with those of the register who belong to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisteredGroup {
    /// The name at opening.
    pub name: String,
    /// The voters who belong to it.
    pub register: Count,
    /// Those of them who were connected at opening.
    pub connected: Count,
    /// Those of them who are represented, and for whom nobody has voted.
    pub represented: Count,
}

/// The counts among the members of a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupTally {
    /// The name at opening.
    pub name: String,
    /// The voters who belong to it.
    pub register: Count,
    /// The attending voters among them: present or represented.
    pub present: Count,
    /// The votes that they cast.
    pub votes_cast: Count,
    /// The count of each option, in order.
    pub options: Vec<OptionTally>,
}

impl GroupTally {
    /// Counts the votes of the members of a group: that at this place among the groups of the rule.
    pub(crate) fn count(
        (group, place): (RegisteredGroup, u16),
        presence: PresenceRule,
        wording: &Wording,
        votes: &[CountedVote],
    ) -> Self {
        let members = || votes.iter().filter(|vote| vote.groups.contains(&place));
        let present = count_present(presence, group.connected, members()).plus(group.represented);
        let mut votes_cast = Count::default();
        members().for_each(|vote| votes_cast.add(vote.weight));
        let options = count_options(wording, members());
        Self { name: group.name, register: group.register, present, votes_cast, options }
    }
}
