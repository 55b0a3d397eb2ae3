use serde_json::{Value, json};

use crate::chance::Chance;

/// What kind of answer a question asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuestionKind {
    /// One of Yes, No and Abstain.
    YesNo,
    /// One or two of four.
    MultipleChoice,
    /// From 1 to 5.
    Rating,
    /// From 0 to 100.
    Percentage,
    /// In one's own words.
    OpenText,
}

impl QuestionKind {
    /// Every kind there is.
    pub const ALL: [Self; 5] = [Self::YesNo, Self::MultipleChoice, Self::Rating, Self::Percentage, Self::OpenText];

    /// The question as the API takes it. Its text has the number by which events of it are recognized. Votes are named,
    /// so that the server's record tells who voted what.
    pub(super) fn body(self, meeting: &str, number: usize) -> Value {
        let mut body = json!({ "meetingId": meeting, "questionText": format!("Load step {number}."), "isNamed": true });
        let (name, options, choices) = match self {
            Self::YesNo => ("YES_NO", Some(json!(["Yes", "No", "Abstain"])), None),
            Self::MultipleChoice => ("MULTIPLE_CHOICE", Some(json!(["A", "B", "C", "D"])), Some(2)),
            Self::Rating => ("RATING", None, None),
            Self::Percentage => ("PERCENTAGE", None, None),
            Self::OpenText => ("OPEN_TEXT", None, None),
        };
        body["questionType"] = json!(name);
        if let Some(options) = options {
            body["options"] = options;
        }
        if let Some(choices) = choices {
            body["maxChoices"] = json!(choices);
        }
        body
    }

    /// What somebody answers.
    pub fn answer(self, chance: &mut Chance) -> Vec<String> {
        match self {
            Self::YesNo => vec![["Yes", "No", "Abstain"][chance.below(3)].to_owned()],
            Self::MultipleChoice => {
                let first = chance.below(4);
                let second = (first + 1 + chance.below(3)) % 4;
                let wanted = 1 + chance.below(2);
                [first, second].iter().take(wanted).map(|option| ["A", "B", "C", "D"][*option].to_owned()).collect()
            }
            Self::Rating => vec![(1 + chance.below(5)).to_string()],
            Self::Percentage => vec![chance.below(101).to_string()],
            Self::OpenText => vec![format!("My word is number {}.", chance.below(1_000_000))],
        }
    }
}

/// A question on the agenda.
#[derive(Clone, Debug)]
pub struct Asked {
    /// Its id.
    pub id: String,
    /// What kind of answer it asks for.
    pub kind: QuestionKind,
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn nobody_chooses_an_option_twice_and_every_option_is_chosen() {
        let mut chance = Chance::new(3);
        let mut seen = BTreeSet::new();
        for _ in 0..500 {
            let answer = QuestionKind::MultipleChoice.answer(&mut chance);
            assert!(answer.len() == 1 || (answer.len() == 2 && answer[0] != answer[1]), "{answer:?}");
            seen.extend(answer);
        }
        assert_eq!(seen.len(), 4);
    }
}
