use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use plenum_kernel::OptionId;
use rust_decimal::Decimal;

use crate::urns::opened_ballot::sorting_key;
use crate::{Answer, Count, CountedVote, OpenedBallot, Wording};

/// The counts of an opened urn: sums only. Nothing in it belongs to one voter, and its order does not depend on the order
/// of the ballots.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UrnTally {
    /// The ballots that count.
    pub valid: Count,
    /// Envelopes that did not open, and ballots that do not fit the question.
    pub invalid: Count,
    /// Each distinct answer with the number of ballots that gave it, sorted, if all ballots have equal weights.
    pub answers: Option<Vec<(Answer, u64)>>,
    /// The ballots that chose each option, in the order of the options, if weights differ.
    pub options: Vec<(OptionId, Count)>,
}

/// What is kept of an urn that was opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenedUrn {
    /// The counts.
    pub tally: UrnTally,
    /// The receipts of all envelopes, sorted.
    pub receipts: Vec<String>,
    /// The hash over all envelopes, in hexadecimal.
    pub envelopes_hash: String,
    /// When it was opened.
    pub opened_at: DateTime<Utc>,
}

/// A ballot of an opened urn with the weight of its voter. `None` for an envelope that did not open.
pub(crate) type Opened = (Option<OpenedBallot>, Decimal);

impl UrnTally {
    /// Counts the ballots of an urn.
    pub fn count(wording: &Wording, ballots: &[Opened]) -> Self {
        let (mut valid, mut invalid) = (Count::default(), Count::default());
        let mut answers: Vec<(Answer, Decimal)> = Vec::with_capacity(ballots.len());
        for (ballot, weight) in ballots {
            match ballot.as_ref().map(|ballot| ballot.read(wording)) {
                Some(Ok(answer)) => {
                    valid.add(*weight);
                    answers.push((answer, *weight));
                }
                Some(Err(_)) | None => invalid.add(*weight),
            }
        }
        let mut weights = ballots.iter().map(|(_, weight)| weight);
        let first = weights.next();
        let are_equal = weights.all(|weight| Some(weight) == first);
        let options = if are_equal { Vec::new() } else { sums(wording, &answers) };
        Self { valid, invalid, answers: are_equal.then(|| grouped(answers)), options }
    }

    /// The ballots that count, as anonymous votes of equal weight. `None` if weights differ.
    pub(crate) fn as_votes(&self) -> Option<Vec<CountedVote>> {
        let answers = self.answers.as_ref()?;
        let weight = self.weight_of_one();
        let vote = |answer: &Answer| CountedVote {
            answer: answer.clone(),
            weight,
            second_weight: None,
            was_connected: false,
            groups: Vec::new(),
            cast_on: None,
        };
        Some(answers.iter().flat_map(|(answer, number)| (0..*number).map(move |_| vote(answer))).collect())
    }

    /// The weight of each ballot, if all have equal weights.
    pub fn weight_of_one(&self) -> Decimal {
        let all = Decimal::from(self.valid.heads + self.invalid.heads);
        (self.valid.weight + self.invalid.weight).checked_div(all).unwrap_or_default().normalize()
    }
}

fn grouped(answers: Vec<(Answer, Decimal)>) -> Vec<(Answer, u64)> {
    let mut groups: BTreeMap<_, (Answer, u64)> = BTreeMap::new();
    for (answer, _) in answers {
        groups.entry(sorting_key(&answer)).or_insert((answer, 0)).1 += 1;
    }
    groups.into_values().collect()
}

fn sums(wording: &Wording, answers: &[(Answer, Decimal)]) -> Vec<(OptionId, Count)> {
    let sum_of = |option: OptionId| {
        let mut sum = Count::default();
        for (answer, weight) in answers {
            if matches!(answer, Answer::Options(chosen) if chosen.contains(&option)) {
                sum.add(*weight);
            }
        }
        (option, sum)
    };
    wording.options.iter().map(|option| sum_of(option.id)).collect()
}

#[cfg(test)]
mod tests {
    use plenum_kernel::testkit::CountingIds;
    use plenum_kernel::{OptionRole, QuestionType};

    use super::*;
    use crate::RoundOption;

    fn wording(question_type: QuestionType) -> Wording {
        let ids = CountingIds::new();
        let texts: &[&str] = if question_type.has_options() { &["A", "B", "C"] } else { &[] };
        let option = |(position, text): (u32, &&str)| RoundOption {
            id: OptionId::new(&ids),
            text: (*text).to_owned(),
            position,
            role: OptionRole::Choice,
        };
        let options = (1..).zip(texts).map(option).collect();
        Wording {
            text: "?".to_owned(),
            question_type,
            options,
            rating_max: Some(5),
            max_choices: Some(2),
            election: None,
        }
    }

    fn ballot(positions: &[u32], weight: &str) -> Opened {
        (Some(OpenedBallot::Options(positions.to_vec())), weight.parse().unwrap())
    }

    #[test]
    fn equal_weights_give_each_distinct_answer_with_its_number() {
        let wording = wording(QuestionType::MultipleChoice);
        let [a, b, _] = [0, 1, 2].map(|index| wording.options[index].id);
        let tally = UrnTally::count(
            &wording,
            &[ballot(&[2], "1"), ballot(&[1, 2], "1"), ballot(&[2], "1"), ballot(&[2, 1], "1")],
        );
        let answers = tally.answers.clone().unwrap();
        assert_eq!(answers, [(Answer::Options(vec![a, b]), 2), (Answer::Options(vec![b]), 2)]);
        assert_eq!(tally.valid, Count { heads: 4, weight: Decimal::from(4) });
        assert_eq!(tally.as_votes().unwrap().len(), 4);
    }

    #[test]
    fn the_tally_does_not_depend_on_the_order_of_the_ballots() {
        let wording = wording(QuestionType::MultipleChoice);
        let ballots = [ballot(&[1], "1"), ballot(&[3], "1"), ballot(&[2, 3], "1")];
        let turned: Vec<Opened> = ballots.iter().rev().cloned().collect();
        assert_eq!(UrnTally::count(&wording, &ballots), UrnTally::count(&wording, &turned));
    }

    #[test]
    fn different_weights_give_sums_only() {
        let wording = wording(QuestionType::MultipleChoice);
        let tally = UrnTally::count(&wording, &[ballot(&[1], "1"), ballot(&[1, 2], "2.5")]);
        assert_eq!((tally.answers.is_none(), tally.as_votes().is_none()), (true, true));
        let sums: Vec<(u64, String)> =
            tally.options.iter().map(|(_, sum)| (sum.heads, sum.weight.to_string())).collect();
        assert_eq!(sums, [(2, "3.5".to_owned()), (1, "2.5".to_owned()), (0, "0".to_owned())]);
    }

    #[test]
    fn what_does_not_open_or_fit_is_invalid() {
        let wording = wording(QuestionType::MultipleChoice);
        let text = (Some(OpenedBallot::Text("A".to_owned())), Decimal::ONE);
        let none = (Some(OpenedBallot::Options(Vec::new())), Decimal::ONE);
        let closed = (None, Decimal::ONE);
        let ballots =
            [closed, text, none, ballot(&[4], "1"), ballot(&[1, 2, 3], "1"), ballot(&[1, 1], "1"), ballot(&[3], "1")];
        let tally = UrnTally::count(&wording, &ballots);
        assert_eq!((tally.valid.heads, tally.invalid.heads), (1, 6));
    }

    #[test]
    fn numbers_and_texts_are_read_by_the_rules_of_their_question() {
        let rating = wording(QuestionType::Rating);
        let number = |text: &str| (Some(OpenedBallot::Number(text.to_owned())), Decimal::ONE);
        let tally = UrnTally::count(&rating, &[number("5"), number("6"), number("5")]);
        assert_eq!((tally.answers.unwrap(), tally.invalid.heads), (vec![(Answer::Number(Decimal::from(5)), 2)], 1));
        let open = wording(QuestionType::OpenText);
        let text = |text: &str| (Some(OpenedBallot::Text(text.to_owned())), Decimal::ONE);
        let tally = UrnTally::count(&open, &[text("Trees"), text(" Benches "), text("")]);
        let answers = ["Benches", "Trees"].map(|text| (Answer::Text(text.to_owned()), 1));
        assert_eq!((tally.answers.unwrap().as_slice(), tally.invalid.heads), (answers.as_slice(), 1));
    }
}
