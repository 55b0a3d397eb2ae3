use super::contest::{Contest, text};
use super::lists::count_lists;
use super::papers::{CountMethod, ElectionPapers};
use super::read::{Sum, read};
use super::recounted::RecountedElection;
use super::schulze::count_schulze;
use super::sums::count_sums;
use super::transfers::count_transfers;

/// Counts an election again from its papers.
pub fn recount_election(papers: &ElectionPapers) -> RecountedElection {
    let read = read(papers);
    let contest = Contest { papers, read: &read };
    let counted = match papers.method {
        CountMethod::InstantRunoff { .. } | CountMethod::Scottish { .. } => count_transfers(&contest),
        CountMethod::Schulze { .. } => count_schulze(&contest),
        CountMethod::Lists { .. } => count_lists(&contest),
        CountMethod::EachCandidate { .. }
        | CountMethod::Choices { .. }
        | CountMethod::Cumulative { .. }
        | CountMethod::Score { .. }
        | CountMethod::Borda { .. } => count_sums(&contest),
    };
    let amount = |sum: &Sum| (sum.voters, text(&sum.votes));
    RecountedElection {
        valid: amount(&read.valid),
        abstentions: amount(&read.abstentions),
        invalid: amount(&read.invalid),
        faults: read.faults,
        ..counted
    }
}
