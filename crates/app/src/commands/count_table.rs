use plenum_voting::elections::{Candidate, Details, Outcome, Pairwise, Stage, Votes};

use super::count::CountedFile;
use super::verify::counted as number_of;
use crate::output::one_line;

/// The count as lines for people.
pub(super) fn lines(counted: &CountedFile<'_>) -> Vec<String> {
    let count = counted.count;
    let mut lines = Vec::new();
    lines.extend(counted.file.titles.first().map(|title| one_line(title)));
    let ballots = |voters: u64| number_of(usize::try_from(voters).unwrap_or(usize::MAX), "ballot");
    lines.push(format!("{}, {} valid", ballots(count.ballots.cast.voters), count.ballots.valid.voters));
    lines.extend(count.ballots.faults.iter().map(|sum| counted.words.fault(sum)));
    for stage in &count.stages {
        lines.push(String::new());
        lines.extend(stage_lines(counted, stage));
    }
    if let Details::Pairwise(pairwise) = &count.details {
        lines.extend(path_lines(counted, pairwise));
    }
    lines.push(String::new());
    lines.extend(count.seat_ties.iter().map(|tie| one_line(&counted.words.resolved(tie))));
    lines.extend(conclusion(counted));
    lines
}

fn stage_lines(counted: &CountedFile<'_>, stage: &Stage) -> Vec<String> {
    let action = one_line(&counted.words.action(stage));
    let quota = stage.quota.map(|quota| format!(" {}", counted.words.quota(quota))).unwrap_or_default();
    let mut lines = vec![format!("Stage {}. {action}{quota}", stage.number)];
    let non_transferable = counted.votes(stage.non_transferable);
    let texts: Vec<String> = stage.votes.iter().map(|(_, votes)| counted.votes(*votes)).collect();
    let width = texts.iter().chain([&non_transferable]).map(String::len).max().unwrap_or_default();
    for ((candidate, _), votes) in stage.votes.iter().zip(&texts) {
        lines.push(format!("{:>4}  {votes:>width$}  {}", candidate.number(), name(counted, *candidate)));
    }
    if !stage.non_transferable.is_zero() {
        lines.push(format!("      {non_transferable:>width$}  not transferable"));
    }
    let elected = counted.count.elected.iter().filter(|elected| elected.stage == stage.number);
    lines.extend(elected.map(|elected| one_line(&counted.words.elected(elected))));
    lines
}

fn name(counted: &CountedFile<'_>, candidate: Candidate) -> String {
    one_line(counted.words.name(candidate))
}

/// The strongest paths, as a matrix.
fn path_lines(counted: &CountedFile<'_>, pairwise: &Pairwise) -> Vec<String> {
    let text = |votes: &Votes| counted.votes(*votes);
    let width = pairwise.paths.iter().flatten().map(|votes| text(votes).len()).max().unwrap_or_default().max(4);
    let heads: String = pairwise.candidates.iter().map(|other| format!(" {:>width$}", other.number())).collect();
    let mut lines =
        vec![String::new(), "Strongest paths, from the candidate of the line to that of the column:".to_owned()];
    lines.push(format!("    {heads}"));
    for (candidate, row) in pairwise.candidates.iter().zip(&pairwise.paths) {
        let cell = |(other, votes): (&Candidate, &Votes)| {
            let cell = if other == candidate { "-".to_owned() } else { text(votes) };
            format!(" {cell:>width$}")
        };
        let cells: String = pairwise.candidates.iter().zip(row).map(cell).collect();
        lines.push(format!("{:>4}{cells}", candidate.number()));
    }
    lines
}

fn conclusion(counted: &CountedFile<'_>) -> Vec<String> {
    let elected: Vec<String> = counted
        .count
        .elected
        .iter()
        .map(|elected| format!("{} {}", elected.candidate.number(), name(counted, elected.candidate)))
        .collect();
    let is_open = matches!(counted.count.outcome, Outcome::Tied(_));
    let mut lines = vec![match (elected.len(), is_open) {
        (0, false) => "Nobody is elected.".to_owned(),
        (0, true) => "The count waits at a tie.".to_owned(),
        (_, false) => format!("Elected: {}", elected.join("; ")),
        (_, true) => format!("Elected so far, before a tie: {}", elected.join("; ")),
    }];
    match &counted.count.outcome {
        Outcome::Tied(tie) => lines.push(one_line(&counted.words.tie(tie))),
        Outcome::Complete { vacancies } => lines.extend(vacancies.map(|vacancies| counted.words.vacancies(vacancies))),
    }
    lines
}
