use std::collections::HashSet;

use chrono::{DateTime, Utc};
use plenum_kernel::{EndUserId, OptionId, OptionRole, QuestionType, RoundId, Secrecy, SessionId, VoteId, check_text};
use rust_decimal::Decimal;

use crate::ballots::marks::{WrongMarks, notation};
use crate::{CastOn, Envelope, Wording};

/// The stored answer of a voter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The chosen options, in the order of the round's options.
    Options(Vec<OptionId>),
    /// A rating or a percentage.
    Number(Decimal),
    /// The voter's own words, in NFC and trimmed. In an election, the marks in the notation of [`crate::BallotForm`], with
    /// blanks between them.
    Text(String),
    /// The sealed answer of a secret round. `None` once the urn was opened: then no envelope is left.
    Sealed(Option<Envelope>),
}

/// A ballot that fits its round and can be cast.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ballot {
    /// The id of the vote, if it is counted.
    pub vote_id: VoteId,
    /// The round.
    pub round_id: RoundId,
    /// The voter.
    pub voter: EndUserId,
    /// The holder of the voter's proxy, who casts it. `None` if the voter does.
    pub cast_by: Option<EndUserId>,
    /// Where it is cast. `None` on a device of the voter or the holder.
    pub cast_on: Option<CastOn>,
    /// The session that casts it. At a voting place, the id of the ballot that it gave to the voter.
    pub session: SessionId,
    /// The answer.
    pub answer: Answer,
    /// The time of the ballot. It is not stored with a sealed answer, and neither is the session.
    pub cast_at: DateTime<Utc>,
}

/// A vote as it is stored. It is never changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredVote {
    /// Its id.
    pub id: VoteId,
    /// The answer.
    pub answer: Answer,
    /// The time of the ballot. `None` for a sealed one.
    pub cast_at: Option<DateTime<Utc>>,
    /// The session that cast it. `None` for a sealed ballot, and for votes from before sessions were stored.
    pub session: Option<SessionId>,
    /// The holder of the voter's proxy, who cast it. `None` if the voter did.
    pub cast_by: Option<EndUserId>,
    /// Where it was cast. `None` on a device of the voter or the holder.
    pub cast_on: Option<CastOn>,
}

impl Ballot {
    /// The vote with which the ballot is stored.
    pub fn into_vote(self) -> StoredVote {
        let is_sealed = matches!(self.answer, Answer::Sealed(_));
        StoredVote {
            id: self.vote_id,
            answer: self.answer,
            cast_at: (!is_sealed).then_some(self.cast_at),
            session: (!is_sealed).then_some(self.session),
            cast_by: self.cast_by,
            cast_on: self.cast_on,
        }
    }
}

impl StoredVote {
    /// Whether the session `session` of the voter may see the answer in a round with this secrecy. If the round is not named,
    /// only the session that cast the vote sees it, because another person may know the voter's password. Nobody sees a
    /// sealed answer.
    pub fn is_visible_to(&self, session: SessionId, secrecy: Secrecy) -> bool {
        match secrecy {
            Secrecy::Named => true,
            Secrecy::Unshown => self.session == Some(session),
            Secrecy::Secret => false,
        }
    }

    /// Whether the ballot, in a round with this secrecy, is a repeat of this vote, whose first response may have been lost. An
    /// answer is compared only in a session that may see it, so that trying answers does not reveal it. Equal envelopes are
    /// from one device. The envelopes are deleted with the count, but the id of a vote follows from its envelope.
    pub(crate) fn is_repeated_by(&self, ballot: &Ballot, secrecy: Secrecy) -> bool {
        if (self.cast_by, self.cast_on) != (ballot.cast_by, ballot.cast_on) {
            return false;
        }
        match (&self.answer, &ballot.answer) {
            (Answer::Sealed(Some(stored)), Answer::Sealed(Some(sent))) => stored == sent,
            (Answer::Sealed(None), Answer::Sealed(Some(_))) => self.id == ballot.vote_id,
            (Answer::Sealed(_), _) | (_, Answer::Sealed(_)) => false,
            _ => self.is_visible_to(ballot.session, secrecy) && self.answer == ballot.answer,
        }
    }

    /// The vote with the content of a ballot that repeats it: the same, also where the count has deleted the envelope, so that
    /// the voter gets the receipt.
    pub(crate) fn with_content_of(self, ballot: Ballot) -> Self {
        Self { answer: ballot.answer, ..self }
    }

    /// The receipt of its envelope. `None` for an answer that is not sealed, and once the urn was opened.
    pub fn receipt(&self) -> Option<String> {
        match &self.answer {
            Answer::Sealed(envelope) => envelope.as_ref().map(Envelope::receipt),
            Answer::Options(_) | Answer::Number(_) | Answer::Text(_) => None,
        }
    }
}

/// The reason why a ballot is invalid, as a sentence for the voter.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BallotRule {
    /// The ballot is empty.
    #[error("Please select an answer")]
    Empty,
    /// The question takes one answer, and the ballot has several.
    #[error("Please select exactly one answer.")]
    NotExactlyOne,
    /// An answer that the question does not offer.
    #[error("\"{0}\" is not one of the options of this question.")]
    UnknownOption(String),
    /// The same option twice.
    #[error("Each option can be selected only once.")]
    RepeatedOption,
    /// More options than are allowed.
    #[error("Please select at most {0} answers.")]
    TooManyChoices(u32),
    /// An abstention together with other options.
    #[error("Please select either \"{0}\" or other answers, not both.")]
    AbstentionAndOthers(String),
    /// The answer is not a whole number on the scale.
    #[error("Please give a whole number from 1 to {0}.")]
    OffTheScale(u32),
    /// The answer is not a number from 0 to 100.
    #[error("Please give a number from 0 to 100, with at most 4 decimals.")]
    NoPercentage,
    /// The text is too long, or contains control or invisible characters.
    #[error("Please answer in 1 to 2,000 characters, none of them invisible.")]
    NoText,
    /// The marks of an election are wrong.
    #[error(transparent)]
    Marks(#[from] WrongMarks),
    /// The ballot is of another type than the question.
    #[error("Please give an answer of the question's type.")]
    OtherType,
    /// A sealed ballot for a question that is not secret.
    #[error("Please send answers: ballots on this question are not sealed.")]
    NotSecret,
    /// The envelope has another version or size than those of the question.
    #[error("Please send an envelope of version 1 with {0} bytes.")]
    NoEnvelope(usize),
}

/// The longest answer in a voter's own words, in characters after normalizing and trimming.
const MAX_TEXT: usize = 2_000;

impl Wording {
    /// Parses the answers of a voter, which arrive as texts.
    ///
    /// # Errors
    /// Names the rule of the question that the answers break.
    pub fn read(&self, answers: &[String]) -> Result<Answer, BallotRule> {
        if answers.iter().all(|answer| answer.trim().is_empty()) {
            return Err(BallotRule::Empty);
        }
        match self.question_type {
            QuestionType::MultipleChoice => self.read_choices(answers),
            QuestionType::YesNo => {
                let text = exactly_one(answers)?;
                let option = self.option_saying(text).ok_or_else(|| BallotRule::UnknownOption(text.to_owned()))?;
                Ok(Answer::Options(vec![option.id]))
            }
            QuestionType::Rating => {
                let max = self.rating_max.unwrap_or(5);
                let rating: u32 = exactly_one(answers)?.trim().parse().map_err(|_| BallotRule::OffTheScale(max))?;
                if !(1..=max).contains(&rating) {
                    return Err(BallotRule::OffTheScale(max));
                }
                Ok(Answer::Number(Decimal::from(rating)))
            }
            QuestionType::Percentage => read_percentage(exactly_one(answers)?),
            QuestionType::Election => {
                let form = self.ballot_form().ok_or(BallotRule::OtherType)?;
                Ok(Answer::Text(notation(&form.read(answers)?).join(" ")))
            }
            QuestionType::OpenText => {
                let text = check_text(exactly_one(answers)?, MAX_TEXT).map_err(|_| BallotRule::NoText)?;
                Ok(Answer::Text(text))
            }
        }
    }

    /// Whether answers are numbers.
    pub(crate) fn takes_numbers(&self) -> bool {
        matches!(self.question_type, QuestionType::Rating | QuestionType::Percentage)
    }

    fn read_choices(&self, answers: &[String]) -> Result<Answer, BallotRule> {
        let mut chosen = HashSet::new();
        for text in answers {
            let option = self.option_saying(text).ok_or_else(|| BallotRule::UnknownOption(text.clone()))?;
            if !chosen.insert(option.id) {
                return Err(BallotRule::RepeatedOption);
            }
        }
        let abstention =
            self.options.iter().find(|option| option.role == OptionRole::Abstain && chosen.contains(&option.id));
        if let Some(abstention) = abstention.filter(|_| chosen.len() > 1) {
            return Err(BallotRule::AbstentionAndOthers(abstention.text.clone()));
        }
        if let Some(max) = self.max_choices.filter(|max| chosen.len() > *max as usize) {
            return Err(BallotRule::TooManyChoices(max));
        }
        // In the order of the options, so that the same choice is the same answer.
        Ok(Answer::Options(self.options.iter().map(|option| option.id).filter(|id| chosen.contains(id)).collect()))
    }
}

fn exactly_one(answers: &[String]) -> Result<&str, BallotRule> {
    match answers {
        [answer] => Ok(answer),
        _ => Err(BallotRule::NotExactlyOne),
    }
}

fn read_percentage(text: &str) -> Result<Answer, BallotRule> {
    let text = text.trim();
    let is_plain = text.chars().all(|letter| letter.is_ascii_digit() || letter == '.');
    // Exactly: `parse` would round a number with too many decimals.
    let number = Decimal::from_str_exact(text).map_err(|_| BallotRule::NoPercentage)?;
    let number = number.normalize();
    if !is_plain || number > Decimal::ONE_HUNDRED || number.scale() > 4 {
        return Err(BallotRule::NoPercentage);
    }
    Ok(Answer::Number(number))
}

#[cfg(test)]
mod tests {
    use plenum_kernel::testkit::{CountingIds, approval};

    use super::*;
    use crate::RoundOption;

    fn wording(question_type: QuestionType, options: &[&str]) -> Wording {
        let ids = CountingIds::new();
        let options = (1..)
            .zip(options)
            .map(|(position, text)| RoundOption {
                id: OptionId::new(&ids),
                text: (*text).to_owned(),
                position,
                role: OptionRole::Choice,
            })
            .collect();
        Wording {
            text: "?".to_owned(),
            question_type,
            options,
            rating_max: Some(5),
            max_choices: Some(2),
            election: None,
        }
    }

    fn read(wording: &Wording, answers: &[&str]) -> Result<Answer, BallotRule> {
        wording.read(&answers.iter().map(|answer| (*answer).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn an_empty_answer_is_refused_for_every_type() {
        for question_type in QuestionType::ALL {
            let wording = Wording { election: Some(approval().into()), ..wording(question_type, &["A", "B"]) };
            assert_eq!(read(&wording, &[]), Err(BallotRule::Empty), "{question_type:?}");
            assert_eq!(read(&wording, &["  "]), Err(BallotRule::Empty), "{question_type:?}");
        }
    }

    #[test]
    fn a_yes_no_question_takes_exactly_one_of_its_options() {
        let wording = wording(QuestionType::YesNo, &["Yes", "No"]);
        assert_eq!(read(&wording, &["No"]), Ok(Answer::Options(vec![wording.options[1].id])));
        assert_eq!(read(&wording, &["Yes", "No"]), Err(BallotRule::NotExactlyOne));
        assert_eq!(read(&wording, &["Maybe"]), Err(BallotRule::UnknownOption("Maybe".to_owned())));
    }

    #[test]
    fn choices_are_kept_in_the_order_of_the_options() {
        let wording = wording(QuestionType::MultipleChoice, &["A", "B", "C"]);
        assert_eq!(read(&wording, &["C", "A"]), read(&wording, &["A", "C"]));
        assert_eq!(read(&wording, &["A", "A"]), Err(BallotRule::RepeatedOption));
        assert_eq!(read(&wording, &["A", "B", "C"]), Err(BallotRule::TooManyChoices(2)));
        assert_eq!(read(&wording, &["A", "D"]), Err(BallotRule::UnknownOption("D".to_owned())));
    }

    #[test]
    fn an_option_is_named_with_any_kind_of_blank() {
        // The second one was stored by an earlier version.
        let wording = wording(QuestionType::YesNo, &["A B", "C\u{a0}D"]);
        for (place, texts) in [(0, ["A B", "A\u{2003}B"]), (1, ["C D", "C\u{a0}D"])] {
            for text in texts {
                assert_eq!(read(&wording, &[text]), Ok(Answer::Options(vec![wording.options[place].id])), "{text:?}");
            }
        }
    }

    #[test]
    fn an_abstention_stands_alone() {
        let mut wording = wording(QuestionType::MultipleChoice, &["A", "B", "None"]);
        wording.options[2].role = OptionRole::Abstain;
        assert_eq!(read(&wording, &["None"]), Ok(Answer::Options(vec![wording.options[2].id])));
        let both = Err(BallotRule::AbstentionAndOthers("None".to_owned()));
        assert_eq!(read(&wording, &["A", "None"]), both);
        assert_eq!(read(&wording, &["None", "B", "A"]), both, "whatever the maximum number of choices");
    }

    #[test]
    fn a_rating_is_a_whole_number_on_the_scale() {
        let wording = wording(QuestionType::Rating, &[]);
        assert_eq!(read(&wording, &["5"]), Ok(Answer::Number(Decimal::from(5))));
        for answer in ["0", "6", "2.5", "-1", "five", "1e0"] {
            assert_eq!(read(&wording, &[answer]), Err(BallotRule::OffTheScale(5)), "{answer}");
        }
    }

    #[test]
    fn a_percentage_is_a_number_from_0_to_100() {
        let wording = wording(QuestionType::Percentage, &[]);
        for answer in ["0", "100", "37.5", "12.3456"] {
            assert!(read(&wording, &[answer]).is_ok(), "{answer}");
        }
        for answer in ["-1", "100.1", "1e2", "12.34567", "half", "1_0", "+5"] {
            assert_eq!(read(&wording, &[answer]), Err(BallotRule::NoPercentage), "{answer}");
        }
        assert_eq!(read(&wording, &["50.0"]), read(&wording, &["50"]));
    }

    #[test]
    fn a_percentage_is_never_rounded() {
        let wording = wording(QuestionType::Percentage, &[]);
        let zeros = "0".repeat(30);
        for answer in [format!("12.3456{zeros}1"), format!("100.{zeros}1"), format!("0.{zeros}1")] {
            assert_eq!(read(&wording, &[&answer]), Err(BallotRule::NoPercentage), "{answer}");
        }
    }

    #[test]
    fn an_option_is_found_in_any_unicode_normalization() {
        let wording = wording(QuestionType::MultipleChoice, &["Caf\u{e9}", "Cafe"]);
        for typed in ["Caf\u{e9}", "Cafe\u{301}", " Cafe\u{301} "] {
            assert_eq!(read(&wording, &[typed]), Ok(Answer::Options(vec![wording.options[0].id])), "{typed:?}");
        }
        assert_eq!(read(&wording, &["Cafe"]), Ok(Answer::Options(vec![wording.options[1].id])));
        assert_eq!(read(&wording, &["Caf\u{e9}", "Cafe\u{301}"]), Err(BallotRule::RepeatedOption));
    }

    #[test]
    fn an_option_frozen_in_another_normalization_is_found() {
        let wording = wording(QuestionType::YesNo, &["Cafe\u{301}", "No"]);
        for typed in ["Caf\u{e9}", "Cafe\u{301}"] {
            assert_eq!(read(&wording, &[typed]), Ok(Answer::Options(vec![wording.options[0].id])), "{typed:?}");
        }
    }

    #[test]
    fn a_text_is_stored_and_measured_in_nfc() {
        let wording = wording(QuestionType::OpenText, &[]);
        assert_eq!(read(&wording, &["Cafe\u{301}"]), Ok(Answer::Text("Caf\u{e9}".to_owned())));
        assert!(read(&wording, &[&"e\u{301}".repeat(2_000)]).is_ok());
        assert_eq!(read(&wording, &[&"e\u{301}".repeat(2_001)]), Err(BallotRule::NoText));
        for hidden in ["\u{200b}", "\u{200d}", "a\u{202e}b"] {
            assert_eq!(read(&wording, &[hidden]), Err(BallotRule::NoText), "{hidden:?}");
        }
    }

    #[test]
    fn a_text_is_trimmed_and_limited_in_length() {
        let wording = wording(QuestionType::OpenText, &[]);
        assert_eq!(read(&wording, &["  More trees \n"]), Ok(Answer::Text("More trees".to_owned())));
        assert!(read(&wording, &[&"a".repeat(2_000)]).is_ok());
        assert_eq!(read(&wording, &[&"a".repeat(2_001)]), Err(BallotRule::NoText));
        assert_eq!(read(&wording, &["a\0b"]), Err(BallotRule::NoText));
    }
}
