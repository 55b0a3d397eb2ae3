use std::collections::BTreeSet;

use plenum_kernel::Seats;
use plenum_kernel::election::{CandidateNote, ElectionRule, Method, RefusedSeat, TieRule};

use crate::elections::{
    Action, Count, DecidedBy, Outcome, ResolvedBy, ResolvedTie, Tie, TieDecision, TieDecisions, count, draw,
};
use crate::results::election_count::{Voters, ballots_of, election_of};
use crate::{BallotForm, CountedElection, CountedVote, RegisterPaper, RoundPapers, UrnTally};

/// A lot that Plenum drew when somebody moved up. Its seed is the id of the round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawnLot {
    /// The stage of the tie, in the count that looked for the next one.
    pub stage: u32,
    /// The tied numbers in the order in which they were drawn.
    pub order: Vec<u32>,
}

/// The seats of an election after some of the elected have declined.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Succession {
    /// The numbers of those who have a seat: the elected who did not decline, then those who moved up.
    pub seated: Vec<u32>,
    /// The lots that decided who moved up.
    pub drawn: Vec<DrawnLot>,
    /// The numbers of those who are equal for a seat, if the terms leave that to another ballot.
    pub tied: Vec<u32>,
}

impl Succession {
    /// Finds who moves up. `None` if the round is no election.
    ///
    /// The elected keep their seats unless they decline. If the terms let the next one move up, the ballots say who that is:
    ///
    /// - Rankings with transfers and lists are counted again as if those who declined had withdrawn.
    /// - The other methods put all candidates into one order, so their count goes on to as many further seats.
    ///
    /// The seats that were vacant before stay vacant. Ties are decided as in the election: by an order that it has drawn, by
    /// a lot from the id of the round, or not at all if the terms leave them to another ballot.
    pub(crate) fn of(papers: &RoundPapers, declined: &BTreeSet<u32>) -> Option<Self> {
        let election = papers.result.result.result.election.as_ref()?;
        let elected: Vec<u32> = election.count.elected.iter().map(|elected| elected.candidate.number()).collect();
        let kept: Vec<u32> = elected.iter().copied().filter(|number| !declined.contains(number)).collect();
        let is_full = kept.len() == elected.len();
        if is_full || election.rule.declined == RefusedSeat::StaysVacant {
            return Some(Self { seated: kept, ..Self::default() });
        }
        let (again, precedents) = count_without(papers, election, declined)?;
        let next = again.elected.iter().map(|elected| elected.candidate.number());
        let next = next.filter(|number| !declined.contains(number) && !kept.contains(number));
        let seated: Vec<u32> = kept.iter().copied().chain(next).take(elected.len()).collect();
        let tied = match &again.outcome {
            Outcome::Tied(tie) if seated.len() < elected.len() => tie.numbers(),
            _ => Vec::new(),
        };
        let seed = papers.result.result.result.round.id.as_uuid().to_string();
        let drawn = lots_of(&again).filter(|tie| precedents.iter().all(|made| made.tie != **tie));
        let drawn = drawn.map(|tie| DrawnLot { stage: tie.stage, order: draw(&seed, tie) }).collect();
        Some(Self { seated, drawn, tied })
    }
}

/// The count that looks for the next one, and the decisions of the election that it followed.
fn count_without(
    papers: &RoundPapers,
    election: &CountedElection,
    declined: &BTreeSet<u32>,
) -> Option<(Count, Vec<TieDecision>)> {
    let result = &papers.result.result.result;
    let wording = &result.round.wording;
    let rule = rule_without(&election.rule, declined, wording.options.len());
    let voters = Voters { register: result.round.register, present: result.present };
    let votes = match &papers.result.result.urn {
        Some(urn) => UrnTally::as_votes(&urn.tally)?,
        None => papers.register.iter().filter_map(RegisterPaper::vote).collect::<Vec<CountedVote>>(),
    };
    // A ballot is read as the election read it, whatever the number of seats.
    let ballots = ballots_of(&BallotForm::of(&election.rule, wording.options.len()), &votes);
    let precedents: Vec<TieDecision> = election.decisions.iter().map(|made| made.decision.clone()).collect();
    let decisions = TieDecisions {
        precedents: precedents.clone(),
        seed: Some(result.round.id.as_uuid().to_string()),
        leaves_seats: election.rule.ties == TieRule::RunOff,
        ..TieDecisions::default()
    };
    let again = count(&election_of(&rule, wording, voters)?, &ballots, &decisions).ok()?;
    Some((again, precedents))
}

/// The terms of the count that looks for the next one.
fn rule_without(rule: &ElectionRule, declined: &BTreeSet<u32>, candidates: usize) -> ElectionRule {
    match &rule.method {
        Method::Irv(_) | Method::StvScottish(_) | Method::Lists(_) => {
            let mut notes = rule.candidates.clone();
            notes.resize(candidates, CandidateNote::default());
            for (number, note) in (1..).zip(&mut notes) {
                note.is_withdrawn |= declined.contains(&number);
            }
            ElectionRule { candidates: notes, ..rule.clone() }
        }
        _ => {
            let more = u32::try_from(declined.len()).unwrap_or(u32::MAX);
            let seats = rule.seats.map(|seats| {
                let all = u32::try_from(candidates).unwrap_or(u32::MAX);
                Seats::new(seats.get().saturating_add(more).min(all)).unwrap_or(seats)
            });
            ElectionRule { seats, ..rule.clone() }
        }
    }
}

/// The ties that a lot from the seed decided.
fn lots_of(count: &Count) -> impl Iterator<Item = &Tie> {
    let of_stages = count.stages.iter().filter_map(|stage| match &stage.action {
        Action::Surplus { tie, .. } | Action::Exclusion { tie, .. } => tie.as_ref(),
        Action::Count | Action::NextSeat => None,
    });
    let is_lot = |resolved: &&ResolvedTie| resolved.by == ResolvedBy::Decision(DecidedBy::Lot);
    of_stages.chain(&count.seat_ties).filter(is_lot).map(|resolved| &resolved.tie)
}
