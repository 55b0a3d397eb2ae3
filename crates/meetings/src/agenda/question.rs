use std::collections::HashSet;

use chrono::{DateTime, Utc};
use plenum_kernel::election::{BallotOrder, FollowedBallot};
use plenum_kernel::{
    ClientId, DecisionRule, GroupId, Invalid, MeetingId, NewIds, OptionId, OptionRole, QuestionId, QuestionType,
    Quorum, Secrecy,
};

plenum_kernel::text_value!(
    /// The text of the question.
    QuestionText, check_text, 1_000
);
plenum_kernel::text_value!(
    /// The text of an option.
    OptionText, check_line, 300
);

/// The maximum number of options of a question.
pub const MAX_OPTIONS: usize = 100;
const MIN_OPTIONS: usize = 2;

/// The text and meaning of an option to store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionForm {
    /// The text.
    pub text: OptionText,
    /// The meaning for the decision.
    pub role: OptionRole,
}

/// The form of answers, with the fields of its type only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnswerForm {
    /// Exactly one of the options.
    YesNo {
        /// At least two.
        options: Vec<OptionForm>,
    },
    /// One or more of the options.
    MultipleChoice {
        /// At least two.
        options: Vec<OptionForm>,
        /// The maximum number of choices. `None` allows all options.
        max_choices: Option<u32>,
    },
    /// A text in the voter's own words.
    OpenText,
    /// A whole number from 1 to `max`.
    Rating {
        /// 5 or 10.
        max: u32,
    },
    /// A number from 0 to 100.
    Percentage,
    /// Marks for candidates.
    Election {
        /// The candidates, at least one.
        candidates: Vec<OptionForm>,
    },
}

impl AnswerForm {
    /// The parts of the form as a question stores them: type, options, highest number, limit of choices.
    pub(crate) fn into_parts(self) -> (QuestionType, Vec<OptionForm>, Option<u32>, Option<u32>) {
        match self {
            Self::YesNo { options } => (QuestionType::YesNo, options, None, None),
            Self::MultipleChoice { options, max_choices } => (QuestionType::MultipleChoice, options, None, max_choices),
            Self::OpenText => (QuestionType::OpenText, Vec::new(), None, None),
            Self::Rating { max } => (QuestionType::Rating, Vec::new(), Some(max), None),
            Self::Percentage => (QuestionType::Percentage, Vec::new(), None, None),
            Self::Election { candidates } => (QuestionType::Election, candidates, None, None),
        }
    }
}

/// The invalid field of a question's form, and the requirement.
pub type FormError = (&'static str, Invalid);

/// The form of answers, as an organizer enters it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuestionForm {
    /// The type.
    pub question_type: QuestionType,
    /// The texts of the options. The default of a yes/no question is Yes and No.
    pub options: Option<Vec<String>>,
    /// The meanings of the options, in order. Without them, they derive from words or positions.
    pub option_roles: Option<Vec<OptionRole>>,
    /// The highest number of a rating. The default is 5.
    pub rating_max: Option<u32>,
    /// The maximum number of choices.
    pub max_choices: Option<u32>,
}

impl QuestionForm {
    /// Checks the form. Fields of other types are ignored.
    ///
    /// # Errors
    /// Names the field and the expected value.
    pub fn check(self) -> Result<AnswerForm, FormError> {
        let (question_type, roles) = (self.question_type, self.option_roles);
        if !matches!(question_type, QuestionType::YesNo | QuestionType::MultipleChoice) {
            check_no_roles(roles.as_deref())?;
        }
        match question_type {
            QuestionType::YesNo => {
                let texts = self.options.unwrap_or_else(|| vec!["Yes".to_owned(), "No".to_owned()]);
                Ok(AnswerForm::YesNo { options: with_roles(question_type, check_options(&texts)?, roles)? })
            }
            QuestionType::MultipleChoice => {
                let options = with_roles(question_type, check_options(&self.options.unwrap_or_default())?, roles)?;
                let choices = check_choices(&options)?;
                let max_choices = check_max_choices(self.max_choices, choices)?;
                Ok(AnswerForm::MultipleChoice { options, max_choices })
            }
            QuestionType::OpenText => Ok(AnswerForm::OpenText),
            QuestionType::Rating => match self.rating_max.unwrap_or(5) {
                max @ (5 | 10) => Ok(AnswerForm::Rating { max }),
                _ => Err(("ratingMax", Invalid::new("Must be 5 or 10."))),
            },
            QuestionType::Percentage => Ok(AnswerForm::Percentage),
            QuestionType::Election => {
                let candidates = check_candidates(&self.options.unwrap_or_default())?;
                Ok(AnswerForm::Election { candidates: with_roles(question_type, candidates, roles)? })
            }
        }
    }
}

fn check_options(texts: &[String]) -> Result<Vec<OptionText>, FormError> {
    if texts.len() < MIN_OPTIONS {
        return Err(("options", Invalid::new("Please provide at least 2 options")));
    }
    check_texts(texts)
}

/// An election can have one candidate, who is confirmed or not.
fn check_candidates(names: &[String]) -> Result<Vec<OptionText>, FormError> {
    if names.is_empty() {
        return Err(("options", Invalid::new("Please provide at least 1 candidate")));
    }
    check_texts(names)
}

fn check_texts(texts: &[String]) -> Result<Vec<OptionText>, FormError> {
    let refuse = |requirement: Invalid| ("options", requirement);
    if texts.len() > MAX_OPTIONS {
        return Err(refuse(Invalid::new(format!("Must have at most {MAX_OPTIONS} options."))));
    }
    let options: Vec<OptionText> =
        texts.iter().map(|text| OptionText::parse(text)).collect::<Result<_, _>>().map_err(refuse)?;
    // Answers name options by their text, so the texts must differ.
    let mut seen = HashSet::new();
    if !options.iter().all(|option| seen.insert(option.as_str().to_lowercase())) {
        return Err(refuse(Invalid::new("Each option must be different from the others.")));
    }
    Ok(options)
}

/// Refuses roles for a type whose options, if it has any, have no other meaning.
fn check_no_roles(roles: Option<&[OptionRole]>) -> Result<(), FormError> {
    if roles.unwrap_or_default().iter().all(|role| *role == OptionRole::Choice) {
        return Ok(());
    }
    Err((
        "optionRoles",
        Invalid::new("Must all be choice: only options of a yes/no or multiple choice question have other roles."),
    ))
}

/// The number of options of a multiple choice question that are a choice. At most one is an abstention: an option whose
/// text says so cannot be elected.
fn check_choices(options: &[OptionForm]) -> Result<usize, FormError> {
    let refuse = |requirement: String| Err(("optionRoles", Invalid::new(requirement)));
    if options.iter().any(|option| matches!(option.role, OptionRole::Yes | OptionRole::No)) {
        return refuse("Must be choice or abstain: only options of a yes/no question mean yes or no.".to_owned());
    }
    let says_abstain = |option: &&OptionForm| role_of_word(option.text.as_str()) == Some(OptionRole::Abstain);
    if let Some(option) = options.iter().filter(|option| option.role == OptionRole::Choice).find(says_abstain) {
        return refuse(format!("Must be abstain for \"{}\": an abstention elects nobody.", option.text));
    }
    let abstentions = options.iter().filter(|option| option.role == OptionRole::Abstain).count();
    if abstentions > 1 || abstentions == options.len() {
        return refuse("Must be abstain for one option at most.".to_owned());
    }
    Ok(options.len() - abstentions)
}

/// Gives each option its stated meaning, or one derived from its words or position.
fn with_roles(
    question_type: QuestionType,
    texts: Vec<OptionText>,
    roles: Option<Vec<OptionRole>>,
) -> Result<Vec<OptionForm>, FormError> {
    let roles = roles.unwrap_or_else(|| option_roles(question_type, &texts));
    if roles.len() != texts.len() {
        let requirement = format!("Must be {} roles, one for each option.", texts.len());
        return Err(("optionRoles", Invalid::new(requirement)));
    }
    Ok(texts.into_iter().zip(roles).map(|(text, role)| OptionForm { text, role }).collect())
}

fn check_max_choices(max_choices: Option<u32>, option_count: usize) -> Result<Option<u32>, FormError> {
    match max_choices {
        Some(max) if max == 0 || max as usize > option_count => {
            Err(("maxChoices", Invalid::new(format!("Must be a whole number from 1 to {option_count}."))))
        }
        other => Ok(other),
    }
}

/// The meanings of the options of a question. Known words decide, in any order, and other options next to them are
/// choices. In a yes/no question without any known word the position decides: the first is yes, the second no, the third
/// abstain. In a multiple choice question, only an abstention is no choice.
pub fn option_roles(question_type: QuestionType, texts: &[OptionText]) -> Vec<OptionRole> {
    if question_type == QuestionType::Election {
        return vec![OptionRole::Choice; texts.len()];
    }
    if question_type != QuestionType::YesNo {
        let abstains = |text: &OptionText| role_of_word(text.as_str()) == Some(OptionRole::Abstain);
        let role = |text| if abstains(text) { OptionRole::Abstain } else { OptionRole::Choice };
        return texts.iter().map(role).collect();
    }
    let by_word: Vec<Option<OptionRole>> = texts.iter().map(|text| role_of_word(text.as_str())).collect();
    if by_word.iter().any(Option::is_some) {
        return by_word.into_iter().map(|role| role.unwrap_or(OptionRole::Choice)).collect();
    }
    let by_place = [OptionRole::Yes, OptionRole::No, OptionRole::Abstain].into_iter();
    by_place.chain(std::iter::repeat(OptionRole::Choice)).take(texts.len()).collect()
}

/// The meaning of a word. `None` for an unknown word.
fn role_of_word(word: &str) -> Option<OptionRole> {
    match word.trim().to_lowercase().as_str() {
        "yes" | "for" | "in favour" | "in favor" | "approve" | "accept" => Some(OptionRole::Yes),
        "ja" | "dafür" | "zustimmung" | "oui" | "sí" | "si" => Some(OptionRole::Yes),
        "no" | "against" | "reject" | "oppose" => Some(OptionRole::No),
        "nein" | "dagegen" | "ablehnung" | "non" => Some(OptionRole::No),
        "abstain" | "abstention" => Some(OptionRole::Abstain),
        "enthaltung" | "abstenção" | "abstención" | "astensione" => Some(OptionRole::Abstain),
        _ => None,
    }
}

/// An option of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuestionOption {
    /// Its id.
    pub id: OptionId,
    /// The text, unique in the question.
    pub text: OptionText,
    /// The position, from 1.
    pub position: u32,
    /// The meaning for the decision.
    pub role: OptionRole,
}

/// The options, in order. An unchanged text keeps its id.
pub(crate) fn options_with(
    options: Vec<OptionForm>,
    before: &[QuestionOption],
    ids: &dyn NewIds,
) -> Vec<QuestionOption> {
    (1..)
        .zip(options)
        .map(|(position, OptionForm { text, role })| {
            let known = before.iter().find(|option| option.text == text).map(|option| option.id);
            QuestionOption { id: known.unwrap_or_else(|| OptionId::new(ids)), text, position, role }
        })
        .collect()
}

/// A question on the agenda of a meeting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// Its id.
    pub id: QuestionId,
    /// The client that owns it.
    pub client_id: ClientId,
    /// The meeting.
    pub meeting_id: MeetingId,
    /// The position on the agenda, from 1.
    pub position: u32,
    /// The text of the question.
    pub text: QuestionText,
    /// The type of its answers.
    pub question_type: QuestionType,
    /// The organizer's mark. It is stored and shown, but does not force anybody to vote.
    pub is_required: bool,
    /// The options, in order; empty for types without options.
    pub options: Vec<QuestionOption>,
    /// The highest number of a rating.
    pub rating_max: Option<u32>,
    /// The maximum number of choices.
    pub max_choices: Option<u32>,
    /// The decision rule. Without one, the question is only counted.
    pub decision_rule: Option<DecisionRule>,
    /// Its own quorum. Without one, the quorum of the meeting applies.
    pub quorum: Option<Quorum>,
    /// Who can learn how a person voted.
    pub secrecy: Secrecy,
    /// Whether every vote counts one, whatever the weight.
    pub counts_heads: bool,
    /// The groups that it is for, in the order of ids ([`plenum_kernel::audience`]). Empty for everybody whom the meeting is for.
    pub groups: Vec<GroupId>,
    /// The time of creation.
    pub created_at: DateTime<Utc>,
}

/// A rule of the agenda that was broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AgendaRule {
    /// The question has votes, so it and its terms cannot change.
    #[error("this question has votes, so it can be neither changed nor deleted; copy it instead")]
    HasVotes,
    /// Voting on the question is open, so it cannot change.
    #[error("voting on this question is open; end it before you change the question")]
    IsOpen,
    /// The candidates of the question are not those of the ballot.
    #[error("this question was changed after the ballot, so it cannot be continued: ask a new question")]
    ChangedSinceBallot,
    /// The round has a next ballot.
    #[error("the next ballot of this election is on the agenda already")]
    HasNextBallot,
    /// The agenda has the maximum number of questions.
    #[error("the agenda is full; delete a question first")]
    Full,
}

/// The progress of voting on a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuestionUse {
    /// No votes, and no open round.
    Unused,
    /// An open round, without votes so far.
    Open,
    /// Votes in one of its rounds.
    Voted,
}

impl Question {
    /// Whether wording, answers and terms are the same.
    pub(crate) fn is_put_as(&self, other: &Self) -> bool {
        let offered = |question: &Self| -> Vec<(OptionText, OptionRole)> {
            question.options.iter().map(|option| (option.text.clone(), option.role)).collect()
        };
        self.text == other.text
            && self.question_type == other.question_type
            && offered(self) == offered(other)
            && self.rating_max == other.rating_max
            && self.max_choices == other.max_choices
            && self.decision_rule == other.decision_rule
            && self.quorum == other.quorum
            && self.secrecy == other.secrecy
            && self.counts_heads == other.counts_heads
            && self.groups == other.groups
    }

    /// A copy with new ids for this meeting, at the same position.
    pub(crate) fn copy_to(&self, meeting: MeetingId, ids: &dyn NewIds, now: DateTime<Utc>) -> Self {
        let anew = |option: &QuestionOption| QuestionOption { id: OptionId::new(ids), ..option.clone() };
        let mut copy = Self {
            id: QuestionId::new(ids),
            meeting_id: meeting,
            options: self.options.iter().map(anew).collect(),
            created_at: now,
            ..self.clone()
        };
        // Only the next ballot of a result continues an election.
        if let Some(DecisionRule::Election(rule)) = &mut copy.decision_rule {
            rule.follows = None;
        }
        copy
    }

    /// The ballot that its election continues.
    pub fn followed_ballot(&self) -> Option<FollowedBallot> {
        match &self.decision_rule {
            Some(DecisionRule::Election(rule)) => rule.follows,
            _ => None,
        }
    }

    /// Continues the same ballot as before, if its new terms do not say.
    pub(crate) fn keep_followed_ballot(&mut self, before: &Self) {
        if let Some(DecisionRule::Election(rule)) = &mut self.decision_rule {
            rule.follows = rule.follows.or(before.followed_ballot());
        }
    }

    /// Whether its election continues that ballot, or is a first one.
    ///
    /// # Errors
    /// Names the field.
    pub(crate) fn check_follows(&self, allowed: Option<FollowedBallot>) -> Result<(), FormError> {
        if self.followed_ballot() == allowed {
            return Ok(());
        }
        let requirement = "Leave it out or keep its value: only the next ballot of a result continues an election.";
        Err(("decisionRule.election.follows", Invalid::new(requirement)))
    }

    /// Fixes the seed of a drawn order of candidates, if the organizer gave none: the id of the question. Nobody can choose it,
    /// and everybody can repeat the draw.
    pub(crate) fn fix_order_of_candidates(&mut self) {
        if let Some(DecisionRule::Election(rule)) = &mut self.decision_rule
            && let BallotOrder::ByLot { seed } = &mut rule.order
            && seed.is_empty()
        {
            *seed = self.id.as_uuid().to_string();
        }
    }

    /// Whether its decision rule, if it has one, can decide it.
    ///
    /// # Errors
    /// Names the field and the expected value.
    pub(crate) fn check_rule(&self) -> Result<(), FormError> {
        let Some(rule) = &self.decision_rule else {
            let is_missing = self.question_type == QuestionType::Election;
            let requirement = "Is required: an election needs its method, as {\"kind\":\"election\",\"election\":{…}}.";
            return if is_missing { Err(("decisionRule", Invalid::new(requirement))) } else { Ok(()) };
        };
        let roles: Vec<OptionRole> = self.options.iter().map(|option| option.role).collect();
        rule.check_for(self.question_type, &roles)
    }

    /// Whether the question can be deleted.
    ///
    /// # Errors
    /// Refuses once there are votes.
    pub fn check_removal(used: QuestionUse) -> Result<(), AgendaRule> {
        match used {
            QuestionUse::Unused | QuestionUse::Open => Ok(()),
            QuestionUse::Voted => Err(AgendaRule::HasVotes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(question_type: QuestionType) -> QuestionForm {
        QuestionForm { question_type, options: None, option_roles: None, rating_max: None, max_choices: None }
    }

    fn texts(texts: &[&str]) -> Option<Vec<String>> {
        Some(texts.iter().map(|text| (*text).to_owned()).collect())
    }

    fn roles(texts: &[&str]) -> Vec<OptionRole> {
        let texts: Vec<OptionText> = texts.iter().map(|text| OptionText::parse(text).unwrap()).collect();
        option_roles(QuestionType::YesNo, &texts)
    }

    #[test]
    fn a_yes_no_question_has_yes_and_no_by_default() {
        let AnswerForm::YesNo { options } = form(QuestionType::YesNo).check().unwrap() else { panic!("another form") };
        assert_eq!(options.iter().map(|option| option.text.as_str()).collect::<Vec<_>>(), ["Yes", "No"]);
    }

    #[test]
    fn fewer_than_two_options_are_refused_in_the_words_of_the_product() {
        for options in [None, texts(&[]), texts(&["One"])] {
            let form = QuestionForm { options, ..form(QuestionType::MultipleChoice) };
            let (field, requirement) = form.check().unwrap_err();
            assert_eq!((field, requirement.to_string().as_str()), ("options", "Please provide at least 2 options"));
        }
    }

    #[test]
    fn an_abstention_is_no_choice() {
        let with = |texts_of: &[&str], option_roles: Option<Vec<OptionRole>>, max_choices| {
            let options = texts(texts_of);
            QuestionForm { options, option_roles, max_choices, ..form(QuestionType::MultipleChoice) }.check()
        };
        let (choice, abstain) = (OptionRole::Choice, OptionRole::Abstain);
        for (texts, given) in [
            (["Anna", "Bert", " abstain "], None),
            (["Anna", "Enthaltung", "Bert"], None),
            (["Anna", "Bert", "Nobody"], Some(vec![choice, choice, abstain])),
        ] {
            let AnswerForm::MultipleChoice { options, .. } = with(&texts, given, Some(2)).unwrap() else {
                panic!("choices")
            };
            assert_eq!(options.iter().filter(|option| option.role == abstain).count(), 1, "{texts:?}");
        }
        let field = |form: Result<AnswerForm, FormError>| form.unwrap_err().0;
        assert_eq!(field(with(&["Anna", "Bert", "Abstain"], None, Some(3))), "maxChoices", "only two are choices");
        assert_eq!(field(with(&["Anna", "Abstain"], Some(vec![choice; 2]), None)), "optionRoles", "it says abstain");
        assert_eq!(field(with(&["Anna", "Abstain", "Enthaltung"], None, None)), "optionRoles", "one is enough");
        assert_eq!(field(with(&["Anna", "Bert"], Some(vec![OptionRole::Yes, choice]), None)), "optionRoles");
    }

    #[test]
    fn two_options_with_the_same_text_are_refused() {
        let form = QuestionForm { options: texts(&["Anna", " anna "]), ..form(QuestionType::MultipleChoice) };
        assert_eq!(form.check().unwrap_err().0, "options");
    }

    #[test]
    fn the_scale_of_a_rating_is_five_or_ten() {
        assert_eq!(form(QuestionType::Rating).check().unwrap(), AnswerForm::Rating { max: 5 });
        let ten = QuestionForm { rating_max: Some(10), ..form(QuestionType::Rating) };
        assert_eq!(ten.check().unwrap(), AnswerForm::Rating { max: 10 });
        let seven = QuestionForm { rating_max: Some(7), ..form(QuestionType::Rating) };
        assert_eq!(seven.check().unwrap_err().0, "ratingMax");
    }

    #[test]
    fn the_limit_of_choices_is_at_most_the_number_of_options() {
        let of_two = |max| QuestionForm {
            options: texts(&["A", "B"]),
            max_choices: Some(max),
            ..form(QuestionType::MultipleChoice)
        };
        assert!(of_two(1).check().is_ok());
        assert!(of_two(2).check().is_ok());
        assert_eq!(of_two(0).check().unwrap_err().0, "maxChoices");
        assert_eq!(of_two(3).check().unwrap_err().0, "maxChoices");
    }

    #[test]
    fn stated_roles_of_yes_no_options_override_their_words() {
        let (yes, no, choice) = (OptionRole::Yes, OptionRole::No, OptionRole::Choice);
        let asked = |roles: &[OptionRole]| QuestionForm {
            options: texts(&["No", "Yes", "Aye"]),
            option_roles: Some(roles.to_vec()),
            ..form(QuestionType::YesNo)
        };
        let AnswerForm::YesNo { options } = asked(&[yes, choice, no]).check().unwrap() else { panic!("another form") };
        assert_eq!(options.iter().map(|option| option.role).collect::<Vec<_>>(), [yes, choice, no]);
        for wrong in [&[yes, no][..], &[], &[yes, no, choice, choice]] {
            let (field, requirement) = asked(wrong).check().unwrap_err();
            assert_eq!(
                (field, requirement.to_string().as_str()),
                ("optionRoles", "Must be 3 roles, one for each option.")
            );
        }
        let usual = QuestionForm { option_roles: Some(vec![no, yes]), ..form(QuestionType::YesNo) };
        let AnswerForm::YesNo { options } = usual.check().unwrap() else { panic!("another form") };
        assert_eq!(options.iter().map(|option| option.role).collect::<Vec<_>>(), [no, yes], "of Yes and No by default");
    }

    #[test]
    fn options_of_other_types_are_neither_yes_nor_no() {
        let choice = |roles: Vec<OptionRole>| QuestionForm {
            options: texts(&["Yes", "No"]),
            option_roles: Some(roles),
            ..form(QuestionType::MultipleChoice)
        };
        assert!(choice(vec![OptionRole::Choice; 2]).check().is_ok());
        assert_eq!(choice(vec![OptionRole::Choice; 3]).check().unwrap_err().0, "optionRoles");
        assert_eq!(choice(vec![OptionRole::Choice, OptionRole::No]).check().unwrap_err().0, "optionRoles");
        for question_type in [QuestionType::Rating, QuestionType::OpenText, QuestionType::Percentage] {
            let of = |role| QuestionForm { option_roles: Some(vec![role]), ..form(question_type) };
            assert!(of(OptionRole::Choice).check().is_ok());
            assert_eq!(of(OptionRole::Yes).check().unwrap_err().0, "optionRoles");
        }
    }

    #[test]
    fn known_words_give_options_their_roles_in_any_order() {
        let (yes, no, abstain) = (OptionRole::Yes, OptionRole::No, OptionRole::Abstain);
        assert_eq!(roles(&["No", "Abstain", "Yes"]), [no, abstain, yes]);
        assert_eq!(roles(&["Nein", "Ja"]), [no, yes]);
        assert_eq!(roles(&["Enthaltung", "Dagegen", "Dafür"]), [abstain, no, yes]);
        assert_eq!(roles(&["Ablehnung", "Zustimmung"]), [no, yes]);
        assert_eq!(roles(&["Abstention", "Non", "Oui"]), [abstain, no, yes]);
        assert_eq!(roles(&["No", "Sí", "Abstención"]), [no, yes, abstain]);
        assert_eq!(roles(&["Astensione", "Si", "No"]), [abstain, yes, no]);
        assert_eq!(roles(&["Against", "In favour"]), [no, yes]);
        assert_eq!(roles(&["Oppose", "In favor", "Abstenção"]), [no, yes, abstain]);
        assert_eq!(roles(&["Reject", "Approve"]), [no, yes]);
        assert_eq!(roles(&["Against", "Accept", "For"]), [no, yes, yes]);
    }

    #[test]
    fn known_words_are_recognized_in_any_case() {
        assert_eq!(roles(&[" nO ", "SÍ", "ABSTENÇÃO"]), [OptionRole::No, OptionRole::Yes, OptionRole::Abstain]);
    }

    #[test]
    fn options_beside_known_words_are_choices() {
        let (yes, no, choice) = (OptionRole::Yes, OptionRole::No, OptionRole::Choice);
        assert_eq!(roles(&["Maybe", "No", "Yes"]), [choice, no, yes]);
        assert_eq!(roles(&["Yes", "Later"]), [yes, choice]);
        assert_eq!(roles(&["Later", "Nein"]), [choice, no]);
        assert_eq!(roles(&["Not sure", "Yes, but", "Abstain"]), [choice, choice, OptionRole::Abstain]);
    }

    #[test]
    fn without_known_words_the_position_gives_the_role() {
        let (yes, no, abstain) = (OptionRole::Yes, OptionRole::No, OptionRole::Abstain);
        assert_eq!(roles(&["Tak", "Nie"]), [yes, no]);
        assert_eq!(roles(&["Tak", "Nie", "Inaczej", "Wcale"]), [yes, no, abstain, OptionRole::Choice]);
    }
}
