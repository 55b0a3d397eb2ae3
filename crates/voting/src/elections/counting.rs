use super::reading::Paper;
use super::{
    BallotReport, DecidedBy, Details, Elected, Election, Outcome, ResolvedBy, ResolvedTie, Stage, Tie, TieBreaker,
    VacancyReason, Votes,
};
use plenum_kernel::election::{Abstentions, Candidate, Requirement, ShareBase};

/// What a method needs to count.
pub(super) struct Counting<'a> {
    pub(super) election: &'a Election,
    pub(super) papers: &'a [Paper],
    pub(super) report: &'a BallotReport,
    pub(super) ties: TieBreaker<'a>,
}

/// What a method has counted.
pub(super) struct Counted {
    pub(super) stages: Vec<Stage>,
    pub(super) elected: Vec<Elected>,
    pub(super) outcome: Outcome,
    pub(super) seat_ties: Vec<ResolvedTie>,
    pub(super) order: Vec<Vec<Candidate>>,
    pub(super) support: Vec<Votes>,
    pub(super) details: Details,
}

impl Counting<'_> {
    /// The whole of which a share is taken. Votes on each candidate count their yes and no themselves.
    pub(super) fn whole(&self, base: ShareBase) -> Votes {
        let terms = self.election.terms();
        match base {
            ShareBase::YesAndNo | ShareBase::ValidBallots => self.report.valid.votes,
            ShareBase::VotesCast => match terms.abstentions {
                Abstentions::AreVotesCast => self.report.valid.votes + self.report.abstentions.votes,
                Abstentions::AreNotVotes => self.report.valid.votes,
            },
            ShareBase::Register => terms.electorate.register,
            ShareBase::Present => terms.electorate.present,
        }
    }

    /// Whether the votes are the required share.
    pub(super) fn meets(&self, votes: Votes, requirement: Requirement) -> bool {
        votes.meet(requirement.threshold, self.whole(requirement.base))
    }

    /// The reason why this support elects nobody, or `None` if it is enough.
    pub(super) fn lacks_support(&self, support: Votes) -> Option<VacancyReason> {
        let least = self.election.terms().least_support;
        if support.is_zero() {
            return Some(VacancyReason::NoVotes);
        }
        let is_enough = least.is_none_or(|least| self.meets(support, least));
        (!is_enough).then_some(VacancyReason::RequirementMissed)
    }

    /// Whether a method with transfers excludes a candidate with this support for lack of it. It never excludes "none of
    /// the above": without it, a person whom the voters rejected could win the seat.
    pub(super) fn is_unsupported(&self, place: usize, support: Votes) -> bool {
        let least = self.election.terms().least_support;
        self.election.is_person(place) && least.is_some_and(|least| !self.meets(support, least))
    }

    /// The decided order of a tie, with its record. `None` if nobody has decided.
    pub(super) fn resolve(&mut self, tie: &Tie) -> Option<Resolved> {
        let (numbers, by) = self.ties.order(tie)?;
        Some(Resolved { numbers, by, record: ResolvedTie { tie: tie.clone(), by: ResolvedBy::Decision(by) } })
    }
}

/// The decision of a tie.
pub(super) struct Resolved {
    /// The numbers in the decided order.
    pub(super) numbers: Vec<u32>,
    pub(super) by: DecidedBy,
    pub(super) record: ResolvedTie,
}

impl Resolved {
    /// The places of the candidates, in the decided order.
    pub(super) fn places(&self) -> impl Iterator<Item = usize> + '_ {
        self.numbers.iter().filter_map(|number| Candidate::numbered(*number).place())
    }
}
