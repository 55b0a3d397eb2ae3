use plenum_result_format::{ListResultFormat, RoundResult, StageFormat};

use super::page::{Pages, Row, numbers, texts};
use super::text::Style;
use crate::results::election_labels::{ElectionLabels, QUORUM_MISSED};

/// The stages beside one another in a table.
const STAGES: usize = 4;

/// Writes the count of an election: its ballots, what happened in each stage, the votes at the end of each, and the
/// decisions of ties.
pub(super) fn write(pages: &mut Pages, result: &RoundResult) {
    let Some(labels) = ElectionLabels::of(result) else { return };
    let election = labels.election;
    pages.heading(3, "Count of the election");
    pages.paragraph(&format!("{}.", labels.ballots()), Style::BODY);
    for fault in &election.ballots.faults {
        pages.paragraph(&format!("{}.", fault.words), Style::BODY);
    }
    write_stages(pages, &labels);
    write_answers(pages, &labels);
    write_lists(pages, &labels);
    if labels.is_quorum_missed {
        pages.paragraph(QUORUM_MISSED, Style::BODY.bold());
    }
    if let Some(tie) = labels.open_tie() {
        pages.paragraph(&tie.words, Style::BODY.bold());
    }
    for decision in &election.decisions {
        pages.paragraph(&labels.decision(decision), Style::BODY);
    }
    if let Some(vacancies) = labels.vacancies() {
        pages.paragraph(&vacancies.words, Style::BODY);
    }
    pages.space(8.);
}

fn write_stages(pages: &mut Pages, labels: &ElectionLabels<'_>) {
    let election = labels.election;
    for stages in election.stages.chunks(STAGES) {
        for stage in stages {
            let quota = stage.quota.as_ref().map(|quota| {
                if stage.is_quota_enough {
                    format!(" The quota is {quota}.")
                } else {
                    format!(" More than {quota} needed.")
                }
            });
            let happened = labels.words(stage).join(" ");
            pages.paragraph(&format!("Stage {}: {happened}{}", stage.number, quota.unwrap_or_default()), Style::BODY);
        }
        pages.space(3.);
        let heading = |place: usize| stages.get(place).map(|stage| format!("Stage {}", stage.number));
        let headings: Vec<String> = (0..STAGES).map(|place| heading(place).unwrap_or_default()).collect();
        let cell = |place: usize, of: &dyn Fn(&StageFormat) -> String| stages.get(place).map(of).unwrap_or_default();
        let row = |name: &str, of: &dyn Fn(&StageFormat) -> String| {
            Row::of([name.to_owned(), cell(0, of), cell(1, of), cell(2, of), cell(3, of)])
        };
        let candidates = election.candidates.iter().filter(|candidate| !candidate.is_withdrawn).map(|candidate| {
            let votes = |stage: &StageFormat| ElectionLabels::votes_at(stage, candidate.number);
            row(&candidate.name, &votes)
        });
        let lost = election
            .stages
            .iter()
            .any(|stage| !stage.non_transferable.trim_matches(['0', '.']).is_empty() || !stage.transfers.is_empty());
        let lost = lost.then(|| row("Not transferable", &|stage| stage.non_transferable.clone()));
        let columns = [texts(0.36), numbers(0.16), numbers(0.16), numbers(0.16), numbers(0.16)];
        let [one, two, three, four] = [0, 1, 2, 3].map(|place: usize| headings[place].as_str());
        pages.table(columns, ["Candidate", one, two, three, four], candidates.chain(lost));
    }
}

fn write_answers(pages: &mut Pages, labels: &ElectionLabels<'_>) {
    let Some(answers) = &labels.election.answers else { return };
    let rows = answers.iter().map(|answers| {
        let met = if answers.is_met { "met" } else { "not met" };
        let name = labels.name(answers.candidate).to_owned();
        Row::of([name, answers.yes.clone(), answers.no.clone(), answers.abstain.clone(), met.to_owned()])
    });
    let columns = [texts(0.4), numbers(0.15), numbers(0.15), numbers(0.15), numbers(0.15)];
    pages.table(columns, ["Candidate", "Yes", "No", "Abstain", "Majority"], rows);
}

fn write_lists(pages: &mut Pages, labels: &ElectionLabels<'_>) {
    let Some(lists) = &labels.election.lists else { return };
    let seats = |list: &ListResultFormat| if labels.is_quorum_missed { 0 } else { list.seats.len() };
    let rows = lists.iter().map(|list| Row::of([list.name.clone(), list.votes.clone(), seats(list).to_string()]));
    pages.table([texts(0.6), numbers(0.2), numbers(0.2)], ["List", "Votes", "Seats"], rows);
}
