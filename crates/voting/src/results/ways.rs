use crate::{CastOn, Count, CountedVote};

/// How many ballots came which way, in heads and in weight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ways {
    /// From devices of voters and holders of proxies.
    pub device: Count,
    /// On paper.
    pub paper: Count,
    /// At voting places.
    pub voting_place: Count,
}

impl Ways {
    /// Counts these votes.
    pub(crate) fn of(votes: &[CountedVote]) -> Self {
        let mut ways = Self::default();
        for vote in votes {
            let way = match vote.cast_on {
                None => &mut ways.device,
                Some(CastOn::Paper) => &mut ways.paper,
                Some(CastOn::VotingPlace) => &mut ways.voting_place,
            };
            way.add(vote.weight);
        }
        ways
    }

    /// Whether all ballots came from devices.
    pub fn are_all_from_devices(&self) -> bool {
        self.paper.heads == 0 && self.voting_place.heads == 0
    }
}
