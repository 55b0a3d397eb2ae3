use rust_decimal::Decimal;

use crate::{Answer, BallotRule, Wording};

/// The plaintext of a sealed ballot. Its options are named by their positions in the wording of the round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpenedBallot {
    /// The positions of the chosen options, from 1, in their order.
    Options(Vec<u32>),
    /// A rating or a percentage.
    Number(String),
    /// A text in the voter's own words, or the marks of an election.
    Text(String),
}

impl OpenedBallot {
    /// The ballot with this answer, which MUST fit the wording. `None` for an answer that is sealed already.
    pub(crate) fn of(answer: &Answer, wording: &Wording) -> Option<Self> {
        match answer {
            Answer::Options(chosen) => {
                let options = wording.options.iter().filter(|option| chosen.contains(&option.id));
                Some(Self::Options(options.map(|option| option.position).collect()))
            }
            Answer::Number(number) => Some(Self::Number(number.normalize().to_string())),
            Answer::Text(text) => Some(Self::Text(text.clone())),
            Answer::Sealed(_) => None,
        }
    }

    /// Checks the ballot against the wording of its round, as any other ballot is checked when it arrives.
    ///
    /// # Errors
    /// Names the rule of the question that it breaks.
    pub fn read(&self, wording: &Wording) -> Result<Answer, BallotRule> {
        match self {
            Self::Text(marks) if wording.election.is_some() => {
                wording.read(&marks.split(' ').map(str::to_owned).collect::<Vec<_>>())
            }
            Self::Options(positions) if wording.question_type.has_options() && wording.election.is_none() => {
                let text_at = |position: &u32| {
                    let option = wording.options.iter().find(|option| option.position == *position);
                    let unknown = || BallotRule::UnknownOption(format!("option {position}"));
                    option.map(|option| option.text.clone()).ok_or_else(unknown)
                };
                let texts: Vec<String> = positions.iter().map(text_at).collect::<Result<_, _>>()?;
                wording.read(&texts)
            }
            Self::Number(number) if wording.takes_numbers() => wording.read(std::slice::from_ref(number)),
            Self::Text(text) if !wording.question_type.has_options() && !wording.takes_numbers() => {
                wording.read(std::slice::from_ref(text))
            }
            _ => Err(BallotRule::OtherType),
        }
    }
}

/// A key by which answers are sorted, so that their order tells nothing about the order of the ballots.
pub(crate) fn sorting_key(answer: &Answer) -> (Vec<uuid::Uuid>, Decimal, String) {
    match answer {
        Answer::Options(ids) => (ids.iter().map(|id| id.as_uuid()).collect(), Decimal::ZERO, String::new()),
        Answer::Number(number) => (Vec::new(), *number, String::new()),
        Answer::Text(text) => (Vec::new(), Decimal::ZERO, text.clone()),
        Answer::Sealed(_) => (Vec::new(), Decimal::ZERO, String::new()),
    }
}
