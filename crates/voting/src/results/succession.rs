use std::collections::BTreeSet;

use plenum_kernel::Seats;
use plenum_kernel::election::{Candidate, ElectionRule, Method, RefusedSeat, TieRule};

use crate::elections::{
    Action, Count, DecidedBy, Outcome, ResolvedBy, ResolvedTie, Tie, TieDecision, TieDecisions, TieMatter, count,
    count_without, draw,
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
    /// Whether they are the numbers of lists.
    pub is_of_lists: bool,
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

/// A refusal that counts: it is not taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    /// The number of the candidate.
    pub(crate) candidate: u32,
    /// Whether a next ballot was on the agenda, so that nobody moved up.
    pub(crate) is_continued: bool,
}

impl Succession {
    /// Finds who moves up after the last of these refusals, in the order in which they were noted. `None` if the round is no
    /// election.
    ///
    /// Whoever is seated, elected or moved up, keeps the seat unless they decline. If the terms let the next one move up, the
    /// ballots say who that is:
    ///
    /// - Rankings with transfers and lists are counted again as if those who declined had withdrawn after the voting. In the
    ///   Scottish count, whose last places need no votes, so had those whom no ballot ranks.
    /// - The other methods put all candidates into one order, so their count goes on to as many further seats.
    ///
    /// The seats that were vacant before stay vacant. Ties are decided as in the election: by an order that it has drawn, by
    /// a lot from the id of the round, or not at all if the terms leave them to another ballot.
    pub(crate) fn after_refusal(papers: &RoundPapers, seated: &[u32], refusals: &[Refusal]) -> Option<Self> {
        let declined: BTreeSet<u32> = refusals.iter().map(|refusal| refusal.candidate).collect();
        let kept = seated.iter().copied().filter(|number| !declined.contains(number)).collect();
        Some(FreeSeats::of(papers)?.fill(kept, &declined))
    }

    /// Finds the seats anew after a refusal was taken back: one after the other, the refusals that are left free a seat, and
    /// somebody moves up. So a person who moved up only because of the refusal that was taken back makes room. `None` if the round
    /// is no election.
    pub(crate) fn anew(papers: &RoundPapers, refusals: &[Refusal]) -> Option<Self> {
        let free_seats = FreeSeats::of(papers)?;
        let mut declined = BTreeSet::new();
        let mut succession = Self { seated: free_seats.elected(), ..Self::default() };
        for (place, refusal) in (1..).zip(refusals) {
            declined.insert(refusal.candidate);
            let Self { mut seated, mut drawn, .. } = succession;
            seated.retain(|number| *number != refusal.candidate);
            // No next ballot is on the agenda now, so the last refusal leaves no seat free for one.
            let waits = refusal.is_continued && place < refusals.len();
            let next = if waits { Self { seated, ..Self::default() } } else { free_seats.fill(seated, &declined) };
            for lot in next.drawn {
                if !drawn.contains(&lot) {
                    drawn.push(lot);
                }
            }
            succession = Self { drawn, ..next };
        }
        Some(succession)
    }
}

/// The seats of an election that become free.
struct FreeSeats<'a> {
    papers: &'a RoundPapers,
    election: &'a CountedElection,
}

impl<'a> FreeSeats<'a> {
    fn of(papers: &'a RoundPapers) -> Option<Self> {
        Some(Self { papers, election: papers.result.result.result.election.as_ref()? })
    }

    /// Those whom the declared count elects.
    fn elected(&self) -> Vec<u32> {
        self.election.count.elected.iter().map(|elected| elected.candidate.number()).collect()
    }

    /// Gives the free seats to the first others whom the count without those who declined elects.
    fn fill(&self, kept: Vec<u32>, declined: &BTreeSet<u32>) -> Succession {
        let (papers, election) = (self.papers, self.election);
        let seats = election.count.elected.len();
        if kept.len() >= seats || election.rule.declined == RefusedSeat::StaysVacant {
            return Succession { seated: kept, ..Succession::default() };
        }
        // Where nobody is left, the seat stays vacant.
        let Some((again, precedents)) = count_again(papers, election, declined) else {
            return Succession { seated: kept, ..Succession::default() };
        };
        let next = again.elected.iter().map(|elected| elected.candidate.number());
        let next = next.filter(|number| !declined.contains(number) && !kept.contains(number));
        let seated: Vec<u32> = kept.iter().copied().chain(next).take(seats).collect();
        let tied = match &again.outcome {
            Outcome::Tied(tie) if seated.len() < seats => tied_candidates(&election.rule, tie),
            _ => Vec::new(),
        };
        // A tie that concerns a kept seat, too, says nothing about the free one.
        let tied = if tied.iter().any(|number| seated.contains(number)) { Vec::new() } else { tied };
        let seed = papers.result.result.result.round.id.as_uuid().to_string();
        let drawn = lots_of(&again).filter(|tie| !precedents.iter().any(|made| made.orders(tie)));
        let lot = |tie: &Tie| DrawnLot {
            stage: tie.stage,
            order: draw(&seed, tie),
            is_of_lists: matches!(tie.matter, TieMatter::ListSeats { .. }),
        };
        let drawn = drawn.map(lot).collect();
        Succession { seated, drawn, tied }
    }
}

/// The count that looks for the next one, and the decisions of the election that it followed.
fn count_again(
    papers: &RoundPapers,
    election: &CountedElection,
    declined: &BTreeSet<u32>,
) -> Option<(Count, Vec<TieDecision>)> {
    let result = &papers.result.result.result;
    let wording = &result.round.wording;
    let voters = Voters {
        register: result.round.register.plus(result.absent),
        present: result.present.plus(result.represented),
    };
    let votes = match &papers.result.result.urn {
        Some(urn) => UrnTally::as_votes(&urn.tally)?,
        None => papers.register.iter().filter_map(RegisterPaper::vote).collect::<Vec<CountedVote>>(),
    };
    let ballots = ballots_of(&BallotForm::of(&election.rule, wording.options.len()), &votes);
    let precedents: Vec<TieDecision> = election.decisions.iter().map(|made| made.decision.clone()).collect();
    let decisions = TieDecisions {
        precedents: precedents.clone(),
        seed: Some(result.round.id.as_uuid().to_string()),
        leaves_seats: election.rule.ties == TieRule::RunOff,
        ..TieDecisions::default()
    };
    let again = match &election.rule.method {
        Method::Irv(_) | Method::StvScottish(_) | Method::Lists(_) => {
            let mut gone: Vec<Candidate> = declined.iter().copied().map(Candidate::numbered).collect();
            if matches!(election.rule.method, Method::StvScottish(_)) {
                gone.extend(unsupported(&election.count));
            }
            let as_held = election_of(&election.rule, wording, voters)?;
            count_without(&as_held, &gone, &ballots, &decisions)
        }
        _ => {
            let longer = with_seats_for(election, declined, wording.options.len());
            count(&election_of(&longer, wording, voters)?, &ballots, &decisions)
        }
    };
    Some((again.ok()?, precedents))
}

/// Those whom no valid ballot ranks. Rule 52 elects them if places are left, but nobody moves up without any support.
fn unsupported(count: &Count) -> impl Iterator<Item = Candidate> {
    let standing = count.stages.first().into_iter().flat_map(|stage| &stage.votes).map(|(candidate, _)| *candidate);
    standing.zip(&count.support).filter(|(_, support)| support.is_zero()).map(|(candidate, _)| candidate)
}

/// The terms with as many further seats as people declined. A seat that was left to another ballot is not one of them.
fn with_seats_for(election: &CountedElection, declined: &BTreeSet<u32>, candidates: usize) -> ElectionRule {
    let wanted = (election.count.elected.len() + declined.len()).min(candidates);
    let wanted = u32::try_from(wanted).unwrap_or(u32::MAX);
    let seats = election.rule.seats.map(|seats| Seats::new(wanted).unwrap_or(seats));
    ElectionRule { seats, ..election.rule.clone() }
}

/// The tied candidates, or those of the tied lists.
fn tied_candidates(rule: &ElectionRule, tie: &Tie) -> Vec<u32> {
    match (&tie.matter, rule.lists()) {
        (TieMatter::ListSeats { lists, .. }, Some(all)) => {
            let of_list = |number: &u32| all.lists.get((*number as usize).checked_sub(1)?);
            lists.iter().filter_map(of_list).flatten().map(|candidate| candidate.number()).collect()
        }
        _ => tie.numbers(),
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
