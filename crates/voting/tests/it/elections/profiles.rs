//! Elections and ballots in short form.

use plenum_kernel::{Seats, Unit, VotingWeight};
use plenum_voting::elections::{
    Abstentions, Ballot, Blank, Candidate, Count, Election, ElectionTerms, Electorate, Marks, Method, Outcome,
    RankingRules, Stage, Standing, TieDecisions, count,
};

/// The terms of an election of persons with this number of candidates, by heads.
pub(crate) fn terms(method: Method, candidates: usize, seats: u32) -> ElectionTerms {
    ElectionTerms {
        method,
        candidates: vec![Standing::Stands; candidates],
        seats: Some(Seats::new(seats).unwrap()),
        unit: Unit::Heads,
        abstentions: Abstentions::AreVotesCast,
        blank: Blank::Invalid,
        least_support: None,
        electorate: Electorate::default(),
    }
}

/// Counts without a decision of ties.
pub(crate) fn counted(terms: ElectionTerms, ballots: &[Ballot]) -> Count {
    count(&Election::new(terms).unwrap(), ballots, &TieDecisions::default()).unwrap()
}

/// The elected candidates, by number.
pub(crate) fn elected(count: &Count) -> Vec<u32> {
    count.elected.iter().map(|elected| elected.candidate.number()).collect()
}

/// The votes of a stage as texts, with this number of decimals.
pub(crate) fn votes(stage: &Stage, decimals: usize) -> Vec<String> {
    stage.votes.iter().map(|(_, votes)| votes.text(decimals)).collect()
}

/// Equal ballots.
pub(crate) fn ballots(voters: u64, marks: Marks) -> Ballot {
    Ballot { marks, weight: VotingWeight::ONE, voters }
}

/// Candidates by number.
pub(crate) fn candidates(numbers: &[u32]) -> Vec<Candidate> {
    numbers.iter().copied().map(Candidate::numbered).collect()
}

/// A ranking of one candidate after the other.
pub(crate) fn ranking(numbers: &[u32]) -> Marks {
    Marks::Ranking(numbers.iter().map(|number| vec![Candidate::numbered(*number)]).collect())
}

/// The method of the Scottish rules.
pub(crate) const STV: Method = Method::StvScottish(RankingRules::UP_TO_FAULT);

/// Whether a count has no open tie.
pub(crate) fn is_complete(count: &Count) -> bool {
    matches!(count.outcome, Outcome::Complete { .. })
}
