//! The present voters of a round.

use plenum_kernel::PresenceRule;

use crate::{Count, CountedVote};

/// Voters who are not present, and for whom the holder of their proxy is. They attend as the present voters do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Represented {
    /// Those whose holder was connected at opening while they were not, or has cast their vote. Without those who voted
    /// themselves.
    pub count: Count,
    /// Those of them who have a vote, cast by the holder, and were not connected at opening.
    pub cast_by_holder: Count,
}

impl Represented {
    /// The present voters: `counted` counts everybody with a vote, and the vote of these was cast by somebody else.
    pub(crate) fn out_of(self, counted: Count) -> Count {
        counted.minus(self.cast_by_holder)
    }
}

/// Counts the present voters, in heads and in weight.
pub fn count_present<'a>(
    rule: PresenceRule,
    connected_at_opening: Count,
    votes: impl IntoIterator<Item = &'a CountedVote>,
) -> Count {
    let mut present = connected_at_opening;
    let mut votes_cast = Count::default();
    for vote in votes {
        votes_cast.add(vote.weight);
        if !vote.was_connected {
            present.add(vote.weight);
        }
    }
    match rule {
        PresenceRule::ConnectedOrVoted | PresenceRule::CheckedIn => present,
        PresenceRule::LargerNumber => connected_at_opening.at_least(votes_cast),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Answer;

    fn count(heads: u64, weight: &str) -> Count {
        Count { heads, weight: weight.parse().unwrap() }
    }

    fn vote(was_connected: bool, weight: &str) -> CountedVote {
        CountedVote {
            answer: Answer::Text("Yes".to_owned()),
            weight: weight.parse().unwrap(),
            second_weight: None,
            was_connected,
            groups: Vec::new(),
            cast_on: None,
        }
    }

    #[test]
    fn everyone_who_was_connected_or_voted_is_present_once() {
        let present = |votes: &[CountedVote]| count_present(PresenceRule::ConnectedOrVoted, count(2, "3.5"), votes);
        assert_eq!(present(&[]), count(2, "3.5"));
        assert_eq!(present(&[vote(true, "1.5")]), count(2, "3.5"));
        assert_eq!(present(&[vote(true, "1.5"), vote(false, "0.0001")]), count(3, "3.5001"));
        assert_eq!(present(&[vote(false, "4"), vote(false, "5")]), count(4, "12.5"));
    }

    #[test]
    fn an_older_round_counts_the_larger_number_in_each_unit() {
        let present = |votes: &[CountedVote]| count_present(PresenceRule::LargerNumber, count(2, "3.5"), votes);
        assert_eq!(present(&[vote(false, "4")]), count(2, "4"));
        assert_eq!(present(&[vote(false, "1"), vote(false, "1"), vote(true, "1")]), count(3, "3.5"));
    }
}
