//! The form of answers of a question that changes.

use plenum_kernel::{NewIds, OptionRole};

use crate::agenda::question::options_with;
use crate::agenda::question_form::option_roles;
use crate::{FormError, OptionText, Question, QuestionChanges, QuestionForm};

impl QuestionChanges {
    /// The question with the new form of answers, and everything else as before. A form that stays is not checked: it can
    /// be older than a requirement, and a question with votes could not be mended.
    ///
    /// # Errors
    /// Refuses a new form that does not fit the type.
    pub(crate) fn with_changed_form(&self, question: &Question, ids: &dyn NewIds) -> Result<Question, FormError> {
        if self.keeps_form(question) {
            return Ok(question.clone());
        }
        let question_type = self.question_type.unwrap_or(question.question_type);
        let stays = question_type == question.question_type;
        let roles = self.option_roles.clone();
        let form = QuestionForm {
            question_type,
            options: self.options.clone().or_else(|| stays.then(|| texts_of(question))),
            option_roles: roles.unwrap_or_else(|| roles_that_stay(question, stays, self.options.as_deref())),
            rating_max: self.rating_max.unwrap_or(question.rating_max.filter(|_| stays)),
            max_choices: self.max_choices.unwrap_or(question.max_choices.filter(|_| stays)),
        };
        let (question_type, options, rating_max, max_choices) = form.check()?.into_parts();
        let options = options_with(options, &question.options, ids);
        Ok(Question { question_type, options, rating_max, max_choices, ..question.clone() })
    }

    /// Whether type, options, scale and limit of choices stay, left out or stated as they are.
    fn keeps_form(&self, question: &Question) -> bool {
        let keeps_roles = match &self.option_roles {
            None => true,
            Some(None) => has_roles(question, &derived_roles(question)),
            Some(Some(roles)) => has_roles(question, roles),
        };
        keeps_roles
            && self.question_type.is_none_or(|new| new == question.question_type)
            && self.options.as_deref().is_none_or(|texts| has_texts(question, texts))
            && self.rating_max.is_none_or(|new| new == question.rating_max)
            && self.max_choices.is_none_or(|new| new == question.max_choices)
    }
}

fn texts_of(question: &Question) -> Vec<String> {
    question.options.iter().map(|option| option.text.to_string()).collect()
}

/// Whether these are the texts of the options, also in the present spelling.
fn has_texts(question: &Question, texts: &[String]) -> bool {
    let mut pairs = texts.iter().zip(&question.options);
    texts.len() == question.options.len()
        && pairs.all(|(text, option)| {
            text.as_str() == option.text.as_str() || OptionText::parse(text).is_ok_and(|text| option.says(&text))
        })
}

fn has_roles(question: &Question, roles: &[OptionRole]) -> bool {
    question.options.iter().map(|option| option.role).eq(roles.iter().copied())
}

/// The meanings of the options by their words or positions.
fn derived_roles(question: &Question) -> Vec<OptionRole> {
    let texts: Vec<OptionText> = question.options.iter().map(|option| option.text.clone()).collect();
    option_roles(question.question_type, &texts)
}

/// The meanings of the options if the change states none: unchanged options keep theirs.
fn roles_that_stay(question: &Question, type_stays: bool, texts: Option<&[String]>) -> Option<Vec<OptionRole>> {
    let are_same = |texts: &[String]| has_texts(question, texts);
    let all_stay = type_stays && question.question_type.has_options() && texts.is_none_or(are_same);
    all_stay.then(|| question.options.iter().map(|option| option.role).collect())
}

#[cfg(test)]
mod tests {
    use plenum_kernel::election::ElectionRule;
    use plenum_kernel::testkit::{CountingIds, approval};
    use plenum_kernel::{DecisionRule, QuestionType, Secrecy};

    use super::*;
    use crate::agenda::sample_question::question;
    use crate::{ChangeQuestionError, QuestionText, QuestionUse};

    /// A question from before options had to look different, and elections to have seats or a condition.
    fn earlier() -> Question {
        let mut earlier = question(QuestionType::Election);
        for (option, text) in earlier.options.iter_mut().zip(["Anna", "Anna\u{fe0f}", "Carl\u{2028}Berg"]) {
            option.text = OptionText::from_stored(text.to_owned());
        }
        earlier.decision_rule = Some(endless());
        assert!(earlier.check_rule().is_err(), "the terms are refused now");
        earlier
    }

    fn endless() -> DecisionRule {
        DecisionRule::Election(Box::new(ElectionRule { seats: None, ..approval() }))
    }

    /// The changed question, or the refused field.
    fn change(mut changed: Question, changes: QuestionChanges, used: QuestionUse) -> Result<Question, &'static str> {
        match changes.apply_to(&mut changed, used, &CountingIds::new()) {
            Ok(()) => Ok(changed),
            Err(ChangeQuestionError::Form { field, .. }) => Err(field),
            Err(other) => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_form_and_a_rule_that_stay_are_not_checked_again() {
        let optional = QuestionChanges { is_required: Some(false), ..QuestionChanges::default() };
        let before = earlier();
        let as_they_are = QuestionChanges {
            question_type: Some(QuestionType::Election),
            options: Some(texts_of(&before)),
            option_roles: Some(None),
            decision_rule: Some(before.decision_rule.clone()),
            max_choices: Some(None),
            ..optional.clone()
        };
        for changes in [optional, as_they_are] {
            for used in [QuestionUse::Unused, QuestionUse::Open, QuestionUse::Voted] {
                let changed = change(before.clone(), changes.clone(), used);
                assert_eq!(changed, Ok(Question { is_required: false, ..before.clone() }), "{used:?}");
            }
        }
        let text = QuestionText::parse("Who else?").unwrap();
        let other =
            QuestionChanges { text: Some(text.clone()), secrecy: Some(Secrecy::Secret), ..QuestionChanges::default() };
        assert_eq!(
            change(before.clone(), other, QuestionUse::Unused),
            Ok(Question { text, secrecy: Secrecy::Secret, ..before }),
            "what else changes does not touch them"
        );
    }

    #[test]
    fn a_form_or_a_rule_that_changes_is_checked() {
        let refused = |changes| change(earlier(), changes, QuestionUse::Unused).unwrap_err();
        let options = |texts: [&str; 3]| QuestionChanges {
            options: Some(texts.map(str::to_owned).to_vec()),
            ..QuestionChanges::default()
        };
        assert_eq!(refused(options(["Anna", "Anna\u{fe0f}", "Carl"])), "options", "two still look alike");
        let different = options(["Anna", "Bert", "Carl"]);
        assert_eq!(refused(different.clone()), "decisionRule", "the terms of other candidates");
        let ruled = |rule| QuestionChanges { decision_rule: Some(Some(rule)), ..different.clone() };
        assert!(refused(ruled(endless())).starts_with("decisionRule."));
        let ruled = ruled(DecisionRule::Election(Box::new(approval())));
        let mended = change(earlier(), ruled, QuestionUse::Unused).unwrap();
        assert_eq!(texts_of(&mended), ["Anna", "Bert", "Carl"]);
    }
}
