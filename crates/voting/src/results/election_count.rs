use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use plenum_kernel::election::{Candidate, ElectionRule, TieRule};
use plenum_kernel::{OptionId, Unit, VotingWeight};
use rust_decimal::Decimal;

use crate::elections::{
    Ballot, Count as ElectionTally, Election, ElectionTerms, Electorate, Outcome, Tie, TieDecision, TieDecisions,
    TieMatter, Votes, count,
};
use crate::{Answer, BallotForm, Count, CountedVote, Decision, SeatTie, Wording};

/// A decision of a tie, with the people who took part in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MadeTieDecision {
    /// The tie and its decision.
    pub decision: TieDecision,
    /// Who drew a lot by hand.
    pub drawn_by: Option<String>,
    /// Who saw it.
    pub witnessed_by: Option<String>,
    /// The time.
    pub at: DateTime<Utc>,
    /// The name of the organizer.
    pub decided_by: Option<String>,
}

/// The count of an election, with the terms and decisions that it followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountedElection {
    /// The terms.
    pub rule: ElectionRule,
    /// The count.
    pub count: ElectionTally,
    /// The decisions of its ties, in their order.
    pub decisions: Vec<MadeTieDecision>,
}

/// The voters of an election, beside those who voted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Voters {
    pub(crate) register: Count,
    pub(crate) present: Count,
}

impl CountedElection {
    /// Counts the votes of a round. `None` if the terms cannot count anything, which the check of a question prevents.
    pub(crate) fn of(
        rule: &ElectionRule,
        wording: &Wording,
        votes: &[CountedVote],
        (voters, decisions): (Voters, &[MadeTieDecision]),
    ) -> Option<Self> {
        let election = election_of(rule, wording, voters)?;
        let ballots = ballots_of(&BallotForm::of(rule, wording.options.len()), votes);
        let made = |decisions: &[MadeTieDecision]| TieDecisions {
            made: decisions.iter().map(|made| made.decision.clone()).collect(),
            ..TieDecisions::default()
        };
        // A vote of test data can be discarded after a decision. Then its tie may be gone, and the count waits at another.
        let (count, decisions) = match count(&election, &ballots, &made(decisions)) {
            Ok(counted) => (counted, decisions.to_vec()),
            Err(_) => (count(&election, &ballots, &TieDecisions::default()).ok()?, Vec::new()),
        };
        Some(Self { rule: rule.clone(), count, decisions })
    }

    /// The tie at which the count waits.
    pub fn open_tie(&self) -> Option<&Tie> {
        match &self.count.outcome {
            Outcome::Tied(tie) => Some(tie),
            Outcome::Complete { .. } => None,
        }
    }

    /// Whether the count waits for a lot: its result cannot be declared before. A tie for seats may be left to another
    /// ballot, if the terms say so.
    pub fn waits_for_lot(&self) -> bool {
        let is_left = self.rule.ties == TieRule::RunOff;
        self.open_tie().is_some_and(|tie| !(is_left && tie.is_for_seats()))
    }

    /// The elected options, and the tie.
    pub(crate) fn decision(&self, wording: &Wording) -> Decision {
        let option = |candidate: Candidate| wording.options.get(candidate.place()?).map(|option| option.id);
        let options: Vec<OptionId> =
            self.count.elected.iter().filter_map(|elected| option(elected.candidate)).collect();
        let tie = self.open_tie().map(|tie| {
            let tied: Vec<Candidate> = match &tie.matter {
                TieMatter::Seats { candidates, .. }
                | TieMatter::Exclusion { candidates }
                | TieMatter::FirstSurplus { candidates } => candidates.clone(),
                TieMatter::ListSeats { .. } => Vec::new(),
            };
            let votes = tied.first().and_then(|candidate| self.last_votes(*candidate)).unwrap_or_default();
            let seats = u32::try_from(tie.wanted()).unwrap_or(u32::MAX);
            SeatTie { options: tied.into_iter().filter_map(option).collect(), votes, seats }
        });
        if options.is_empty() { Decision::NotElected { tie } } else { Decision::Elected { options, tie } }
    }

    /// The votes of a candidate at the end of the last stage.
    fn last_votes(&self, candidate: Candidate) -> Option<Decimal> {
        let stage = self.count.stages.last()?;
        let (_, votes) = stage.votes.iter().find(|(of, _)| *of == candidate)?;
        votes.text(0).parse().ok()
    }
}

/// The election as it is counted. `None` if the terms cannot count anything.
pub(super) fn election_of(rule: &ElectionRule, wording: &Wording, voters: Voters) -> Option<Election> {
    let in_unit = |count: Count| match rule.unit {
        Unit::Heads => Some(Votes::whole(count.heads)),
        Unit::Weight => Votes::weighed(VotingWeight::from_stored(count.weight), 1),
    };
    let electorate = Electorate { register: in_unit(voters.register)?, present: in_unit(voters.present)? };
    Election::new(ElectionTerms {
        method: rule.method.clone(),
        candidates: rule.standings(wording.options.len()),
        seats: rule.seats,
        unit: rule.unit,
        abstentions: rule.abstentions,
        blank: rule.blank,
        least_support: rule.least_support,
        electorate,
    })
    .ok()
}

/// The ballots, equal ones together.
pub(super) fn ballots_of(form: &BallotForm, votes: &[CountedVote]) -> Vec<Ballot> {
    let mut groups: BTreeMap<(&str, Decimal), u64> = BTreeMap::new();
    for vote in votes {
        if let Answer::Text(marks) = &vote.answer {
            *groups.entry((marks, vote.weight)).or_default() += 1;
        }
    }
    let ballot = |((marks, weight), voters): ((&str, Decimal), u64)| {
        let marks = form.stored(marks)?;
        Some(Ballot { marks, weight: VotingWeight::from_stored(weight), voters })
    };
    groups.into_iter().filter_map(ballot).collect()
}
