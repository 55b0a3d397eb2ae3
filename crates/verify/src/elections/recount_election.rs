use std::collections::BTreeSet;

use super::contest::{Contest, text};
use super::lists::count_lists;
use super::papers::{BlankMeaning, CountMethod, ElectionPapers, NameKind};
use super::read::{Read, Sum, read};
use super::recounted::RecountedElection;
use super::schulze::count_schulze;
use super::sums::count_sums;
use super::transfers::{count_transfers, ranked_support};
use crate::exact;

/// Counts an election again from its papers.
pub fn recount_election(papers: &ElectionPapers) -> RecountedElection {
    count_read(papers, read(papers))
}

/// Counts an election again as if these candidates had withdrawn after the voting: ballots are read with them.
pub fn recount_without(papers: &ElectionPapers, declined: &BTreeSet<u32>) -> RecountedElection {
    let mut read = read(papers);
    read.leave_out(declined, papers.blank == BlankMeaning::ForNobody);
    let mut left = papers.clone();
    for (number, name) in (1..).zip(&mut left.names) {
        if declined.contains(&number) {
            *name = NameKind::Withdrawn;
        }
    }
    count_read(&left, read)
}

/// The numbers of those who stand and whom no valid ballot ranks.
pub(super) fn unsupported(papers: &ElectionPapers) -> BTreeSet<u32> {
    let read = read(papers);
    let support = ranked_support(&Contest { papers, read: &read });
    support.into_iter().filter(|(_, votes)| *votes == exact::zero()).map(|(number, _)| number).collect()
}

fn count_read(papers: &ElectionPapers, read: Read) -> RecountedElection {
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
