use std::collections::HashSet;

use plenum_kernel::{Invalid, OptionRole, QuestionType, look};

use crate::agenda::question::OptionText;

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
    // Voters choose by what they see, and answers name options by their text, so the texts must look different.
    let mut seen = HashSet::new();
    if !options.iter().all(|option| seen.insert(look(option.as_str()))) {
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
    fn two_options_that_look_the_same_are_refused() {
        for options in [["A", "A\u{3164}"], ["A\u{34f}", "a"], ["A\u{fe0f}", "A\u{e0041}"], ["A B", "A\u{a0}B"]] {
            for question_type in [QuestionType::YesNo, QuestionType::MultipleChoice, QuestionType::Election] {
                let form = QuestionForm { options: texts(&options), ..form(question_type) };
                assert_eq!(form.check().unwrap_err().0, "options", "{options:?}");
            }
        }
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
