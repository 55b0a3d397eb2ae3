use super::counting::{Counted, Counting};
use super::methods;
use super::reading::{ReadBallots, TooManyVotes, read_ballots};
use super::{Ballot, Count, CountError, Election, TieBreaker, TieDecisions};
use plenum_kernel::election::{Candidate, Method};

/// Counts the ballots of an election.
///
/// A tie without a decision ends the count, and the outcome names it. With the decision the same call goes on from the
/// beginning, so a count depends on its input only.
///
/// # Errors
/// Fails when the ballots have too many votes, or when a decision does not belong to the count.
pub fn count(election: &Election, ballots: &[Ballot], decisions: &TieDecisions) -> Result<Count, CountError> {
    let read = read_ballots(election, ballots).map_err(|TooManyVotes| CountError::TooManyVotes)?;
    count_read(election, read, decisions)
}

/// Counts the ballots again as if these candidates had withdrawn after the voting. Each ballot is read as in the election, with
/// its faults and limits. Only then do the names go, without gaps in rankings.
///
/// # Errors
/// As [`count`]; also when nobody else stands.
pub fn count_without(
    election: &Election,
    declined: &[Candidate],
    ballots: &[Ballot],
    decisions: &TieDecisions,
) -> Result<Count, CountError> {
    let read = read_ballots(election, ballots).map_err(|TooManyVotes| CountError::TooManyVotes)?;
    let left = election.without(declined).ok_or(CountError::NobodyStands)?;
    count_read(&left, read.without(declined, election.terms().blank), decisions)
}

fn count_read(election: &Election, read: ReadBallots, decisions: &TieDecisions) -> Result<Count, CountError> {
    let ties = TieBreaker::new(decisions)?;
    let ReadBallots { papers, report } = read;
    let mut counting = Counting { election, papers: &papers, report: &report, ties };
    let counted = run(&mut counting);
    counting.ties.finish()?;
    let Counted { stages, elected, outcome, seat_ties, order, support, details } = counted;
    Ok(Count { ballots: report, stages, elected, outcome, seat_ties, order, support, details })
}

fn run(counting: &mut Counting<'_>) -> Counted {
    match &counting.election.terms().method {
        Method::PerCandidate(settings) => methods::count_per_candidate(counting, *settings),
        Method::Plurality(plurality) => methods::count_choices(counting, plurality.requirement),
        Method::Approval(_) => methods::count_choices(counting, None),
        Method::Cumulative(_) | Method::Score(_) => methods::count_points(counting),
        Method::Borda(borda) => methods::count_borda(counting, *borda),
        Method::Irv(irv) => methods::count_irv(counting, *irv),
        Method::StvScottish(_) => methods::count_stv_scottish(counting),
        Method::Schulze(schulze) => methods::count_schulze(counting, *schulze),
        Method::Lists(lists) => methods::count_lists(counting, lists),
    }
}
