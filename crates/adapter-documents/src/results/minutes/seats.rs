use plenum_result_format::{ElectionOutcome, ResultsFile, RoundFile};

use super::Times;
use super::page::{Pages, Row, numbers, texts};
use super::text::Style;
use crate::results::seat_labels;

/// Writes the seats of the elections that end with this round.
pub(super) fn write(pages: &mut Pages, results: &ResultsFile, round: &RoundFile, times: Times) {
    let is_last = |outcome: &&ElectionOutcome| outcome.rounds.last() == Some(&round.result.round_id);
    for outcome in results.elections.iter().filter(is_last) {
        write_outcome(pages, outcome, times);
    }
}

fn write_outcome(pages: &mut Pages, outcome: &ElectionOutcome, times: Times) {
    pages.heading(3, &format!("Seats: {}", outcome.question_text));
    pages.paragraph(&format!("{}.", seat_labels::summary(outcome)), Style::BODY);
    let people = seat_labels::people(outcome).map(|(holder, state)| {
        Row::of([seat_labels::name(holder), state, seat_labels::ballot(outcome, holder).to_string()])
    });
    pages.table([texts(0.5), texts(0.35), numbers(0.15)], ["Name", "Seat", "Ballot"], people);
    for answer in &outcome.answers {
        let noted = format!("{} {}, noted by {}.", answer.words, times.second(answer.at), answer.by);
        pages.paragraph(&noted, Style::BODY);
        if let Some(round) = Some(answer.round_id).filter(|_| !answer.drawn.is_empty()) {
            pages.paragraph(&format!("The seed of the lot is {round}."), Style::BODY.gray());
        }
    }
    pages.space(16.);
}
