//! The invariants of ballots, for any input. The tests below check them with random answers, and so does the target
//! `ballots` of `fuzz/`.

use std::collections::HashSet;

use plenum_kernel::{OptionId, OptionRole, QuestionType, check_line, check_text};
use rust_decimal::Decimal;
use uuid::Uuid;

use crate::{Answer, RoundOption, Wording};

/// Reads the first line of `data` as options, separated by semicolons, and the others as answers.
pub fn ballots(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let mut lines = text.split('\n').map(str::to_owned);
    let options: Vec<String> = lines.next().unwrap_or_default().split(';').map(str::to_owned).collect();
    let answers: Vec<String> = lines.collect();
    for max_choices in [None, Some(1), Some(2)] {
        ballot(&options, max_choices, &answers);
    }
}

/// Parses answers to a question of each type. An accepted answer fits the question, equals the input, and stays the same
/// when it is written and parsed again.
pub fn ballot(options: &[String], max_choices: Option<u32>, answers: &[String]) {
    for question_type in QuestionType::ALL {
        let wording = wording(question_type, options, max_choices);
        match wording.read(answers) {
            Ok(answer) => {
                assert_eq!(wording.read(&written(&wording, &answer)).as_ref(), Ok(&answer), "{question_type:?}");
                fits(&wording, &answer, answers);
            }
            Err(rule) => assert!(!rule.to_string().is_empty()),
        }
    }
}

/// A question with the valid options: each is a line, and none occurs twice.
fn wording(question_type: QuestionType, options: &[String], max_choices: Option<u32>) -> Wording {
    let mut seen = HashSet::new();
    let texts = options.iter().filter_map(|text| check_line(text, 300).ok()).filter(|text| seen.insert(text.clone()));
    let options = (1..).zip(texts).map(|(position, text)| RoundOption {
        id: OptionId::from_uuid(Uuid::from_u128(u128::from(position))),
        text,
        position,
        role: OptionRole::Choice,
    });
    Wording {
        text: "?".to_owned(),
        question_type,
        options: options.collect(),
        rating_max: Some(10),
        max_choices,
        election: None,
    }
}

/// An answer as the voter would write it.
fn written(wording: &Wording, answer: &Answer) -> Vec<String> {
    match answer {
        Answer::Options(chosen) => {
            chosen.iter().map(|id| wording.text_of(*id).expect("an option of the question").to_owned()).collect()
        }
        Answer::Number(number) => vec![number.to_string()],
        Answer::Text(text) => vec![text.clone()],
        Answer::Sealed(_) => unreachable!("no text is read as a sealed answer"),
    }
}

fn fits(wording: &Wording, answer: &Answer, answers: &[String]) {
    match answer {
        Answer::Options(chosen) => {
            assert_eq!(chosen.len(), answers.len(), "each answer is one option");
            assert_eq!(chosen.iter().collect::<HashSet<_>>().len(), chosen.len(), "an option is chosen twice");
            let most = if wording.question_type == QuestionType::YesNo { Some(1) } else { wording.max_choices };
            assert!(!chosen.is_empty() && most.is_none_or(|most| chosen.len() <= most as usize), "{chosen:?}");
        }
        Answer::Number(number) => {
            let most = if wording.question_type == QuestionType::Rating { Decimal::TEN } else { Decimal::ONE_HUNDRED };
            assert!((Decimal::ZERO..=most).contains(number) && number.scale() <= 4, "{number}");
            assert_eq!(number.to_string(), shortest(&answers[0]), "the number differs from the input");
        }
        Answer::Text(text) => assert_eq!(check_text(text, 2_000).as_ref(), Ok(text)),
        Answer::Sealed(_) => unreachable!("no text is read as a sealed answer"),
    }
}

/// A number without redundant zeros: "007.50" becomes "7.5".
fn shortest(number: &str) -> String {
    let number = number.trim();
    let (whole, decimals) = number.strip_prefix('+').unwrap_or(number).split_once('.').unwrap_or((number, ""));
    let (whole, decimals) = (whole.trim_start_matches(['0', '+']), decimals.trim_end_matches('0'));
    let (whole, dot) = (if whole.is_empty() { "0" } else { whole }, if decimals.is_empty() { "" } else { "." });
    format!("{whole}{dot}{decimals}")
}

#[cfg(test)]
mod tests {
    use plenum_kernel::testkit::fuzz_seeds;
    use proptest::collection::vec;
    use proptest::option;
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;

    /// Answers of voters and attackers: texts of options, numbers, and any text.
    fn answer() -> impl Strategy<Value = String> {
        prop_oneof![
            select(vec!["Yes", "No", " Yes ", "Cafe\u{301}", "Caf\u{e9}", "", " ", "yes"]).prop_map(str::to_owned),
            (0_u32..200).prop_map(|number| number.to_string()),
            "[+-]?[0-9]{0,3}[.][0-9]{0,40}",
            "[0-9]{1,40}(e[0-9]{1,9})?",
            // Digits at the limit of rounding.
            "[0-9]{1,3}[.][0-9]{0,4}0{20,40}[1-9]",
            vec(any::<char>(), 0..30).prop_map(String::from_iter),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn a_parsed_ballot_equals_its_input(
            options in vec(answer(), 0..5),
            max_choices in option::of(1_u32..4),
            answers in vec(answer(), 0..4),
            chosen in vec(0_usize..5, 0..4),
        ) {
            ballot(&options, max_choices, &answers);
            let chosen: Vec<String> = chosen.iter().filter_map(|place| options.get(*place).cloned()).collect();
            ballot(&options, max_choices, &chosen);
        }
    }

    #[test]
    fn the_invariants_hold_for_the_fuzzers_seeds() {
        fuzz_seeds("ballots").iter().for_each(|seed| ballots(seed));
    }
}
